"""The door for changes that commands alone make: directories, whole trees, copies, modes, times.

It stands beside disk/files.py, because a hook that had to load all this would be late. Nothing
here is one step, save where it says so.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from plastic.disk.files import DIRECTORY, MODE_TYPE, lstat, reason
from plastic.disk.paths import parent_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_AT_FDCWD = -100


def make_dir(path: str, mode: int = 0o777) -> bool:
    """Make one directory; False when the name is taken."""
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        return False
    return True


def make_scratch(prefix: str) -> str:
    """A new private directory where the system keeps temporary ones."""
    import tempfile  # slow to load, as shutil is: only where it is used

    return tempfile.mkdtemp(prefix=prefix)


def remove_empty(path: str) -> bool:
    """Remove a directory; False when it is not there or holds something."""
    try:
        os.rmdir(path)
    except OSError:
        return False
    return True


def remove_tree(path: str) -> None:
    """Delete a directory with all that is in it, links not followed."""
    import shutil

    shutil.rmtree(path)


def remove_closed_tree(path: str) -> list[str]:
    """The same, read-only directories in it included; what stayed nevertheless, and why."""
    import shutil

    stuck: list[str] = []
    shutil.rmtree(path, onerror=lambda act, inner, _: _again(act, inner, stuck))
    return stuck


def _again(act: Callable[..., Any], path: str, stuck: list[str]) -> None:
    """Read-only directories, as some tools make their caches, are opened for us and tried again."""
    import shutil

    try:
        for one in (parent_of(path), path):
            seen = lstat(one)
            if seen is not None and seen.st_mode & MODE_TYPE == DIRECTORY:
                os.chmod(one, seen.st_mode & 0o7777 | 0o700)
        if act in (os.unlink, os.rmdir):
            act(path)
        else:
            shutil.rmtree(path)
    except OSError as error:
        stuck.append(reason(error))


def hard_link(path: str, other: str) -> None:
    """Give a file a second name."""
    os.link(path, other)


def copy_file(source: str, goal: str, mode: int) -> None:
    """Copy content, mode and times under a free name; an interrupted copy stays half."""
    import shutil

    reading = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(reading, "rb") as before:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(goal, flags, mode | 0o200), "wb") as after:
            shutil.copyfileobj(before, after, 1 << 20)
    os.chmod(goal, mode)
    shutil.copystat(source, goal, follow_symlinks=False)


def compile_tree(path: str) -> None:
    """Write the bytecode of every module below a directory, as far as that can be written."""
    import compileall

    compileall.compile_dir(path, quiet=2)


def cut(path: str, end: bytes) -> bool:
    """Take the end of a file away if it is this one; False when it is another."""
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if size < len(end):
            return False
        file.seek(size - len(end))
        if file.read() != end:
            return False
        file.truncate(size - len(end))
    return True


def set_mode(what: str | int, mode: int) -> None:
    """The rights of a path or of an open descriptor."""
    os.chmod(what, mode)


def set_mtime(path: str, seconds: float) -> None:
    """Date a file, or a link itself; never makes one."""
    os.utime(path, (seconds, seconds), follow_symlinks=False)


def set_times(path: str, accessed: int, changed: int) -> None:
    """The same to the nanosecond, as another file says it."""
    os.utime(path, ns=(accessed, changed), follow_symlinks=False)


def exchange(one: str, other: str) -> bool:
    """Exchange two names as ONE step; False where the system or file system cannot."""
    call = _call()
    return call is not None and call(os.fsencode(one), os.fsencode(other)) == 0


def _call() -> Callable[[bytes, bytes], int] | None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    try:
        if sys.platform == "darwin":
            swap_names = libc.renamex_np
            return lambda one, other: int(swap_names(one, other, _EXCHANGE))
        rename = libc.renameat2
    except AttributeError:
        return None
    return lambda one, other: int(rename(_AT_FDCWD, one, _AT_FDCWD, other, _EXCHANGE))
