"""Reads the journal, its rotated parts included, and follows it as events come."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from plastic.disk.atomic import same
from plastic.disk.files import lstat, names, open_regular, read_fd
from plastic.quickjson import loads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.disk.home import Home

LIMIT = 64 << 20  # bytes of one part; it is rotated at 10 MB
LOOK_EVERY = 0.2  # seconds


def recent(home: Home, number: int, kind: str | None = None) -> list[dict[str, Any]]:
    """The newest events, oldest first; lines that are no event are passed over."""
    folder, _, current = home.log.rpartition("/")
    stem = current.removesuffix(".jsonl")
    older = [name for name in names(folder) if name.startswith(f"{stem}.") and name != current]
    found: list[dict[str, Any]] = []
    for name in [current, *reversed([one for one in older if one.endswith(".jsonl")])]:
        found = _rows(_bytes(f"{folder}/{name}")[0], kind) + found
        if len(found) >= number:
            break
    return found[-number:] if number else []


def follow(home: Home, number: int, kind: str | None = None) -> Iterator[dict[str, Any]]:
    """The newest events, then every one that comes, for ever; rotation is followed."""
    data, seen = _bytes(home.log)
    place = data.rfind(b"\n") + 1
    rows = _rows(data[:place], kind)
    yield from rows[-number:] if number else []
    while True:
        time.sleep(LOOK_EVERY)
        now = lstat(home.log)
        if now is None or same(now, seen):
            continue
        moved = seen is None or now.st_ino != seen.st_ino
        data, seen = _bytes(home.log)
        if moved or len(data) < place:
            place = 0
        whole = data.rfind(b"\n") + 1
        yield from _rows(data[place:whole], kind)
        place = max(place, whole)


def _bytes(path: str) -> tuple[bytes, os.stat_result | None]:
    """Content and stat of one part; nothing when it is absent or cannot be read."""
    try:
        opened = open_regular(path)
    except OSError:
        return b"", None
    if opened is None:
        return b"", None
    try:
        return read_fd(opened[0], LIMIT), opened[1]
    except OSError:
        return b"", None
    finally:
        os.close(opened[0])


def _rows(data: bytes, kind: str | None) -> list[dict[str, Any]]:
    found = []
    for line in data.split(b"\n"):
        try:
            row = loads(line) if line else None
        except ValueError:
            continue
        if isinstance(row, dict) and (kind is None or kind in (row.get("event"), row.get("kind"))):
            found.append(row)
    return found
