"""Copies files into a new worktree: nothing is overwritten, nothing is read or written outside."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from plastic.disk.files import exists, make_dirs, symlink
from plastic.disk.paths import is_below, parent_of, real
from plastic.disk.tree import copy_file

if TYPE_CHECKING:
    from collections.abc import Callable


def copy(root: str, target: str, name: str, say: Callable[[str], None], skip: str) -> int:
    """Copy `name` (a file or directory below `root`) to the same place below `target`.

    Returns how many files were written. Links are copied as links, and only when they stay inside
    `root`; `skip` is a path below `root` that is never entered (the worktrees themselves).
    """
    return _copy(root, target, name.strip("/"), say, skip)


def _copy(root: str, target: str, name: str, say: Callable[[str], None], skip: str) -> int:
    source, goal = f"{root}/{name}", f"{target}/{name}"
    if source == skip:
        return 0
    seen = os.lstat(source)
    if not is_below(real(parent_of(source)), root) or not is_below(real(parent_of(goal)), target):
        say(f"copy: {name} leads out of the repository; not copied")
        return 0
    if stat.S_ISDIR(seen.st_mode):
        if exists(goal) and not stat.S_ISDIR(os.lstat(goal).st_mode):
            return 0
        inner = sorted(os.listdir(source))
        return sum(_copy(root, target, f"{name}/{one}", say, skip) for one in inner)
    if exists(goal):
        return 0
    make_dirs(parent_of(goal))
    if stat.S_ISLNK(seen.st_mode):
        return _link(root, source, goal, name, say)
    if not stat.S_ISREG(seen.st_mode):
        say(f"copy: {name} is no regular file; not copied")
        return 0
    copy_file(source, goal, stat.S_IMODE(seen.st_mode))
    return 1


def _link(root: str, source: str, goal: str, name: str, say: Callable[[str], None]) -> int:
    text = os.readlink(source)
    if os.path.isabs(text) or not is_below(real(source), root):
        say(f"copy: {name} is a link out of the repository; not copied")
        return 0
    return int(symlink(text, goal))
