"""Verbs that look at the pen: status, next, wait, peek, turn, log, guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import say
from plastic.cli.pen.door import Agent, AsJson, Epoch, PenId, Session, acting, desk, show

if TYPE_CHECKING:
    from plastic.work.pen.desk import Desk

Once = Annotated[bool, typer.Option("--once", help="Look once; 3 when it is not yet time.")]
Timeout = Annotated[float | None, typer.Option(help="Seconds; 3 when they are over.")]


def status(
    agent: Agent = None,
    for_: Annotated[str, typer.Option("--for", help="For whom the next step is named.")] = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Whose turn it is, since when, and the next step."""
    from plastic.work.pen.view import status as look

    with desk("status", session) as where:
        show(look(where, agent or for_ or None), as_json=as_json)


def wait(
    agent: Agent = None,
    once: Once = False,
    timeout: Timeout = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Wait for your turn; the file is watched, nothing is polled in a storm."""

    with acting("wait", session, agent) as where:
        waited(where, 0.0 if once else timeout, as_json=as_json)


def waited(where: Desk, timeout: float | None, *, as_json: bool) -> None:
    """Wait and print how it ended."""
    from plastic.work.pen.wait import wait as watch

    found, text, is_over = watch(where, timeout, lambda _: None if as_json else say(_))
    show((found, text), as_json=as_json, is_yet=is_over)


def next_(
    agent: Agent = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the turn first.")] = False,
    once: Once = False,
    timeout: Timeout = None,
    force: Annotated[bool, typer.Option("--force", help="Take over an expired pen.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="End a pause first.")] = False,
    scope: Annotated[str, typer.Option(help="With --resume: what is to be done.")] = "",
    reason: Annotated[str, typer.Option(help="With --resume: one line.")] = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """If it is your turn: claim, and show what was handed over."""
    from plastic.work.pen.desk import Wish
    from plastic.work.pen.next import take

    with acting("next", session, agent) as where:
        patience = timeout if wait and not once else 0.0
        if timeout is not None and not once:
            patience = timeout
        wish = Wish(reason=reason, scope=scope, force=force)
        found, text, is_over = take(where, wish, patience, is_resume=resume)
        show((found, text), as_json=as_json, is_yet=is_over)


def peek(agent: Agent = None, session: Session = "", as_json: AsJson = False) -> None:
    """Show the newest turn that is addressed to you; then it counts as read."""
    from plastic.work.pen.read import peek as look

    with acting("peek", session, agent) as where:
        found, text, is_open = look(where)
        show((found, text), as_json=as_json, is_yet=is_open)


def turn(
    number: Annotated[int, typer.Argument(metavar="N")],
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Show one turn, also one of the archive."""
    from plastic.work.pen.read import turn as look

    with desk("turn", session) as where:
        show(look(where, number), as_json=as_json)


def log(
    limit: Annotated[int, typer.Option(help="So many of the newest; 0 for all.")] = 0,
    all_: Annotated[bool, typer.Option("--all", help="The archive as well.")] = False,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """One line a turn: N FROM -> TO, files, what was done."""
    from plastic.work.pen.read import log as look

    with desk("log", session) as where:
        show(look(where, limit, archived=all_), as_json=as_json)


def guard(
    agent: Agent = None,
    pen_id: PenId = "",
    epoch: Epoch = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """May you write at this moment? 0 yes, 3 no."""
    from plastic.work.pen.read import guard as look

    with acting("guard", session, agent) as where:
        found, text, may = look(where, pen_id, epoch)
        show((found, text), as_json=as_json, is_yet=may)
