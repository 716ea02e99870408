"""Verbs of the lock itself: look, take, repair, give back, take over, hand over."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from plastic.cli.door import emit, say
from plastic.cli.lock.options import (
    Agent,
    AsJson,
    Harness,
    Mode,
    Model,
    Session,
    Thread,
    Which,
    given_by,
    named,
    place,
    show,
)
from plastic.words import Usage


def who(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Controller, heartbeat, claims and delegates, from the files alone; changes nothing."""
    from plastic.work.lock.who import lines
    from plastic.work.lock.who import who as look

    found = look(place(which, session)[2])
    emit(found, lines(found), as_json=as_json)


def status(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Everything about the lock, and what this session may do."""
    from plastic.work.lock.status import status as look
    from plastic.work.lock.status import text

    where, me, intent = place(which, session)
    found = look(where, intent, me)
    emit(found, text(found), as_json=as_json)


def arm(
    which: Which = None,
    mode: Mode = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Take the lock only, without a worktree; `plastic start` does both."""
    from plastic.work.backlog.board import board

    where, me, intent = place(which, session)
    me = named(where, me, intent)
    armed = board(where, intent, me, given_by(mode, harness, agent, model, thread)).armed
    text = f"{armed.how} {intent.name}, token {armed.token}, owner {armed.lock.owner}"
    show(where, intent, me, text, as_json=as_json, result=armed.how)


def fix(
    which: Which = None,
    observe: Annotated[
        bool, typer.Option(help="Watch a heartbeat that lies in the future for one ttl.")
    ] = False,
    mode: Mode = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Repair lock, held/ and bridge; running it again changes nothing."""
    from plastic.work.lock import repair

    where, me, intent = place(which, session)
    me = named(where, me, intent)
    if observe:
        result = repair.observe(where, intent, me, say)
        text = f"{intent.name}: {', '.join(result['actions'])}; the lock is {result['state']}"
        show(where, intent, me, text, as_json=as_json, result="observed", **result)
        return
    report = repair.repair(where, intent, me, given_by(mode, harness, agent, model, thread))
    text = f"repaired {intent.name}: {', '.join(report.actions)}"
    show(where, intent, me, text, as_json=as_json, result="repaired", actions=report.actions)


def release(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Give the lock back; the worktree stays."""
    from plastic.work.lock.release import release as give_back

    where, me, intent = place(which, session)
    result = give_back(where, intent, me)
    text = f"released {intent.name}" if result == "released" else f"nobody holds {intent.name}"
    show(where, intent, me, text, as_json=as_json, result=result)


def reclaim(
    which: Which = None,
    token: Annotated[int | None, typer.Option(help="Only while the lock has this token.")] = None,
    despite_evidence: Annotated[
        bool, typer.Option("--despite-evidence", help="Do not wait for signs of work to age.")
    ] = False,
    mode: Mode = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Take over the lock of a session that is silent; its uncommitted work is kept."""
    from plastic.work.lock.takeover import reclaim as take_over

    where, me, intent = place(which, session)
    me = named(where, me, intent)
    given = given_by(mode, harness, agent, model, thread)
    taken = take_over(where, intent, me, given, expected=token, despite=despite_evidence)
    now = taken.view.lock.token if taken.view.lock is not None else 0
    text = f"{taken.how} of {intent.name} from {taken.previous}, token {now}"
    if taken.salvage:
        text += f"\nits work is kept at {taken.salvage}"
    more = {"result": taken.how, "previous": taken.previous, "salvage": taken.salvage}
    show(where, intent, me, text, as_json=as_json, **more)


def transfer(
    which: Which = None,
    to: Annotated[str | None, typer.Option(metavar="SID", help="The new owner.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="SID", help="A person only: the gone owner.")
    ] = None,
    token: Annotated[int | None, typer.Option(help="With --from: the lock's token.")] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Give the lock to another session."""
    from plastic.work.lock.transfer import transfer as give
    from plastic.work.lock.transfer import transfer_from

    if to is None or (from_ is not None) != (token is not None):
        raise Usage(
            "transfer",
            "transfer needs --to, and --from only together with --token",
            run="plastic-lock transfer --help",
        )
    where, me, intent = place(which, session)
    if from_ is not None and token is not None:
        from plastic.disk.person import require_person

        require_person(os.environ, intent.id, f"transfer of {intent.name} from {from_}")
        moved = transfer_from(where, intent, from_, to, token)
    else:
        moved = give(where, intent, me, to)
    result = "transferred" if moved.done else "kept"
    now = moved.view.lock.token if moved.view.lock is not None else 0
    text = f"{result} {intent.name} from {moved.previous} to {to}, token {now}"
    show(where, intent, me, text, as_json=as_json, result=result, previous=moved.previous)
