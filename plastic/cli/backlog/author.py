"""`plastic backlog admit`, `note`, `record`: what is said about items."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from plastic.cli.backlog.options import (
    AsJson,
    Project,
    Session,
    Which,
    backlog,
    changed,
)
from plastic.cli.door import emit


def admit(
    which: Which, project: Project = "", session: Session = "", as_json: AsJson = False
) -> None:
    """Let an agent's proposal into the ready set; a person does that, and types the id."""
    from plastic.work.backlog.author import as_person

    with backlog(project, session) as found:
        change = as_person(found, os.environ, which, "admit", found.store.admit)
        changed(found, change, f"{change.item.id}  admitted", as_json=as_json)


def note(
    which: Which,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was found.")],
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Keep a finding with the item: what research ends with, and a sign that its holder lives."""
    from plastic.work.backlog import signs

    with backlog(project, session) as found:
        id = found.need(which).id
        collided = signs.found(found, id, text)
    said = f"{id}  noted"
    said += "\nstop: the item was taken over from you; a person decides" if collided else ""
    emit({"id": id, "note": text, "collision": collided}, said, as_json=as_json)


def record(
    title: Annotated[str, typer.Argument(help="What was deployed, in one line.")],
    id: Annotated[str, typer.Option(help="The issue that it is: issue-7.")],
    pr: Annotated[int, typer.Option(metavar="N", help="Its merged pull request.")],
    commit: Annotated[str, typer.Option(metavar="SHA", help="The commit that merged it.")],
    priority: Annotated[str, typer.Option(help="P0, P1, P2 or P3.")] = "P2",
    phase: Annotated[
        str, typer.Option(help="research, implementation or integration.")
    ] = "implementation",
    base: Annotated[str, typer.Option(metavar="BRANCH", help="Where it was merged.")] = "",
    role: Annotated[str, typer.Option(help="Recorded: pm or worker; a worker may not.")] = "pm",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """The row of a direct deployment: born complete, after its commit is proven in the base."""
    from plastic.rules.backlog.answers import Draft
    from plastic.work.backlog.finish import record as write

    draft = Draft(title, id=id, priority=priority, phase=phase, base=base or None)
    with backlog(project, session) as found:
        change = write(found, draft, pr, commit, role)
        text = f"{change.item.id}  recorded as complete by pull request {pr}"
        changed(found, change, text, as_json=as_json)
