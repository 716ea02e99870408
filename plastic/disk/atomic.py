"""A step that loses to nobody: give a file new content without hiding a rival's.

Editors save by rename and take no guard. Between our look at a file and our rename such a save
would vanish; an exchange of the two names keeps it in our hands, to be put back and read again.
"""

from __future__ import annotations

import os
import time

from plastic.disk.files import lstat, move, publish, remove, replace, sync_dir
from plastic.disk.paths import parent_of
from plastic.disk.tree import exchange, set_mode

Stat = os.stat_result


def same(one: Stat | None, other: Stat | None) -> bool:
    """Whether two looks at a path saw the same file with the same content."""
    if one is None or other is None:
        return one is other
    return (one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns) == (
        other.st_dev,
        other.st_ino,
        other.st_size,
        other.st_mtime_ns,
    )


def swap(path: str, data: bytes, seen: Stat | None) -> bool:
    """Replace what was `seen` under this name; False = it changed meanwhile and still stands."""
    if seen is None:
        return publish(path, data)
    directory, _, name = path.rpartition("/")
    temp = f"{directory}/.delivery.{name}.{os.getpid()}.{time.time_ns()}.swap"
    publish(temp, data)
    try:
        set_mode(temp, seen.st_mode & 0o7777)
        ours = os.lstat(temp)
        # Most rivals are seen here. After an exchange ours can be read for a moment, and whoever
        # saves upon that has not seen what the rival saved.
        if not same(lstat(path), seen):
            return False
        if not exchange(temp, path):
            return _replace_unchanged(path, data, seen)
        if same(lstat(temp), seen):
            sync_dir(parent_of(path))
            return True
        _give_back(temp, path, ours)
        return False
    finally:
        remove(temp)


def _replace_unchanged(path: str, data: bytes, seen: Stat) -> bool:
    """The next best where names cannot be exchanged: look as late as possible."""
    if not same(lstat(path), seen):
        return False
    replace(path, data)
    return True


def _give_back(temp: str, path: str, ours: Stat) -> None:
    """Put a rival's file back; when it saved once more meanwhile, its newest save stays.

    The save before that one, which the newest may not know, stays beside it.
    """
    exchange(temp, path)
    now = lstat(temp)
    if now is not None and now.st_ino != ours.st_ino:
        exchange(temp, path)
        move(temp, f"{path}.kept.{time.time_ns()}")
