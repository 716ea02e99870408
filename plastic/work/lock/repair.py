"""The ONE repair behind `fix` and `start`: from any state of a lock to a healthy one."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk import files, held
from plastic.disk.gitdir import common_of
from plastic.disk.lockedits import date
from plastic.disk.lockfile import GUARD
from plastic.disk.locks import intent_guard, repo_guard, try_guard
from plastic.disk.worktrees import admin_dir
from plastic.rules.intent.names import split
from plastic.rules.lock.lease import SETTLE, worktree
from plastic.work.backlog.board import board
from plastic.work.fence.install import install
from plastic.work.lock.bridge import write_bridge
from plastic.work.lock.refuse import lost, refusal
from plastic.work.lock.verb import caller_for, path_of, seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView
    from plastic.work.lock.acquire import Armed

LITTER_AGE = 3600.0  # seconds; a temp file of a killed write
OBSERVED = 5.0  # seconds between two looks at a heartbeat that lies in the future


class Report(NamedTuple):
    """What a repair found and did."""

    armed: Armed
    actions: list[str]


def repair(
    home: Home, intent: Intent, caller: Caller, provenance: dict[str, str | None] | None = None
) -> Report:
    """Make the lock, held/ and the bridge of this intent whole; running it again changes nothing.

    Nothing held: acquired. Mine: rearmed. Not readable: healed once it is settled. Somebody
    else's: refused, whatever its state.
    """
    who = caller_for(home, intent, caller)
    armed = board(home, intent, who, provenance).armed
    actions = [_DONE[armed.how]]
    actions += [f"removed {name}" for name in sweep(intent)]
    if not held.is_complete(home):
        actions.append(f"held/ rebuilt: {rescan(home)} locks")
    if _fenced(home, intent, armed.view):
        actions.append("fence put up")
    if write_bridge(home, intent, who.session):
        actions.append("bridge written")
    return Report(armed, actions)


_DONE = {
    "acquired": "lock acquired",
    "rearmed": "lock kept",
    "healed": "unreadable lock set aside, lock acquired",
}


def _fenced(home: Home, intent: Intent, view: LockView) -> bool:
    """Put up the fence of the lock's worktree; False where it stands, or there is none."""
    tree = worktree(view.lock) if view.lock is not None else None
    common = common_of(str(tree["path"])) if tree is not None else None
    if tree is None or common is None:
        return False
    with repo_guard(common):
        admin = admin_dir(common, str(tree["path"]))
        return admin is not None and install(home, common, admin, intent)


def sweep(intent: Intent) -> list[str]:
    """Remove temp files that killed writes left, once no writer can still be at them."""
    gone = []
    with intent_guard(intent.dir):
        now = files.fs_now(intent.dir)
        for name in files.names(intent.dir):
            if name.startswith(".delivery.") and name.endswith(".tmp"):
                found = files.lstat(f"{intent.dir}/{name}")
                if found is not None and now - found.st_mtime > LITTER_AGE:
                    gone += [name] if files.remove(f"{intent.dir}/{name}") else []
    return gone


def rescan(home: Home) -> int:
    """Link every lock of every store in held/, drop links to nothing, and call it complete.

    An acquire links before its lock appears, so that the scan can miss none.
    """
    count = 0
    for store in _stores(home):
        for name in files.names(store):
            if split(name) is not None and files.exists(f"{store}/{name}/delivery.lock"):
                held.mend(home, f"{store}/{name}/delivery.lock")
                count += 1
    for name in files.names(home.held):
        if name != held.MARK:
            _drop_dangling(home, f"{home.held}/{name}")
    held.mark_complete(home)
    return count


def _stores(home: Home) -> list[str]:
    projects = [name for name in files.names(f"{home.root}/projects") if not name.startswith(".")]
    return [home.store(None), *(home.store(name) for name in projects)]


def _drop_dangling(home: Home, link: str) -> None:
    """Only under the intent's guard: an acquire links first and locks second."""
    target = held.target(link)
    place = home.locate(target) if target is not None else None
    if target is None or place is None or place.kind != "intent":
        held.forget(link)
        return
    if not files.is_dir(place.intent):
        held.forget(link)
        return
    with try_guard(f"{place.intent}/{GUARD}") as free:
        if free and not files.exists(target):
            held.forget(link)


def observe(
    home: Home, intent: Intent, caller: Caller, say: Callable[[str], None]
) -> dict[str, Any]:
    """Watch a heartbeat that lies in the future for one ttl of our own clock, then date it back.

    Silent all that time, it is stale afterwards: an ordinary `reclaim` decides. A sign of life or
    another owner ends the watch.
    """
    who = caller_for(home, intent, caller)
    first = seen(intent)
    if first.state != "future" or (first.lock is not None and first.lock.owner == who.session):
        report = repair(home, intent, caller)
        return {"state": report.armed.view.state, "actions": report.actions}
    assert first.lock is not None
    ttl = first.lock.ttl
    say(f"watching {path_of(intent)} for {math.ceil(ttl)} s; nothing is changed until then")
    start = time.monotonic()
    while time.monotonic() - start <= ttl:
        time.sleep(min(OBSERVED, ttl / 20))
        _must_be_same(intent, first)
    with intent_guard(intent.dir):
        _must_be_same(intent, first)
        date(path_of(intent), files.fs_now(intent.dir) - (time.monotonic() - start) - SETTLE)
    return {"state": seen(intent).state, "actions": ["heartbeat dated back"]}


def _must_be_same(intent: Intent, first: LockView) -> None:
    view = seen(intent)
    assert first.lock is not None
    if view.lock is None or view.lock.acq != first.lock.acq:
        raise lost(intent, view, f"{intent.name} changed hands meanwhile")
    if view.heartbeat != first.heartbeat:
        raise refusal(intent, view)
