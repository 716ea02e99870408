"""The guards: OS locks on zero-byte files around every change of shared state.

    with intent_guard(intent.dir):
        ... look again, decide, write ...

A guard is a file that is created once and never unlinked: unlinking would let two processes hold
"the" lock on two inodes. After a wait the path must still name the inode that was locked, else
the guard is taken anew. The hook takes the same guards with flock itself (disk/lockfile.py); both
exclude each other. Not obtained, or not supported by the file system: nothing is changed, exit 5.

Order of taking, never otherwise: relay, intent, repository, INDEX, home, pen.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import Timeout, UnixFileLock

from plastic.disk.command import again, look_command
from plastic.disk.files import make_dirs, reason
from plastic.disk.lockfile import GUARD
from plastic.disk.paths import parent_of
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from plastic.disk.home import Home

ORDER = ("relay", "intent", "repository", "INDEX", "home", "pen")
INTENT_WAIT = 10.0  # seconds
LONG_WAIT = 60.0
QUIET = 1.0  # seconds of waiting before a person is told
POLL = 0.02
_here = threading.local()


def _taken() -> list[int]:
    if not hasattr(_here, "ranks"):
        _here.ranks = []
    ranks: list[int] = _here.ranks
    return ranks


@contextmanager
def guard(path: str, wait_s: float, label: str) -> Iterator[None]:
    """Hold one guard; `label` is its place in the order. Raises Broken when it is not obtained."""
    rank = ORDER.index(label)
    ranks = _taken()
    assert not ranks or ranks[-1] < rank, (
        f"the {label} guard is taken while the {ORDER[ranks[-1]]} guard is held"
    )
    lock = _obtained(path, wait_s, label)
    ranks.append(rank)
    try:
        yield
    finally:
        ranks.remove(rank)
        lock.release()


def _obtained(path: str, wait_s: float, label: str) -> UnixFileLock:
    try:
        make_dirs(parent_of(path))
        return _wait(path, wait_s, label)
    except Timeout:
        raise Broken(
            "guard-busy",
            f"the {label} guard {path} was busy for {wait_s:.0f} s; nothing was changed",
            run=again(),
        ) from None
    except OSError as error:
        raise Broken(
            "guard-unusable",
            f"the {label} guard {path} cannot be locked: {reason(error)}; nothing was changed",
            run=look_command(path),
        ) from None


def _wait(path: str, wait_s: float, label: str) -> UnixFileLock:
    """The lock once it is held on the inode that the path names; the budget counts over all."""
    end = time.monotonic() + wait_s
    quiet = min(QUIET, wait_s)
    try:
        return _attempt(path, quiet)
    except Timeout:
        if wait_s <= quiet:
            raise
    sys.stderr.write(f"plastic: waiting up to {wait_s:.0f} s for the {label} guard {path}\n")
    return _attempt(path, end - time.monotonic())


def _attempt(path: str, wait_s: float) -> UnixFileLock:
    end = time.monotonic() + wait_s
    while True:
        seen: list[tuple[int, int]] = []

        def note_inode(fd: int, seen: list[tuple[int, int]] = seen) -> None:
            seen.append(_identity(os.fstat(fd)))

        # A kept file also forbids filelock's soft fallback: a marker file is no OS lock.
        lock = UnixFileLock(
            path,
            timeout=max(0.0, end - time.monotonic()),
            poll_interval=POLL,
            preserve_lock_file=True,
            on_acquired=note_inode,
        )
        lock.acquire()
        if seen and seen[0] == _named(path):
            return lock
        lock.release()


def _identity(stat: os.stat_result) -> tuple[int, int]:
    return stat.st_dev, stat.st_ino


def _named(path: str) -> tuple[int, int] | None:
    try:
        return _identity(os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return None


def relay_guard(home: Home) -> AbstractContextManager[None]:
    """The guard of all relays of a home: which of them may begin."""
    return guard(f"{home.root}/relay/.guard", INTENT_WAIT, "relay")


def intent_guard(directory: str) -> AbstractContextManager[None]:
    """The guard of one intent: its lock, its claims and every other rewrite in it."""
    return guard(f"{directory}/{GUARD}", INTENT_WAIT, "intent")


def repo_guard(common: str) -> AbstractContextManager[None]:
    """The guard of a repository, in its common directory: worktree changes and End's apply."""
    return guard(f"{common}/plastic.guard", LONG_WAIT, "repository")


def index_guard(index: str) -> AbstractContextManager[None]:
    """The guard beside an INDEX.md."""
    return guard(f"{parent_of(index)}/.index.guard", LONG_WAIT, "INDEX")


def home_guard(home: Home) -> AbstractContextManager[None]:
    """The guard of a whole home: allocation of ids and commits."""
    return guard(home.guard, LONG_WAIT, "home")


def pen_guard(path: str) -> AbstractContextManager[None]:
    """The guard beside a pen file: every change of it and of the files that belong to it."""
    return guard(path, INTENT_WAIT, "pen")


@contextmanager
def try_guard(path: str) -> Iterator[bool]:
    """One attempt without waiting; False inside when somebody else holds it or it cannot be had."""
    try:
        lock = _attempt(path, 0.0)
    except (Timeout, OSError):
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
