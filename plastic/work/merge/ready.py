"""Whether a checkout may follow: locked by us, on its branch, in the middle of nothing, with room.

Everything here is found out before the first change.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk import indexlock
from plastic.disk.files import lstat
from plastic.disk.git import current_branch, oid
from plastic.rules.end.proof import literal
from plastic.words import Refused
from plastic.work.merge.follow import read_trees, some
from plastic.work.merge.reftransaction import Moved, moved
from plastic.work.merge.room import Change, Clashes, changes, clashes, refresh
from plastic.work.merge.seats import operation

if TYPE_CHECKING:
    from plastic.work.merge.reftransaction import Step
    from plastic.work.merge.seats import Seat

WAIT = 2.0  # seconds for a git of the user's that has the index


def require_at(step: Step, now: str | None) -> None:
    """Moved unless the base is where the step begins."""
    if now != step.old:
        raise moved(step, now)


def foreign_lock(folder: str) -> str:
    """The lock of an index that somebody else's git keeps; "" when it is free, or soon was."""
    end = time.monotonic() + WAIT
    while indexlock.is_held(folder) and indexlock.found(folder) is None:
        if time.monotonic() >= end:
            return indexlock.lock_path(folder)
        time.sleep(indexlock.POLL)
    return ""


def take(seat: Seat, marker: indexlock.Marker) -> None:
    if not indexlock.take(seat.folder, marker, WAIT):
        path = indexlock.lock_path(seat.folder)
        raise Refused(
            "index-locked",
            f"another git is at work in {seat.path}, or was killed there: {path} exists",
            run=f"ls -l {path}",
        )


def checked(seat: Seat, step: Step) -> tuple[list[Change], set[str], float]:
    """The paths to write, those of them that are missing, and how long a look at all took."""
    if current_branch(seat.git) != step.ref:
        raise Moved(
            "base-elsewhere", f"{seat.path} left {step.ref} meanwhile", run=seat.command("status")
        )
    require_at(step, oid(seat.git, step.ref))
    under_way = operation(seat.folder)
    if under_way is not None:
        raise Refused(
            "under-way",
            f"{under_way} is under way in {seat.path}; finish or abort it first",
            run=seat.command("status"),
        )
    index = indexlock.private_path(seat.folder)
    if not indexlock.copy_index(seat.folder):
        raise Refused(
            "no-index",
            f"nothing was ever checked out in {seat.path}",
            run=seat.command("reset", "-q"),
        )
    began = time.monotonic()
    refresh(seat, index)
    patience = time.monotonic() - began
    touched = changes(seat, step.old, step.new)
    require_room(seat, clashes(seat, index, step.old, touched))
    done = read_trees(seat, step.old, step.new, "-n")
    if done.rc != 0:
        raise Refused(
            "no-room",
            f"the checkout {seat.path} cannot take the merge: {done.tail(3)}",
            run=seat.command("status"),
        )
    absent = {one.path for one in touched if lstat(f"{seat.path}/{one.path}") is None}
    return touched, absent, patience


def require_room(seat: Seat, found: Clashes) -> None:
    """Refuse over uncommitted work on a path of the merge, each kind with its own way on."""
    table = (
        (found.unmerged, "unmerged", "unresolved paths", ("status",)),
        (found.staged, "staged", "staged changes", ("commit", "-m", "Work before the merge")),
        (
            found.intended,
            "intent-to-add",
            "files marked for adding",
            ("reset", "-q", "--", *map(literal, found.intended)),
        ),
        (found.dirty, "dirty", "uncommitted changes", ("commit", "-a", "-m", "Work before it")),
        (found.hidden, "hidden", "files that git was told to overlook", ("ls-files", "-v")),
    )
    for paths, code, what, words in table:
        if paths:
            raise Refused(
                code,
                f"{what} in {seat.path} would meet the merge: {some(paths)}",
                run=seat.command(*words),
                facts={"paths": list(paths)},
            )
    if found.in_the_way:
        raise Refused(
            "in-the-way",
            f"files that git does not track lie where the merge writes in {seat.path}: "
            f"{some(found.in_the_way)}",
            run=seat.aside(found.in_the_way[0]),
            facts={"paths": list(found.in_the_way)},
        )
