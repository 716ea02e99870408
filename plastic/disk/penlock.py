"""Two locks around a change of a pen file: ours, which dies with its process, and the others'.

Programs that know the format make `.m8shift.lock` and take it for abandoned after a minute. Ours is
an OS lock on a file that stays; while we hold it we make theirs as well, so that a mixed team never
writes at once. What a killed process of ours leaves behind carries our mark: whoever holds the OS
lock next knows that nobody holds it.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plastic.disk.failpoints import point
from plastic.disk.files import fs_now, lstat, put, read, remove
from plastic.disk.locks import pen_guard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plastic.disk.penplace import Place

PATIENCE = 10.0  # seconds of waiting for another program
ABANDONED = 60.0  # seconds after which it takes its own lock for abandoned
# And an empty one: whoever makes it writes into it at once, unless he died or the disk was full.
EMPTY = 2.0
STEP = 0.02
MARK = b":plastic"
_MOST = 4096


class Busy(Exception):
    """Another program is writing, and went on for longer than we wait."""


@contextmanager
def hold(place: Place) -> Iterator[Callable[[], None]]:
    """Both locks; raises Busy, or Broken for our own. Inside: a last look that both are ours still:

    a machine that slept for a minute has lost the other program's lock, and must not write.
    """
    base = place.hidden
    with pen_guard(f"{base}.guard"):
        token = f"{os.getpid()}:{time.time_ns()}".encode() + MARK
        _take(f"{base}.lock", token)
        try:
            point("pen.locked")
            yield lambda: _look(f"{base}.lock", token)
        finally:
            if _content(f"{base}.lock") == token:
                remove(f"{base}.lock")


def _look(path: str, token: bytes) -> None:
    if _content(path) != token:
        raise Busy(path)


def _take(path: str, token: bytes) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            put(path, token, 0o600, new=True)
            return
        except FileExistsError:
            pass
        if _is_left(path):
            remove(path)
        elif _is_abandoned(path):
            _clear(path)
        elif time.monotonic() > end:
            raise Busy(path)
        else:
            time.sleep(STEP)


def _content(path: str) -> bytes | None:
    try:
        return read(path, _MOST)
    except OSError:
        return None  # a directory or a link: not ours, and never abandoned


def _is_left(path: str) -> bool:
    """Made by a process of ours that is gone: we hold the lock that it held."""
    return (_content(path) or b"").endswith(MARK)


def _is_abandoned(path: str) -> bool:
    seen = lstat(path)
    content = _content(path)
    if seen is None or content is None:
        return False
    return fs_now(os.path.dirname(path)) - seen.st_mtime > (ABANDONED if content else EMPTY)


def _clear(path: str) -> None:
    """Remove an abandoned lock as the format does: under a second one, and looked at again."""
    guard, seen = f"{path}.takeover", (lstat(path), _content(path))
    try:
        put(guard, str(os.getpid()).encode() + MARK, 0o600, new=True)
    except FileExistsError:
        if _is_left(guard) or _is_abandoned(guard):
            remove(guard)
        return
    try:
        now = lstat(path)
        same = seen[0] is not None and now is not None and now.st_ino == seen[0].st_ino
        if same and _content(path) == seen[1]:
            remove(path)
    finally:
        remove(guard)
