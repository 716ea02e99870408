"""Rare changes to files of a lock: set aside what cannot be read, date a heartbeat, cut a line."""

from __future__ import annotations

import os

from plastic.disk import tree
from plastic.disk.clock import iso
from plastic.disk.files import exists, move, replace, sync_dir
from plastic.disk.paths import parent_of


def set_aside(path: str) -> str:
    """Rename whatever has this name to `.<name>.corrupt.<time>`, bytes and all; the new name.

    A link is moved, not followed; a directory moves with what is in it.
    """
    stamp = iso().replace(":", "")
    wanted = f"{parent_of(path)}/.{path.rpartition('/')[2]}.corrupt.{stamp}"
    new, turn = wanted, 1
    while exists(new):
        turn += 1
        new = f"{wanted}.{turn}"
    move(path, new)
    sync_dir(parent_of(path))
    return new


def date(path: str, seconds: float) -> None:
    """Set a file's mtime, which is a heartbeat; never creates one."""
    tree.set_mtime(path, seconds)


def replace_dated(path: str, data: bytes) -> None:
    """New content under the old mtime: a rewrite that is no sign of life."""
    before = os.lstat(path).st_mtime_ns
    replace(path, data)
    tree.set_times(path, before, before)


def cut(path: str, text: str) -> bool:
    """Take a line that was just appended away again; False when something follows it already."""
    return tree.cut(path, text.encode("utf-8", "surrogateescape"))
