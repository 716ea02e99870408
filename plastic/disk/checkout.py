"""Fills a registered worktree: the checkout, told apart from one that still runs or was killed."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plastic.disk.command import again
from plastic.disk.files import names, open_guard, remove
from plastic.disk.git import Git, failure
from plastic.disk.tree import remove_empty
from plastic.disk.worktrees import has_index
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GUARD = "plastic.guard"
TIMEOUT = 3600.0  # seconds; a monorepo over a slow network filter
# No hooks: `git worktree add` tells post-checkout about a NEW worktree, a checkout cannot.
# No monitor: a daemon born here would inherit our guard and hold it for ever.
OPTIONS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")


@contextmanager
def filling(admin: str, say: Callable[[str], None]) -> Iterator[int]:
    """Be the only one who fills this worktree; waits for whoever does. Yields the held descriptor.

    The checkout keeps the descriptor, so a git that survives our death still counts as at work,
    and once the guard is ours an `index.lock` without an index is certainly a dead one's.
    """
    held = open_guard(f"{admin}/{GUARD}")
    try:
        if not _locked(held, fcntl.LOCK_EX | fcntl.LOCK_NB):
            say("another start is filling this worktree; waiting for it")
            _locked(held, fcntl.LOCK_EX)
        if not _still_named(held, admin):
            raise Broken("worktree-gone", f"the start that made {admin} gave up", run=again())
        yield held
    finally:
        os.close(held)


@contextmanager
def try_filling(admin: str) -> Iterator[bool]:
    """One attempt at the same guard; False inside while somebody fills the worktree."""
    held = open_guard(f"{admin}/{GUARD}")
    try:
        yield _locked(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(held)


def _locked(held: int, how: int) -> bool:
    try:
        fcntl.flock(held, how)
    except BlockingIOError:
        return False
    return True


def _still_named(held: int, admin: str) -> bool:
    try:
        named = os.stat(f"{admin}/{GUARD}")
    except FileNotFoundError:
        return False
    here = os.fstat(held)
    return (named.st_ino, named.st_dev) == (here.st_ino, here.st_dev)


def has_leftovers(path: str) -> bool:
    """Whether a worktree without an index already contains files."""
    return any(name != ".git" for name in names(path))


def is_pristine(path: str, admin: str) -> bool:
    """Whether everything that lies there is exactly as a checkout would write it.

    Only then may a checkout write over it: a half-written file and somebody's edit look alike.
    """
    index = f"{admin}/index.plastic.{os.getpid()}"
    env = {"GIT_INDEX_FILE": index}
    git = Git(path)
    try:
        git.run("read-tree", "HEAD", env=env)
        git.run("update-index", "-q", "--refresh", env=env, ok=None)
        changed = git.raw("diff-files", "--name-only", "-z", "--diff-filter=d", env=env)
        strange = git.raw("ls-files", "--others", "-z", env=env)
    finally:
        remove(index)
        remove(f"{index}.lock")
    return not changed and not strange


def checkout(path: str, admin: str, held: int, say: Callable[[str], None]) -> None:
    """Write the files of HEAD and the index; judged by the world where git's exit code is not 0."""
    remove(f"{admin}/index.lock")
    git = Git(path)
    force = ("-f",) if has_leftovers(path) and is_pristine(path, admin) else ()
    done = git.run(
        *OPTIONS, *_workers(git), "checkout", "-q", *force, ok=None, keep=(held,), timeout=TIMEOUT
    )
    if done.rc != 0:
        if not has_index(admin) or git.raw("status", "--porcelain", "-z", "-uno", ok=None):
            raise failure(path, ("checkout",), done)
        say(f"git checkout ended with {done.rc}, but every file is in place")
    _tell_hook(git, say)


def _workers(git: Git) -> tuple[str, ...]:
    """As many as there are cores, where the user has no opinion; half the time on big trees."""
    set_by_user = git.says("config", "--get", "checkout.workers")
    return () if set_by_user else ("-c", "checkout.workers=0")


def _tell_hook(git: Git, say: Callable[[str], None]) -> None:
    """Run post-checkout as `git worktree add` does; its exit code undoes nothing, as with git."""
    head = git.read("rev-parse", "HEAD")
    words = ("--ignore-missing", "post-checkout", "--", "0" * len(head), head, "1")
    done = git.run("hook", "run", *words, ok=None, timeout=TIMEOUT)
    if done.rc != 0:
        say(f"the post-checkout hook ended with {done.rc}: {done.tail(1)}")


def drop_empty(directories: list[str]) -> None:
    """Remove these directories, the deepest first, as far as they are empty."""
    for path in sorted(directories, key=len, reverse=True):
        if not remove_empty(path):
            return
