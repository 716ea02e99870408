"""The fencing counter of an intent, `delivery.token`: it outlives the lock, and only grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.files import names, read, replace
from plastic.disk.journal import tail
from plastic.disk.paths import parent_of
from plastic.quickjson import loads

if TYPE_CHECKING:
    from plastic.disk.home import Home

NAME = "delivery.token"
MOST = 64 << 20  # bytes; a part of the journal has ten million


def counter(directory: str) -> int | None:
    """The last token issued for the intent in `directory`; None when the counter is lost."""
    try:
        data = read(f"{directory}/{NAME}", limit=64)
        return None if data is None else max(int(data.decode("ascii")), 0)
    except (OSError, ValueError):
        return None


def count(directory: str, token: int) -> None:
    """Record a token as issued, BEFORE the lock that carries it appears."""
    replace(f"{directory}/{NAME}", b"%d\n" % token)


def journalled(home: Home, id: str) -> int:
    """The highest token that the journal knows for an intent: the way back to a lost counter."""
    folder = parent_of(home.log)
    highest = 0
    for name in names(folder):
        if name.startswith("events") and name.endswith(".jsonl"):
            highest = max(highest, _highest(f"{folder}/{name}", id))
    return highest


def _highest(path: str, id: str) -> int:
    highest = 0
    mark = f'"{id}"'.encode()
    data = tail(path, MOST)
    # Most journals do not know the intent at all: one search instead of a hundred thousand.
    for line in data.split(b"\n") if mark in data else ():
        if mark in line:
            highest = max(highest, _token(line, id))
    return highest


def _token(line: bytes, id: str) -> int:
    try:
        row = loads(line)
    except ValueError:
        return 0
    token = row.get("token") if isinstance(row, dict) and row.get("intent") == id else 0
    return token if isinstance(token, int) and not isinstance(token, bool) else 0
