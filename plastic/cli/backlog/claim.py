"""`plastic backlog claim`, `renew`, `release`: who works on what, for how long."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.backlog.options import (
    AsJson,
    Lease,
    Project,
    Secret,
    Session,
    Token,
    Which,
    backlog,
    presented,
)
from plastic.cli.backlog.text import taken, when
from plastic.cli.door import emit
from plastic.words import Usage


def claim(
    which: Annotated[str, typer.Argument(metavar="[ID]", help="An item; or --next.")] = "",
    next_: Annotated[
        bool, typer.Option("--next", help="The first that is ready and disjoint from the rest.")
    ] = False,
    owner: Annotated[str, typer.Option(help="Who works; default: the session.")] = "",
    lease: Lease = None,
    takeover: Annotated[
        bool, typer.Option("--takeover", help="From a holder whose lease ran out long ago.")
    ] = False,
    from_: Annotated[str, typer.Option("--from", metavar="O", help="That holder.")] = "",
    token: Annotated[
        int | None, typer.Option("--token", metavar="N", help="The token of that holder.")
    ] = None,
    branch: Annotated[str, typer.Option(help="The branch of that holder, if it has one.")] = "",
    held: Annotated[
        int | None, typer.Option(metavar="N", help="The token that you had before your lapse.")
    ] = None,
    wait: Annotated[
        float | None, typer.Option(metavar="S", help="Ask again for so many seconds.")
    ] = None,
    admin: Annotated[
        bool, typer.Option("--admin", help="To repair the item, not to work on it.")
    ] = False,
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Take an item under a lease; every later write presents the token that this prints."""
    from plastic.work.backlog import claimshown
    from plastic.work.backlog.author import drifted
    from plastic.work.backlog.branches import proposed
    from plastic.work.backlog.claims import claim as take
    from plastic.work.backlog.claims import taking_over

    if bool(which) == next_:
        raise Usage("what", "name one item, or --next", run="plastic backlog ready")
    with backlog(project, session) as found:
        after = taking_over(found, from_, token, branch) if takeover else None
        granted = take(
            found,
            which or None,
            owner or found.name,
            lease=lease,
            kind="admin" if admin else "work",
            takeover=after,
            held=held,
            wait=wait,
        )
        item = found.need(granted.id)
        stale = drifted(found, item)
    one = {**claimshown.granted(granted), "title": item.title, "base": item.base}
    one |= {
        "branch": proposed(item) or None,
        "location": item.location,
        "note": item.note,
        "stale_anchors": stale,
    }
    emit(one, taken(one), as_json=as_json)


def renew(
    which: Which,
    token: Token = None,
    lease: Lease = None,
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Move the end of your lease, counted from now; one that has run out is claimed again."""
    from plastic.work.backlog import claimshown
    from plastic.work.backlog.claims import renew as move

    mine = presented(token, secret)
    with backlog(project, session) as found:
        one = claimshown.renewed(move(found, which, mine, lease))
    text = f"{one['id']}  until {when(one['lease_expires_at'])} ({one['lease_seconds']:.0f} s)"
    text += ": earlier than before" if one["lease_shortened"] else ""
    emit(one, text, as_json=as_json)


def release(
    which: Which,
    token: Token = None,
    note: Annotated[str, typer.Option(help="For who comes next: done, left.")] = "",
    location: Annotated[str, typer.Option(help="Branch, pull request, commit.")] = "",
    secret: Secret = "",
    project: Project = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Give the item back unfinished, with a resume note."""
    from plastic.work.backlog import claimshown
    from plastic.work.backlog.claims import release as give
    from plastic.work.backlog.leaving import leave

    mine = presented(token, secret)
    with backlog(project, session) as found:
        one = claimshown.released(give(found, which, mine, text=note, location=location))
        left = leave(found, one["id"])
    emit(one, f"{one['id']}  released, token {one['fencing_token']}{left}", as_json=as_json)
