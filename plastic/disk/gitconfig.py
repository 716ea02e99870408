"""Changes the configuration of a repository under git's own lock on it, as one step.

The lock appears complete, with the new text in it, and becomes the configuration by its rename. The
caller holds the repository's guard: a lock with a text that only we write is one of a killed try.
"""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING

from plastic.disk.failpoints import point
from plastic.disk.files import lstat, move, publish, read, remove, sync_dir
from plastic.disk.paths import parent_of, real
from plastic.disk.tree import set_mode
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable

WAIT = 3.0  # seconds for somebody's `git config`, which keeps it some milliseconds
POLL = 0.02


def text(common: str) -> bytes:
    """The configuration of a repository."""
    return read(path_of(common)) or b""


def path_of(common: str) -> str:
    """Where it lies: git follows links, and so does its lock."""
    return real(f"{common}/config")


def rewrite(
    common: str, change: Callable[[bytes], bytes], is_ours: Callable[[bytes, bytes], bool]
) -> bool:
    """Give the configuration the text that `change` makes of it; False when it has it already.

    `is_ours(now, found)`: whether a text that lies in the lock is one that only we would write.
    """
    path = path_of(common)
    lock = f"{path}.lock"
    end = time.monotonic() + WAIT
    while True:
        before = read(path) or b""
        after = change(before)
        if after == before:
            return False
        if _swap(path, lock, before, after):
            return True
        left = read(lock)
        if left is not None and left != before and is_ours(before, left):
            remove(lock)
        elif time.monotonic() > end:
            raise Broken(
                "config-locked",
                f"{lock} is held by another git, or one was killed there; nothing was changed",
                run=f"ls -l {shlex.quote(lock)}",
            )
        else:
            time.sleep(POLL)


def _swap(path: str, lock: str, before: bytes, after: bytes) -> bool:
    """One try: False when the lock is taken, or the configuration changed before it was ours."""
    if not publish(lock, after):
        return False
    try:
        point("fence.locked")
        seen = lstat(path)
        if seen is None or read(path) != before:
            remove(lock)
            return False
        set_mode(lock, seen.st_mode & 0o7777)
        move(lock, path)
    except BaseException:
        remove(lock)
        raise
    sync_dir(parent_of(path))
    return True
