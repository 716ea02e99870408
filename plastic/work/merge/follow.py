"""Lets a checkout follow its branch to a merge, or brings it back whole; under its index lock."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk import indexlock
from plastic.disk.failpoints import point
from plastic.disk.files import is_dir, remove
from plastic.disk.folders import prune
from plastic.words import Broken
from plastic.work.merge.looks import MISSING, NEW, TORN, looks
from plastic.work.merge.reftransaction import move_back
from plastic.work.merge.room import NOTHING, OPTIONS, refresh

if TYPE_CHECKING:
    from plastic.disk.process import Out
    from plastic.work.merge.reftransaction import Step
    from plastic.work.merge.room import Change
    from plastic.work.merge.seats import Seat

CHECKOUT_TIMEOUT = 3600.0  # seconds; a slow filter
LEAST_GRACE, MOST_GRACE = 0.03, 1.0  # seconds
SHOWN = 6  # paths named in an error


def some(paths: list[str] | tuple[str, ...]) -> str:
    """The first paths of a list, for one line."""
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more


def read_trees(seat: Seat, old: str, new: str, *words: str, keep: tuple[int, ...] = ()) -> Out:
    """Two-way `read-tree -m -u` upon our index; `-n` only asks."""
    env = {"GIT_INDEX_FILE": indexlock.private_path(seat.folder)}
    args = (*OPTIONS, "read-tree", "-m", "-u", *words, old, new)
    return seat.git.run(*args, ok=None, env=env, keep=keep, timeout=CHECKOUT_TIMEOUT)


def finish(seat: Seat, patience: float) -> None:
    """Make our index the real one and let the lock go.

    `git commit` reads the index before it locks it: one that has read the old index must still
    meet the lock, or it would commit the merge away. So the lock stays for as long as a reading
    takes, `patience` being how long ours took.
    """
    indexlock.install(seat.folder)
    point("publish.indexed")
    time.sleep(min(max(LEAST_GRACE, 2 * patience), MOST_GRACE))
    indexlock.clear(seat.folder)


def wrote_nothing(done: Out) -> bool:
    """Whether `read-tree` stopped at its own look at the files, before it changed any."""
    said = ("Cannot merge", "would be overwritten", "would be removed", "would lose untracked")
    return any(text in done.err for text in said)


def undo(
    seat: Seat, step: Step, touched: list[Change] | None, absent: set[str], why: str
) -> Broken:
    """Bring files and branch back to where they were, and say so; people's edits stay.

    `touched` is None when no file was written, `absent` are the paths that were missing before.
    When the way back fails too, the lock stays: the same command finishes later, in the one
    direction or the other.
    """
    whole = touched is None or _restored(seat, touched, absent)
    if not whole or not move_back(seat.git, step):
        return Broken(
            "checkout-torn",
            f"{seat.path} is half updated and cannot be mended now ({why}); "
            "its index stays locked until it is",
            run=seat.command("status"),
        )
    indexlock.clear(seat.folder)
    return Broken(
        "checkout-failed",
        f"{seat.path} cannot follow the merge, everything is as before: {why}",
        run=seat.command("status"),
    )


def _restored(seat: Seat, touched: list[Change], absent: set[str]) -> bool:
    indexlock.copy_index(seat.folder)
    index = indexlock.private_path(seat.folder)
    refresh(seat, index)
    try:
        state = looks(seat, index, touched)
    except Broken:
        return False
    wanted = []
    for change in touched:
        now = state[change.path]
        if change.old_mode == NOTHING:
            if now in (NEW, TORN):
                remove(f"{seat.path}/{change.path}")
        elif now in (NEW, TORN) or (now == MISSING and change.path not in absent):
            wanted.append(change.path)
    # With -f git would remove a folder with everything in it.
    wanted = [path for path in wanted if _has_room(f"{seat.path}/{path}")]
    words = ("checkout-index", "-q", "-f", "-z", "--stdin")
    names = "".join(f"{path}\0" for path in wanted)
    env = {"GIT_INDEX_FILE": index}
    # Its exit code also speaks of paths that a sparse checkout leaves out: look instead.
    seat.git.run(*OPTIONS, *words, ok=None, env=env, stdin=names, timeout=CHECKOUT_TIMEOUT)
    after = looks(seat, index, touched)
    return not any(state in (NEW, TORN) for state in after.values())


def _has_room(path: str) -> bool:
    return not is_dir(path) or prune(path)
