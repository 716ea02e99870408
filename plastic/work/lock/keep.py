"""Run a command and keep the lease alive while it runs: no tool event can, for an hour of tests."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk.journal import note
from plastic.disk.lockfile import beat
from plastic.disk.locks import intent_guard
from plastic.disk.process import attached
from plastic.rules.lock.lease import BEAT_EVERY
from plastic.words import Refused
from plastic.work.lock.refuse import command, lost, not_held, refusal
from plastic.work.lock.verb import caller_for, relation, row, seen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView

SHARE = 4  # beats in one ttl, at least
PRESENTED = "PLASTIC_TOKEN"  # what the fence asks for: under which token somebody came


def renew(home: Home, intent: Intent, caller: Caller) -> LockView:
    """One heartbeat by the owner or a delegate at work, or the reason why it counts for nothing."""
    session = caller_for(home, intent, caller).session
    _must_hold(intent, seen(intent), session)
    with intent_guard(intent.dir):
        view = seen(intent)
        _must_hold(intent, view, session)
        if not beat(view, session, every=0, guarded=True):
            raise Refused(
                "no-heartbeat",
                f"this delegate of {intent.name} is marked as finished or failed",
                run=command("status", intent),
                who=view.lock.owner if view.lock is not None else None,
            )
        if view.state == "stale" and view.lock is not None:
            fields = row(intent, session, view.lock.token, view.lock.acq, age=round(view.age or 0))
            note(home, "lapsed", **fields)
    return seen(intent)


def _must_hold(intent: Intent, view: LockView, session: str) -> None:
    if view.state == "none":
        raise not_held(intent)
    if relation(view, session) not in ("owner", "delegate"):
        raise refusal(intent, view)


def keep(
    home: Home,
    intent: Intent,
    caller: Caller,
    argv: Sequence[str],
    say: Callable[[str], None],
    token: int | None = None,
) -> int:
    """Run `argv` in the foreground and beat for this session until it ends; its exit code.

    With a token nothing is run unless the lock has it still. The program presents the token to the
    fence: what it leaves running is refused there once the lock has gone on. A lock that changes
    hands meanwhile does not end the command: it is told at once, and the result is refused.
    """
    session = caller_for(home, intent, caller).session
    first = renew(home, intent, caller)
    mine = first.lock
    if mine is None or (token is not None and mine.token != token):
        raise lost(intent, first, f"token {token} is not the current one, so nothing was run")
    every = min(BEAT_EVERY, mine.ttl / SHARE)
    state = {"next": time.monotonic() + every, "lost": 0.0}

    def tick() -> None:
        if state["lost"] or time.monotonic() < state["next"]:
            return
        state["next"] = time.monotonic() + every
        view = seen(intent)
        if view.lock is None or (view.lock.acq, view.lock.owner) != (mine.acq, mine.owner):
            state["lost"] = time.monotonic()
            say(f"{intent.name} changed hands while the command runs: its result must not be used")
        else:
            beat(view, session, every=0)

    code = attached(argv, tick, {PRESENTED: f"{intent.id}:{mine.token}"})
    view = seen(intent)
    if view.lock is None or view.lock.acq != mine.acq:
        raise lost(intent, view, f"{intent.name} changed hands while the command ran (rc {code})")
    return code
