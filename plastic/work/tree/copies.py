"""Prepares a new worktree: the project's `copy:` files and its `setup:` commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.copying import copy
from plastic.disk.files import exists
from plastic.disk.git import Git
from plastic.disk.gitenv import clean_environment
from plastic.disk.paths import is_below, real
from plastic.disk.process import TIMED_OUT, shell
from plastic.rules.intent.names import WORKTREES
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SETUP_TIMEOUT = 1800.0  # seconds for one command


def copy_files(root: str, path: str, wanted: Iterable[str], say: Callable[[str], None]) -> None:
    """Copy ignored files of the main checkout; what git tracks or would show is not for us."""
    for name in wanted:
        clean = name.strip("/")
        if not clean or name.startswith("/") or ".." in name.split("/"):
            raise Broken(
                "copy-outside",
                f"`copy: {name}` is no path inside the repository",
            )
        source = f"{root}/{clean}"
        if not exists(source):
            say(f"copy: {name} does not exist in {root}; skipped")
            continue
        if not is_below(real(source), root):
            raise Broken(
                "copy-outside",
                f"`copy: {name}` leads out of the repository, to {real(source)}",
            )
        if Git(root).run("check-ignore", "-q", "--", clean, ok=None, quiet=True).rc != 0:
            # Where it is tracked the worktree has it; else it would make every tree look dirty.
            say(f"copy: {name} is not ignored by git; skipped")
            continue
        copy(root, path, clean, say, f"{root}/{WORKTREES}")


def set_up(path: str, commands: Iterable[str], say: Callable[[str], None]) -> None:
    """Run the project's commands in the worktree, in order; the first failure ends it."""
    for line in commands:
        say(f"setup: {line}")
        done = shell(line, path, clean_environment(os.environ), SETUP_TIMEOUT)
        if done.rc == 0:
            continue
        for said in done.tail().splitlines():
            say(f"  {said}")
        how = "ran out of time" if done.rc == TIMED_OUT else f"ended with {done.rc}"
        raise Broken(
            "setup-failed",
            f"`setup: {line}` {how} in {path}: {done.tail(1) or 'it said nothing'}; "
            "mend it, or what it needs, and start again",
        )
