"""Gates that broke since `plastic doctor` passed, by the journal; SessionStart and status ask."""

from __future__ import annotations

import posix

from plastic.disk.files import open_regular
from plastic.quickjson import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.disk.home import Home

TAIL = 1 << 20  # bytes; what is older than that was seen many times


def broken(home: Home) -> list[dict[str, Any]]:
    """The journal rows of broken gates since the last doctor that passed, oldest first."""
    found: list[dict[str, Any]] = []
    for line in tail(home.log).split(b"\n"):
        if b'"broken"' not in line and b'"doctor"' not in line:
            continue
        try:
            row = loads(line)
        except ValueError:
            continue
        kind = row.get("event") if isinstance(row, dict) else None
        if kind == "broken":
            found.append(row)
        elif kind == "doctor" and row.get("passed") is True:
            found.clear()
    return found


def line_about(home: Home) -> str | None:
    """One line for people, None when no gate broke."""
    rows = broken(home)
    if not rows:
        return None
    last = rows[-1]
    times = "once" if len(rows) == 1 else f"{len(rows)} times"
    return (
        f"gates broke {times} and did not judge, the last time {last.get('at')} "
        f"({last.get('gate')}: {last.get('error')}); run: plastic doctor"
    )


def tail(path: str) -> bytes:
    """The end of the journal; its first line may be cut, which makes it no row."""
    try:
        opened = open_regular(path)
        if opened is None:
            return b""
        fd, seen = opened
        try:
            start = max(0, seen.st_size - TAIL)
            return posix.pread(fd, TAIL, start)
        finally:
            posix.close(fd)
    except OSError:
        return b""
