"""Take a lock that is free, rearm one's own, heal one that nobody can read."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk import files, held, token
from plastic.disk.clock import iso
from plastic.disk.failpoints import point
from plastic.disk.journal import note
from plastic.disk.lockedits import set_aside
from plastic.disk.lockfile import beat
from plastic.disk.locks import intent_guard
from plastic.rules.lease import SETTLE
from plastic.rules.lock import Grant, in_order, next_lock
from plastic.work import claims, fence
from plastic.work.lock import (
    caller_for,
    corrupt,
    encoded,
    host,
    lost,
    path_of,
    refusal,
    relation,
    seen,
    unreadable,
    write,
)

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, Lock, LockView
    from plastic.work.fence import Fence


class Armed(NamedTuple):
    """The lock after `arm`; `new` says that this call made it, so that a failed boarding undoes it.

    `how` is acquired, rearmed or healed. A delegate boards on its owner's lock: rearmed.
    """

    view: LockView
    how: str
    new: bool

    @property
    def lock(self) -> Lock:
        """The lock that is held now."""
        assert self.view.lock is not None
        return self.view.lock


def arm(
    home: Home,
    intent: Intent,
    caller: Caller,
    provenance: dict[str, str | None] | None = None,
    ttl: float = 1800,
    repo: str | None = None,
    floor: int = 0,
) -> Armed:
    """Make this session the owner, or refuse and change nothing.

    `provenance` has the keys mode, harness, agent, model, thread; `repo` is the repository that
    carries the fence; `floor` a token that the next one must exceed (a backlog item's).
    """
    session = caller_for(home, intent, caller).session
    _may_board(intent, seen(intent), session)
    with intent_guard(intent.dir):
        view = seen(intent)
        _may_board(intent, view, session)
        grant = Grant(
            session, 0, str(uuid.uuid4()), iso(), host(), round(ttl), dict(provenance or {})
        )
        kind = relation(view, session)
        if kind == "owner":
            return Armed(rearm(home, intent, view, grant, repo), "rearmed", new=False)
        if kind == "delegate":
            held.add(home, intent)
            beat(view, session, every=0, guarded=True)
            return Armed(seen(intent), "rearmed", new=False)
        if kind == "corrupt":
            heal(home, intent, session)
        made = acquire(home, intent, grant, repo, floor)
        return Armed(made, "healed" if kind == "corrupt" else "acquired", new=True)


def _may_board(intent: Intent, view: LockView, session: str) -> None:
    kind = relation(view, session)
    if kind == "foreign":
        raise refusal(intent, view)
    if kind == "corrupt":
        settled = view.age is None or view.age > SETTLE
        if not settled or unreadable(path_of(intent)) is not None:
            raise corrupt(intent, view)


def heal(home: Home, intent: Intent, session: str) -> str:
    """Set a lock that nobody can read aside (under the guard), bytes and all; its new name."""
    kept = set_aside(path_of(intent))
    point("fix.set_aside")
    note(home, "heal", intent=intent.id, session=session, kept=kept)
    return kept


def next_token(home: Home, intent: Intent, known: int, found: Fence | None, floor: int = 0) -> int:
    """One more than every token that anybody can know of; a lost counter asks the journal too."""
    counted = token.counter(intent.dir)
    if counted is None:
        counted = token.journalled(home, intent.id)
    return max(counted, known, found.token if found is not None else 0, floor) + 1


def acquire(home: Home, intent: Intent, grant: Grant, repo: str | None, floor: int = 0) -> LockView:
    """Make the lock where there is none (under the guard): link, counter, fence, lock, in order."""
    old = fence.read(repo, intent)
    moved = None
    try:
        held.add(home, intent)
        point("lock.linked")
        grant = grant._replace(token=next_token(home, intent, 0, old, floor))
        token.count(intent.dir, grant.token)
        point("lock.counted")
        moved = fence.move(repo, intent, grant.token, grant.acq, old)
        point("lock.fenced")
        claims.clear(intent)
        made = files.publish(path_of(intent), encoded(next_lock("acquire", None, grant)))
        point("lock.published")
    except BaseException:
        _unmake(home, intent, grant.acq)
        fence.undo(repo, intent, moved, old)
        raise
    view = seen(intent)
    if not made:
        # Somebody without our guard made a lock at this very moment: it stands.
        fence.undo(repo, intent, moved, old)
        raise refusal(intent, view)
    note(home, "acquire", **row(intent, grant.session, grant.token, grant.acq))
    return view


def _unmake(home: Home, intent: Intent, acq: str) -> None:
    """Leave no lock of an acquisition that failed after all (its directory could not be synced)."""
    view = seen(intent)
    if view.lock is not None and view.lock.acq == acq:
        files.remove(path_of(intent))
        view = seen(intent)
    if view.state == "none":
        held.drop(home, intent)


def row(intent: Intent, session: str, number: int, acq: str, **more: object) -> dict[str, object]:
    """The fields of a journal row about a lock."""
    return {"intent": intent.id, "session": session, "token": number, "acq": acq, **more}


def rearm(home: Home, intent: Intent, view: LockView, grant: Grant, repo: str | None) -> LockView:
    """Renew one's own lock (under the guard) and repair what belongs to it.

    The token stays, unless somebody raised past it: a takeover that was killed before the lock
    changed hands, or the same intent in another home. Then this session must pass the fence again.
    """
    lock = view.lock
    assert lock is not None
    held.add(home, intent)
    raw = next_lock("rearm", lock.raw, grant._replace(token=lock.token))
    acq = str(raw["acq"])
    old = fence.read(repo, intent)
    number = lock.token
    if fence.is_overtaken(old, number, acq):
        number = next_token(home, intent, number, old)
    if (token.counter(intent.dir) or 0) < number:
        token.count(intent.dir, number)
    if repo is not None and (old is None or (old.token, old.acq) != (number, acq)):
        fence.move(repo, intent, number, acq, old)
    raw["token"] = number
    after = write(intent, raw)
    claims.clear_strangers(intent, after)
    event = "rearm" if view.state != "stale" else "lapsed"
    note(home, event, **row(intent, grant.session, number, acq, age=round(view.age or 0)))
    return after


def set_worktree(
    home: Home, intent: Intent, acq: str, owner: str, worktree: dict[str, Any] | None
) -> LockView:
    """Record the worktree in the lock of exactly this acquisition; Lost when it is not current."""
    return _set(home, intent, acq, owner, "worktree", worktree)


def set_item(home: Home, intent: Intent, acq: str, owner: str, item: str | None) -> LockView:
    """Bind a backlog item to the lock of exactly this acquisition."""
    return _set(home, intent, acq, owner, "item", item)


def _set(home: Home, intent: Intent, acq: str, owner: str, key: str, value: object) -> LockView:
    with intent_guard(intent.dir):
        view = seen(intent)
        if view.lock is None or view.lock.acq != acq or view.lock.owner != owner:
            raise lost(intent, view, f"{intent.name} changed hands meanwhile")
        if view.lock.raw.get(key) == value and key in view.lock.raw:
            return view
        held.add(home, intent)
        return write(intent, in_order({**view.lock.raw, key: value}))
