"""Git's own lock on a checkout's index, held with our name in it, and a second index beside it.

The lock appears complete (`plastic ID OLD NEW`), so that whoever finds it after a kill knows what
was under way. It carries the marker to its end: the new index is renamed over the old one beside
it. A user's git answers `index.lock exists` meanwhile, and after a kill, until the state is whole.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.command import again
from plastic.disk.files import (
    exists,
    lstat,
    move,
    open_guard,
    open_regular,
    publish,
    put,
    read,
    remove,
    sync_dir,
)
from plastic.disk.tree import set_times
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

PRIVATE = "plastic-index"
BUSY = "plastic.publish"
LARGEST = 1 << 31  # bytes of an index
WAIT = 120.0  # seconds for a git whose parent was killed
POLL = 0.05


class Marker(NamedTuple):
    """What stands in a lock of ours."""

    id: str
    old: str
    new: str

    def line(self) -> str:
        """The content of the lock file."""
        return f"plastic {self.id} {self.old} {self.new}\n"


def lock_path(folder: str) -> str:
    """The lock of the index in this git directory."""
    return f"{folder}/index.lock"


def private_path(folder: str) -> str:
    """The index of ours beside it."""
    return f"{folder}/{PRIVATE}"


def take(folder: str, marker: Marker, wait_s: float) -> bool:
    """Take the lock; False when somebody else's git kept it all the time."""
    end = time.monotonic() + wait_s
    while not publish(lock_path(folder), marker.line().encode()):
        if time.monotonic() >= end:
            return False
        time.sleep(POLL)
    return True


def found(folder: str) -> Marker | None:
    """The marker in the lock; None when there is no lock or it is not ours."""
    try:
        opened = open_regular(lock_path(folder))
    except OSError:
        return None
    if opened is None:
        return None
    try:
        words = os.read(opened[0], 4096).decode("utf-8", "replace").split(" ")
    finally:
        os.close(opened[0])
    if len(words) != 4 or words[0] != "plastic":
        return None
    return Marker(words[1], words[2], words[3].rstrip("\n"))


def clear(folder: str) -> None:
    """Remove our index; the lock, if it is ours, LAST."""
    remove(f"{private_path(folder)}.lock")
    remove(private_path(folder))
    if found(folder) is not None:
        remove(lock_path(folder))


def copy_index(folder: str) -> bool:
    """Begin our index as a copy of the real one; False when there is none.

    The copy keeps the time of the original: git takes an entry as young as its index for
    possibly changed, and with a younger index it would overlook an edit of that moment.
    """
    index, private = f"{folder}/index", private_path(folder)
    remove(f"{private}.lock")
    seen = lstat(index)
    data = read(index, LARGEST)
    if seen is None or data is None:
        return False
    remove(private)
    put(private, data, seen.st_mode & 0o777, new=True)
    set_times(private, seen.st_atime_ns, seen.st_mtime_ns)
    return True


def install(folder: str) -> None:
    """Put our index in the place of the real one, durable and with its own time."""
    fd = os.open(private_path(folder), os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    move(private_path(folder), f"{folder}/index")
    sync_dir(folder)


@contextmanager
def writing(folder: str) -> Iterator[int]:
    """Be the only one of ours who writes this checkout; yields the descriptor for git to keep.

    A git that survives the death of its parent holds it on, so what it has half written is not
    mended under its hands.
    """
    path = f"{folder}/{BUSY}"
    held = open_guard(path)
    try:
        end = time.monotonic() + WAIT
        while not _locked(held):
            if time.monotonic() >= end:
                raise Broken(
                    "checkout-busy",
                    f"a git of a killed command still writes the checkout ({path} is held)",
                    run=again(),
                )
            time.sleep(POLL)
        yield held
    finally:
        os.close(held)


def _locked(held: int) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_held(folder: str) -> bool:
    """Whether anybody holds the index at this moment."""
    return exists(lock_path(folder))
