"""Move a lock to another session: by its owner, or by a person when the owner's id is gone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import files
from plastic.disk.command import again
from plastic.disk.failpoints import point
from plastic.disk.journal import note
from plastic.disk.locks import intent_guard
from plastic.rules.lock.events import milestone
from plastic.words import Held, Usage
from plastic.work.backlog.bound import follow
from plastic.work.fence import ref as fence
from plastic.work.lock import claims
from plastic.work.lock.handover import commit, hand_over
from plastic.work.lock.issue import grant_for
from plastic.work.lock.refuse import lost, not_held, refusal, require_owner
from plastic.work.lock.verb import SESSION_MAX, acquired_at, caller_for, row, seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView

HEARD = 60.0  # seconds in which an owner's sign of life stops a transfer on its behalf


class Moved(NamedTuple):
    """The lock after a transfer; `done` is False when the new owner held it already."""

    view: LockView
    previous: str
    done: bool


def transfer(home: Home, intent: Intent, caller: Caller, to: str) -> Moved:
    """Give one's own lock to the session `to`; nothing to do when it holds it already."""
    new = _checked(to)
    session = caller_for(home, intent, caller).session
    repo = fence.repo_of(home, intent, seen(intent))
    moved = _give(home, intent, session, new, repo)
    return _committed(home, intent, moved)


def _committed(home: Home, intent: Intent, moved: Moved) -> Moved:
    if moved.done:
        commit(home, intent, f"Transfer {intent.name}")
    return moved


def _give(home: Home, intent: Intent, session: str, new: str, repo: str | None) -> Moved:
    with intent_guard(intent.dir):
        view = seen(intent)
        if view.lock is not None and view.lock.owner == new:
            # A try that was killed behind the lock is finished here.
            claims.rename(intent, view, session, new)
            follow(home, intent, view.lock)
            return Moved(view, session, done=False)
        require_owner(intent, view, session, f"of {intent.name} transfers its lock")
        return _move(home, intent, view, session, new, repo)


def transfer_from(home: Home, intent: Intent, old: str, to: str, expected: int) -> Moved:
    """Move the lock of a session that is gone; the caller has made sure that a person asks."""
    new = _checked(to)
    repo = fence.repo_of(home, intent, seen(intent))
    moved = _give_from(home, intent, old, new, expected, repo)
    return _committed(home, intent, moved)


def _give_from(
    home: Home, intent: Intent, old: str, new: str, expected: int, repo: str | None
) -> Moved:
    with intent_guard(intent.dir):
        view = seen(intent, files.fs_now(intent.dir))
        lock = view.lock
        if view.state == "none":
            raise not_held(intent)
        if lock is None:
            raise refusal(intent, view)
        if lock.owner == new and lock.owner != old:
            claims.rename(intent, view, old, new)
            follow(home, intent, view.lock)
            return Moved(view, old, done=False)
        if lock.owner != old or lock.token != expected:
            raise lost(intent, view, f"{intent.name} is not held by {old} under token {expected}")
        if view.age is not None and view.age < HEARD:
            raise Held(
                "heard",
                f"{old} was heard {max(0.0, view.age):.0f} s ago: it is not gone",
                run=f"sleep {math.ceil(HEARD - view.age) + 1} && {again()}",
                who=old,
                since=acquired_at(view),
            )
        return _move(home, intent, view, old, new, repo)


def _checked(to: str) -> str:
    new = to.strip()
    if not new or len(new) > SESSION_MAX or not new.isprintable():
        raise Usage(
            "session", f"this is no session id: {to[:40]!r}", run="plastic-lock transfer --help"
        )
    return new


def _move(
    home: Home, intent: Intent, view: LockView, old: str, new: str, repo: str | None
) -> Moved:
    lock = view.lock
    assert lock is not None
    text = milestone("transfer", new, old, lock.token)
    grant = hand_over(
        home, intent, lock, grant_for(new, lock.ttl, None), repo, "transfer", text, STEPS
    )
    after = seen(intent)
    claims.rename(intent, after, old, new)
    point("transfer.claims")
    note(home, "transfer", **row(intent, new, grant.token, grant.acq, previous=old))
    follow(home, intent, after.lock)
    return Moved(after, old, done=True)


STEPS = {
    "counted": lambda: point("transfer.counted"),
    "fenced": lambda: point("transfer.fenced"),
    "audited": lambda: point("transfer.audited"),
    "replaced": lambda: point("transfer.replaced"),
}
