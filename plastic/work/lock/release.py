"""Give a lock back: claims, lock, link, in this order; the counter stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk import files, held
from plastic.disk.failpoints import point
from plastic.disk.journal import note
from plastic.disk.locks import intent_guard
from plastic.work.backlog.bound import give_back
from plastic.work.lock import claims
from plastic.work.lock.bridge import forget, purge
from plastic.work.lock.refuse import lost, require_owner
from plastic.work.lock.verb import caller_for, path_of, relation, row, seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView


def release(home: Home, intent: Intent, caller: Caller) -> str:
    """`released` by the owner, `none` where there was no lock; everybody else is refused."""
    session = caller_for(home, intent, caller).session
    with intent_guard(intent.dir):
        view = seen(intent)
        if relation(view, session) == "none":
            held.drop(home, intent)
            return "none"
        require_owner(intent, view, session, f"releases {intent.name}")
        if view.lock is not None:
            give_back(home, intent, view.lock)
            point("item.released")
        remove(home, intent, view)
    forget(intent, session)
    purge(home, session)
    return "released"


def release_acquisition(home: Home, intent: Intent, acq: str) -> bool:
    """Undo exactly one acquisition; False when the lock is no longer that one."""
    with intent_guard(intent.dir):
        view = seen(intent)
        if view.lock is None or not acq or view.lock.acq != acq:
            return False
        remove(home, intent, view)
    return True


def clear_lock(home: Home, intent: Intent, acq: str) -> None:
    """End's last lock step, under the guard that End holds: only the acquisition that it began
    with; a lock that is gone already is what it wanted.
    """
    view = seen(intent)
    if view.state == "none":
        held.drop(home, intent)
        return
    if view.lock is None or view.lock.acq != acq:
        raise lost(intent, view, f"{intent.name} changed hands meanwhile")
    remove(home, intent, view)


def remove(home: Home, intent: Intent, view: LockView) -> None:
    """Take the lock away (under the guard); a kill leaves at most a link to nothing."""
    claims.clear(intent)
    point("release.claims")
    files.remove(path_of(intent))
    files.sync_dir(intent.dir)
    point("release.unlocked")
    held.drop(home, intent)
    point("release.unlinked")
    if view.lock is not None:
        lock = view.lock
        note(home, "release", **row(intent, lock.owner, lock.token, lock.acq))
