"""Who may have written what while a shell command ran: calls that are open, and allowed writes.

All of it lies in `run/`, so it may be deleted at any time; no verdict is read from it. A call is
one small file, which its end takes away; the trail is lines of JSON, appended, rotated when long.
"""

from __future__ import annotations

import time

from plastic.disk.files import append, exists, lstat, make_dirs, move, names, put, read, remove
from plastic.quickjson import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.disk.home import Home

_PRIME = (1 << 127) - 1  # a remainder by it is a name that needs no module
LIMIT = 1 << 22  # bytes of one call
ROTATE = 1 << 20  # bytes of the trail; some ten thousand lines
KEEP = 86400  # seconds until the file of a call that never ended may be removed
MANY = 256  # files of calls, from which on old ones are looked for
MOST = 4096  # files of calls: a burst of refused ones, which have no end, must not slow the others
BACKGROUND = "background"  # the call id of whatever a session left running


def mark(home: Home, kind: str, session: str, call: str, what: str = "") -> None:
    """Append one line; a trail that cannot be written explains less, and stops nothing."""
    line = dumps([kind, time.time_ns(), session, call, what]) + "\n"
    path = f"{home.run}/trail"
    try:
        if not exists(home.run):
            if not exists(home.root):
                return
            make_dirs(home.run)
        append(path, line)
        seen = lstat(path)
        if seen is not None and seen.st_size > ROTATE:
            move(path, f"{path}.old")
    except (OSError, ValueError):
        pass


def lines(home: Home) -> list[list[Any]]:
    """The trail, oldest first; what is no line of ours is passed over."""
    found = []
    for name in ("trail.old", "trail"):
        try:
            data = read(f"{home.run}/{name}", 4 * ROTATE) or b""
        except OSError:
            continue
        for line in data.split(b"\n"):
            try:
                row = loads(line) if line else None
            except ValueError:
                continue
            if isinstance(row, list) and len(row) == 5 and isinstance(row[1], int):
                found.append(row)
    return found


def path_of(home: Home, session: str, call: str) -> str:
    """The file of one call; any text of a harness makes a plain name."""
    data = b"\1" + f"{session}\0{call}".encode("utf-8", "surrogatepass")
    return f"{home.run}/calls/{int.from_bytes(data, 'big') % _PRIME:032x}"


def keep(home: Home, session: str, call: str, raw: dict[str, Any]) -> bool:
    """Keep what was seen before a call; False when it cannot be kept."""
    path = path_of(home, session, call)
    data = dumps(raw).encode("utf-8", "surrogatepass")
    try:
        try:
            put(path, data, 0o600)
        except FileNotFoundError:
            if not exists(home.root):
                return False
            make_dirs(f"{home.run}/calls", 0o700)
            put(path, data, 0o600)
        if path[-1] == "0":  # one call in sixteen looks
            _sweep(f"{home.run}/calls")
    except OSError:
        return False
    return True


def is_kept(home: Home, session: str, call: str) -> bool:
    """Whether something was kept for this call."""
    return exists(path_of(home, session, call))


def take(home: Home, session: str, call: str) -> dict[str, Any] | None:
    """What was kept for a call, once: of two hooks of one event only the first gets it."""
    path = path_of(home, session, call)
    try:
        data = read(path, LIMIT)
        if data is None or not remove(path):
            return None
        raw = loads(data)
    except (OSError, ValueError):
        return None
    return raw if isinstance(raw, dict) else None


def _sweep(folder: str) -> None:
    """Remove the files of calls whose end never came; looked for when there are many."""
    found = names(folder)
    if len(found) < MANY:
        return
    now = time.time()
    age = KEEP if len(found) < 4 * MANY else KEEP / 24
    kept = []
    for name in found:
        seen = lstat(f"{folder}/{name}")
        if seen is not None and now - seen.st_mtime > age:
            remove(f"{folder}/{name}")
        elif seen is not None:
            kept.append((seen.st_mtime_ns, name))
    if len(kept) > MOST:
        for _, name in sorted(kept)[: len(kept) - MOST // 2]:
            remove(f"{folder}/{name}")
