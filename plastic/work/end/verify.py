"""Tries a merge before it is made: `verify:` of the project, on the merged tree in its own place.

The repository's pre-merge-commit hook runs there as well, in front: it looks at what is staged
against HEAD, and only here that is the merge.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import exists
from plastic.disk.git import Git
from plastic.disk.gitenv import clean_environment
from plastic.disk.locks import repo_guard
from plastic.disk.process import TIMED_OUT, Out, shell
from plastic.disk.scratch import directory
from plastic.disk.tree import remove_tree
from plastic.disk.worktrees import listed
from plastic.work.fence.ref import NO_HOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from plastic.rules.end.facts import Merge

HOOK = "pre-merge-commit"
HOOK_TIMEOUT = 600.0  # seconds
VERIFY_TIMEOUT = 3600.0  # for one command
FILL_TIMEOUT = 600.0


class Failed(NamedTuple):
    """The command that said no, and the last lines of what it said."""

    line: str
    said: str


def is_wanted(root: str, lines: Sequence[str]) -> bool:
    """Whether anything is to be tried at all."""
    if lines:
        return True
    hook = Git(root).says("rev-parse", "--path-format=absolute", "--git-path", f"hooks/{HOOK}")
    return hook is not None and os.access(hook, os.X_OK)


def verify(
    id: str, merge: Merge, lines: Sequence[str], say: Callable[[str], None]
) -> Failed | None:
    """Run the hook and every line on the merged tree; the first that fails ends it."""
    with _merged_tree(id, merge) as path:
        done = Git(path).run("hook", "run", "--ignore-missing", HOOK, ok=None, timeout=HOOK_TIMEOUT)
        if done.rc != 0:
            return _failed(f"git hook run {HOOK}", done)
        for line in lines:
            say(f"verify: {line}")
            done = shell(line, path, clean_environment(os.environ), VERIFY_TIMEOUT)
            if done.rc != 0:
                return _failed(line, done)
    return None


def _failed(line: str, done: Out) -> Failed:
    how = "it ran out of time" if done.rc == TIMED_OUT else f"it ended with {done.rc}"
    return Failed(line, done.tail() or how)


@contextmanager
def _merged_tree(id: str, merge: Merge) -> Iterator[str]:
    """A detached worktree at the base, with the merge staged and checked out in it."""
    prefix = f"plastic-verify-{id}-"
    git = Git(merge.root)
    path = directory(prefix)
    try:
        with repo_guard(merge.common):
            _sweep(git, prefix)
            words = ("--detach", "--no-checkout", "--", path, merge.base_tip)
            git.run(*NO_HOOKS, "worktree", "add", *words)
        Git(path).run("read-tree", "-m", "-u", merge.tree, timeout=FILL_TIMEOUT)
        yield path
    finally:
        _remove(git, path)


def _sweep(git: Git, prefix: str) -> None:
    """Take away what an earlier try of this intent left when it was killed."""
    for entry in listed(git):
        if entry.path.rpartition("/")[2].startswith(prefix) and entry.detached:
            _remove(git, entry.path)


def _remove(git: Git, path: str) -> None:
    git.run("worktree", "remove", "-f", "-f", "--", path, ok=None)
    if exists(path):
        remove_tree(path)
        # What lost its `.git` was no worktree to git; one that is missing, it lets go.
        git.run("worktree", "remove", "-f", "-f", "--", path, ok=None)
