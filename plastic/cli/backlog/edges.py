"""`plastic backlog link`, `unlink`, `forget`: edges, and taking items away."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.backlog.options import (
    AsJson,
    Project,
    Secret,
    Session,
    Token,
    Which,
    backlog,
    changed,
)

Relation = Annotated[
    str, typer.Argument(metavar="RELATION", help="blockedBy, partOf, integrates, informs, related.")
]
Targets = Annotated[list[str], typer.Argument(metavar="ID...", help="The other items.")]


def link(
    which: Which,
    relation: Relation,
    targets: Targets,
    token: Token = None,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Add edges, all or none: ID blockedBy OTHER means that ID waits for OTHER."""
    from plastic.work.backlog.claims import fence

    with backlog(project, session) as found:
        change = found.store.link(which, relation, targets, found.actor, fence=fence(token, secret))
        said = f"{change.item.id} {relation} {', '.join(targets)}"
        changed(found, change, said, as_json=as_json)


def unlink(
    which: Which,
    relation: Relation,
    targets: Targets,
    token: Token = None,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Take edges away."""
    from plastic.work.backlog.claims import fence

    with backlog(project, session) as found:
        change = found.store.unlink(
            which, relation, targets, found.actor, fence=fence(token, secret)
        )
        said = f"{change.item.id} no longer {relation} {', '.join(targets)}"
        changed(found, change, said, as_json=as_json)


def forget(
    which: Which,
    force: Annotated[
        bool, typer.Option("--force", help="Although others wait for it: they become invalid.")
    ] = False,
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Take an item away; refused while unfinished items need it. Its tokens are never reused."""
    with backlog(project, session) as found:
        change = found.store.forget(which, found.actor, force=force)
        changed(found, change, f"{change.item.id}  forgotten", as_json=as_json)
