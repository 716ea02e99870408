"""Take a lock that is free, rearm one's own, heal one that nobody can read."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk import files, held, token
from plastic.disk.compiled import load
from plastic.disk.failpoints import point
from plastic.disk.journal import note
from plastic.disk.lockedits import set_aside
from plastic.disk.lockfile import beat
from plastic.disk.locks import intent_guard
from plastic.rules.intent.index import TERMINAL
from plastic.rules.lock.events import Grant, in_order, next_lock
from plastic.rules.lock.lease import SETTLE
from plastic.words import Broken, Refused
from plastic.work.fence import ref as fence
from plastic.work.intent.index import section_of
from plastic.work.lock import claims
from plastic.work.lock.issue import grant_for, next_token
from plastic.work.lock.rearm import rearm
from plastic.work.lock.refuse import corrupt, lost, refusal, unreadable
from plastic.work.lock.release import release_acquisition
from plastic.work.lock.verb import caller_for, encoded, path_of, relation, row, seen, write
from plastic.work.tree.homes import require_own_in

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, Lock, LockView


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

    @property
    def token(self) -> int:
        """The fencing token of this acquisition."""
        return self.lock.token


def arm(
    home: Home,
    intent: Intent,
    caller: Caller,
    provenance: dict[str, str | None] | None = None,
    ttl: float | None = None,
    repo: str | None = None,
    floor: int = 0,
) -> Armed:
    """Make this session the owner, or refuse and change nothing.

    `provenance` has the keys mode, harness, agent, model, thread; `ttl` is the configured one
    unless given, `repo`, which carries the fence, the project's; `floor` is a token that the next
    one must exceed (a backlog item's).
    """
    session = caller_for(home, intent, caller).session
    view = seen(intent)
    require_boardable(home, intent, view, session)
    repo = repo or fence.repo_of(home, intent, view)
    seconds = load(home).ttl if ttl is None else ttl
    with intent_guard(intent.dir):
        view = seen(intent)
        _may_board(intent, view, session)
        grant = grant_for(session, seconds, provenance)
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


def require_boardable(home: Home, intent: Intent, view: LockView, session: str) -> None:
    """Refuse what arming would refuse, as far as a look can tell."""
    _may_board(intent, view, session)
    if view.state == "none":
        _must_be_open(home, intent)


def _must_be_open(home: Home, intent: Intent) -> None:
    """Nobody delivers what has ended; an INDEX that cannot be read is no proof that it has."""
    try:
        section = section_of(home, intent)
    except Broken:
        return
    if section in TERMINAL:
        raise Refused(
            "terminal",
            f"{intent.name} has ended ({section}): there is nothing to deliver",
            run=shlex.join(["plastic", "show", intent.id]),
        )


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


def acquire(home: Home, intent: Intent, grant: Grant, repo: str | None, floor: int = 0) -> LockView:
    """Make the lock where there is none (under the guard): link, counter, fence, lock, in order."""
    old = fence.read(repo, intent)
    require_own_in(repo, intent, old)
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


def set_worktree(
    home: Home, intent: Intent, armed: Armed, worktree: dict[str, Any] | None
) -> LockView:
    """Record the worktree in the lock of exactly this acquisition; Lost when it is not current."""
    return _set(home, intent, armed.lock, "worktree", worktree)


def undo(home: Home, intent: Intent, armed: Armed) -> bool:
    """Take away the lock that this `arm` made, and no other; the counter stays."""
    return armed.new and release_acquisition(home, intent, armed.lock.acq)


def set_item(home: Home, intent: Intent, armed: Armed, item: str | None) -> LockView:
    """Bind a backlog item to the lock of exactly this acquisition."""
    return _set(home, intent, armed.lock, "item", item)


def _set(home: Home, intent: Intent, mine: Lock, key: str, value: object) -> LockView:
    with intent_guard(intent.dir):
        view = seen(intent)
        if view.lock is None or view.lock.acq != mine.acq or view.lock.owner != mine.owner:
            raise lost(intent, view, f"{intent.name} changed hands meanwhile")
        if view.lock.raw.get(key) == value and key in view.lock.raw:
            return view
        held.add(home, intent)
        return write(intent, in_order({**view.lock.raw, key: value}))
