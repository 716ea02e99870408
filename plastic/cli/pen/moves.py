"""Verbs that move the pen: claim, append, release, pause, resume, cooldown, done."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.pen.door import (
    Agent,
    AsJson,
    Epoch,
    Force,
    PenId,
    Reason,
    Session,
    To,
    acting,
    desk,
    show,
)

if TYPE_CHECKING:
    from plastic.work.pen.desk import Desk

Line = Annotated[str, typer.Option(help="One line of the turn.")]


def _move(where: Desk, verb: str, code: str, *, as_json: bool, **wish: Any) -> None:
    """One move of the pen, and what is said about it."""
    from plastic.rules.pen.block import holder
    from plastic.work.pen.desk import Wish
    from plastic.work.pen.move import move
    from plastic.work.pen.turn import check
    from plastic.work.pen.view import facts

    wanted = Wish(**wish)
    for field in ("reason", "scope"):
        check(where, field, getattr(wanted, field))
    moved = move(where, verb, wanted)
    old = moved.before.get("holder", "-")
    if code == "claim":
        code = {"force": "force", "": "refresh"}.get(moved.move.event, code)
    said = where.said(code, to=wanted.to, old=old, **dict(moved.pen.fields))
    took = holder(moved.pen) == where.me
    show((facts(where, moved.pen, took=took), said), as_json=as_json)


def claim(
    agent: Agent = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Only prolong; open nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Take over an expired pen.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say whether it would do.")] = False,
    files: Annotated[str, typer.Option(help="With --check: what you mean to write.")] = "",
    turns: Annotated[int | None, typer.Option(help="With --check: look at so many.")] = None,
    pen_id: PenId = "",
    epoch: Epoch = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Take the pen, or prolong your window; exactly one of those who try gets it."""
    from plastic.work.pen.check import readiness

    with acting("claim", session, agent) as where:
        if check:
            seen, text, ready = readiness(where, files, turns)
            show((seen, text), as_json=as_json, is_yet=ready)
            return
        if refresh and force:
            raise where.usage("prolong-or-take")
        if files or turns is not None:
            raise where.usage("check-only")
        verb = "claim --refresh" if refresh else "claim --force" if force else "claim"
        _move(where, verb, "claim", as_json=as_json, pen_id=pen_id, epoch=epoch, force=force)


def append(
    agent: Agent = None,
    to: To = ...,  # type: ignore[assignment]
    ask: Line = "",
    done: Line = "",
    files: Annotated[str, typer.Option(help="What you changed, with commas.")] = "",
    body: Annotated[str, typer.Option(help="A file with the message, - for stdin.")] = "",
    branch: Line = "",
    commit: Line = "",
    tests: Line = "",
    next_: Annotated[str, typer.Option("--next", help="One line of the turn.")] = "",
    blocked_on: Line = "",
    field: Annotated[list[str] | None, typer.Option(help="KEY=VALUE, a line of your own.")] = None,
    allow_large_body: Annotated[bool, typer.Option("--allow-large-body")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Then wait for your next turn.")] = False,
    timeout: Annotated[float | None, typer.Option(help="With --wait: seconds.")] = None,
    pen_id: PenId = "",
    epoch: Epoch = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Write your turn and hand the pen over."""
    from plastic.work.pen.desk import Wish
    from plastic.work.pen.turn import Content
    from plastic.work.pen.turn import append as write
    from plastic.work.pen.view import facts

    lines = {"ask": ask, "done": done, "files": files, "branch": branch, "commit": commit}
    lines |= {"tests": tests, "next": next_, "blocked_on": blocked_on}
    with acting("append", session, agent) as where:
        content = Content(lines, field or [], partial(_body, where, body), allow_large_body)
        moved = write(where, Wish(to=to, pen_id=pen_id, epoch=epoch), content)
        said = where.said("append", turn=moved.pen.get("turn"), to=moved.pen.get("holder"))
        if wait:
            from plastic.cli.pen.reads import waited

            waited(where, timeout, as_json=as_json)
        else:
            show((facts(where, moved.pen), said), as_json=as_json)


def _body(where: Desk, body: str, most: int) -> str:
    if body == "-":
        stream = getattr(sys.stdin, "buffer", None)  # bytes that are no text come as well
        return stream.read(most).decode("utf-8", "replace") if stream else sys.stdin.read(most)
    return where.body_file(body) if body else ""


def release(
    agent: Agent = None,
    to: To = "",
    force: Force = False,
    reason: Reason = "",
    pen_id: PenId = "",
    epoch: Epoch = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Hand the pen over without a turn."""
    verb = "release --force" if force else "release"
    own = {"pen_id": pen_id, "epoch": epoch}
    with acting("release", session, agent) as where:
        _move(where, verb, "release", as_json=as_json, to=to, reason=reason, force=force, **own)


def done(
    agent: Agent = None,
    force: Force = False,
    reason: Reason = "",
    pen_id: PenId = "",
    epoch: Epoch = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """End the session."""
    verb = "done --force" if force else "done"
    own = {"pen_id": pen_id, "epoch": epoch}
    with acting("done", session, agent) as where:
        _move(where, verb, "closed", as_json=as_json, reason=reason, force=force, **own)


def pause(
    agent: Agent = None,
    reason: Reason = "",
    pen_id: PenId = "",
    epoch: Epoch = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Park the session until somebody gives it a new scope."""
    own = {"pen_id": pen_id, "epoch": epoch}
    with acting("pause", session, agent) as where:
        _move(where, "pause", "pause", as_json=as_json, reason=reason, **own)


def resume(
    agent: Agent = None,
    scope: Annotated[str, typer.Option(help="What is to be done; a person needs none.")] = "",
    reason: Reason = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Go on after a pause; AGENT gets the turn."""
    with acting("resume", session, agent) as where:
        _move(where, "resume", "resume", as_json=as_json, reason=reason, scope=scope)


def cooldown(
    until: Annotated[str, typer.Option(help="UTC, such as 2026-06-22T18:00:00Z.")],
    reason: Reason = "",
    for_: Annotated[str, typer.Option("--for", help="Whose usage limit it is.")] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Another end of a pause.")] = False,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Pause until a usage limit has passed; nobody resumes before."""
    from plastic.work.pen.desk import Wish
    from plastic.work.pen.move import move
    from plastic.work.pen.turn import check
    from plastic.work.pen.view import facts

    with desk("cooldown", session) as where:
        check(where, "reason", reason)
        wish = Wish(reason=reason, until=until, whom=for_)
        moved = move(where, "cooldown --replace" if replace else "cooldown", wish)
        said = where.said("cooled", until=until, whom=for_ or "any")
        show((facts(where, moved.pen, until=until, whom=for_ or None), said), as_json=as_json)
