"""`plastic backlog mirror`: the items as files that people read and comment."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.backlog.bar import bar
from plastic.cli.backlog.options import AsJson, Project, Session, backlog
from plastic.cli.door import emit


def mirror(
    check: Annotated[bool, typer.Option("--check", help="Only say what would change.")] = False,
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Bring the mirror's files up to date; a person's text in them stays as it is."""
    from plastic.work.backlog.mirror import mirror as show

    with backlog(project, session) as found, bar() as told:
        one = show(found, told, only_look=check)
    done = one["behind"] if check else one["written"]
    word = "behind" if check else "written"
    lines = [one["folder"], f"{len(done)} {word}" + (f": {', '.join(done)}" if done else "")]
    lines += [f"{row['code']:<4} {row['item']}: {row['text']}" for row in one["divergences"]]
    emit(one, "\n".join(lines), as_json=as_json)
