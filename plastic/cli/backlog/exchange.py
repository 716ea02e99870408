"""`plastic backlog import` and `export`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plastic.cli.backlog.bar import bar
from plastic.cli.backlog.options import AsJson, Project, Session, backlog
from plastic.cli.door import emit


def import_(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, or a folder of tasks.")],
    form: Annotated[
        str,
        typer.Option("--from", help="beads, github, backlog-md, tags or plastic; default: seen."),
    ] = "",
    priority: Annotated[str, typer.Option(help="Of items without one, except tags.")] = "P2",
    phase: Annotated[
        str, typer.Option(help="Of items without one, except tags.")
    ] = "implementation",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Bring items in from another tracker; raw tags are kept, every defect is reported."""
    from plastic.work.backlog.exchange import bring

    with backlog(project, session) as found, bar() as told:
        one = bring(found, path, form, priority, phase, told)
    lines = [f"{len(one['imported'])} imported from {one['form']}"]
    lines += [f"skipped {row['id']}: {row['why']}" for row in one["skipped"]]
    rows = [*one["defects"], *one["divergences"]]
    lines += [f"{row['code']:<4} {row['item'] or '-'}: {row['text']}" for row in rows]
    emit(one, "\n".join(lines), as_json=as_json)


def export(
    form: Annotated[str, typer.Option("--format", help="plastic or tags.")] = "plastic",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Print every item, one JSON object a line; with --json as one object."""
    from plastic.work.backlog.exchange import export as take

    with backlog(project, session) as found, bar() as told:
        one = take(found, form, told)
    emit(one, "\n".join(json.dumps(item) for item in one["items"]), as_json=as_json)
