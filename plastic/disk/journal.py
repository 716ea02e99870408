"""The journal: one JSON line an event in `log/events.jsonl`, appended, never rewritten."""

from __future__ import annotations

import posix
import time

from plastic.disk.clock import iso
from plastic.disk.files import append, exists, lstat, make_dirs, move, open_regular
from plastic.disk.paths import parent_of
from plastic.quickjson import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home

ROTATE = 10 * 1024 * 1024  # bytes


def note(home: Home, event: str, **fields: object) -> bool:
    """Append one event; False when it could not be written. A journal never stops work."""
    row = {"at": iso(), "event": event}
    row.update({key: value for key, value in fields.items() if value not in (None, "")})  # type: ignore[misc]
    try:
        _rotate(home.log)
        append(home.log, dumps(row) + "\n")
    except FileNotFoundError:
        return _first(home, dumps(row) + "\n")
    except (OSError, ValueError):
        return False
    return True


def _first(home: Home, line: str) -> bool:
    try:
        make_dirs(parent_of(home.log), 0o700)
        append(home.log, line)
    except OSError:
        return False
    return True


def _rotate(path: str) -> None:
    seen = lstat(path)
    if seen is None or seen.st_size < ROTATE:
        return
    older = f"{path[: -len('.jsonl')]}.{iso()}.{posix.getpid()}.{time.time_ns()}.jsonl"
    if not exists(older):
        move(path, older)


def tail(path: str, most: int) -> bytes:
    """The end of a part of the journal; nothing of what nobody can read."""
    try:
        opened = open_regular(path)
    except OSError:
        return b""
    if opened is None:
        return b""
    fd, size = opened[0], opened[1].st_size
    try:
        return posix.pread(fd, min(size, most), max(0, size - most))
    except OSError:
        return b""
    finally:
        posix.close(fd)
