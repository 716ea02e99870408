"""`plastic backlog complete`, `park`, `unpark`, `reconcile`, `sweep`: how work ends."""

from __future__ import annotations

import os
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
    presented,
)
from plastic.cli.door import emit


def complete(
    which: Which,
    token: Token = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(metavar="SHA|FILE", help="The merged commit, or files that prove it."),
    ] = None,
    strength: Annotated[str, typer.Option(help="observed or by-construction.")] = "",
    instrument: Annotated[
        str, typer.Option(help="Who tried the instrument on a case known not to be zero.")
    ] = "",
    checked: Annotated[
        bool, typer.Option("--checked", help="Of an integration: the grouping's criteria ran.")
    ] = False,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Complete an item under its token, when the act is proven; prints what became ready."""
    from plastic.work.backlog.claims import fence
    from plastic.work.backlog.finish import complete as end

    with backlog(project, session) as found:
        change = end(
            found,
            which,
            fence(token, secret),
            evidence or (),
            os.getcwd(),
            strength=strength,
            instrument=instrument,
            checked=checked,
        )
        changed(found, change, f"{change.item.id}  complete", as_json=as_json)


def park(
    which: Which,
    owner: Annotated[str, typer.Option(help="One role or person who rules.")] = "",
    topic: Annotated[str, typer.Option(help="A key of the decision.")] = "",
    question: Annotated[str, typer.Option(help="What exactly they are to rule on.")] = "",
    where: Annotated[str, typer.Option(help="Where they can answer.")] = "",
    reason: Annotated[str, typer.Option(help="What was found.")] = "",
    token: Token = None,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Put an item aside for a person's ruling; the way out must be named in full."""
    from plastic.rules.backlog.items import Route
    from plastic.work.backlog.claims import fence
    from plastic.work.backlog.leaving import leave, own_fence

    route = Route(owner, topic, question, where, reason)
    with backlog(project, session) as found:
        mine = own_fence(found, which)
        mine = fence(token, secret) or mine
        change = found.store.park(which, mine, found.actor, route)
        text = f"{change.item.id}  parked: {owner} rules on {question}"
        text += leave(found, change.item.id)
        changed(found, change, text, as_json=as_json)


def unpark(
    which: Which, project: Project = "", session: Session = "", as_json: AsJson = False
) -> None:
    """Bring a parked item back; a person does that, and types the id."""
    from plastic.work.backlog.author import as_person

    with backlog(project, session) as found:
        change = as_person(found, os.environ, which, "unpark", found.store.unpark)
        changed(found, change, f"{change.item.id}  live again", as_json=as_json)


def reconcile(
    which: Which,
    state: Annotated[str, typer.Option(help="live or complete.")],
    token: Token = None,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Give an item with an unknown state a known one, under `claim --admin`."""
    mine = presented(token, secret)
    with backlog(project, session) as found:
        change = found.store.reconcile(which, mine, found.actor, state)
        changed(found, change, f"{change.item.id}  {state}", as_json=as_json)


def sweep(project: Project = "", session: Session = "", as_json: AsJson = False) -> None:
    """Park what was tried too often and nobody holds; a second sweep does nothing."""
    with backlog(project, session) as found:
        parked = found.store.sweep()
    text = f"parked: {', '.join(parked)}" if parked else "nothing to park"
    emit({"parked": parked}, text, as_json=as_json)
