"""The journal of a relay: each event as a line, durable before anything follows from it.

The first line tells the schema and, once the journal was cut, the state it goes on from. A line
without an end was never durable: it is dropped. Whoever writes holds the relay's guard.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.files import append, exists, move, open_regular, replace, sync_dir
from plastic.disk.relay.place import SCHEMA, check, record, write
from plastic.disk.tree import cut
from plastic.words import Broken

if TYPE_CHECKING:
    from plastic.disk.relay.place import Place

LONGEST = 2 << 20  # bytes; then the journal begins anew, with one older one kept
MOST = 64 << 20  # bytes that are read of one


class Read(NamedTuple):
    """What a journal holds: the state it starts from (None: nothing), the rows, where it ends."""

    base: dict[str, Any] | None
    seq: int
    rows: list[dict[str, Any]]
    end: int


def begin(place: Place, base: dict[str, Any] | None = None, seq: int = 0) -> None:
    """Start a journal, from a state; the one before is kept beside it."""
    if exists(place.journal):
        move(place.journal, f"{place.journal}.old")
    head = {"schema": SCHEMA, "relay": place.name, "seq": seq, "base": base}
    replace(place.journal, (json.dumps(head) + "\n").encode(), 0o600)


def add(place: Place, row: dict[str, Any]) -> int:
    """Write one row and wait until it is durable; its length in bytes."""
    line = json.dumps(row) + "\n"
    append(place.journal, line)
    sync_dir(place.journal)
    return len(line)


def mend(place: Place) -> None:
    """Take away a last line without an end: a later row would complete it to one that counts."""
    data, _ = _bytes(place, 0)
    tail = data[_lines(data)[1] :]
    if tail:
        cut(place.journal, tail)


def read_rows(place: Place) -> Read:
    """Everything from the first line; Broken when there is no journal that can be read."""
    data, _ = _bytes(place, 0)
    lines, end = _lines(data)
    head = _value(lines[0]) if lines else None
    if head is None:
        why = f"{place.journal} has no first line that can be read"
        raise Broken("relay-journal", why, run=f"head -c 300 {place.journal}")
    check(head, place.journal)
    rows = [row for row in map(_value, lines[1:]) if row is not None]
    base, seq = head.get("base"), head.get("seq", 0)
    return Read(base if isinstance(base, dict) else None, int(seq), rows, end)


def rows_after(place: Place, offset: int) -> tuple[list[dict[str, Any]], int] | None:
    """The rows from there on and where they end; None when the journal was cut since."""
    data, size = _bytes(place, offset)
    if size < offset:
        return None
    lines, end = _lines(data)
    return [row for row in map(_value, lines) if row is not None], offset + end


def save(place: Place, seq: int, offset: int, state: dict[str, Any]) -> None:
    """Keep the state as it is now: a cache, so that nobody reads the whole journal."""
    write(place.snapshot, {"schema": SCHEMA, "seq": seq, "offset": offset, "state": state})


def saved(place: Place) -> tuple[int, int, dict[str, Any]] | None:
    """What `save` kept: (seq, offset, state); None when it is not to be relied upon."""
    raw = record(place.snapshot)
    if raw is None:
        return None
    seq, offset, state = raw.get("seq"), raw.get("offset"), raw.get("state")
    if isinstance(seq, int) and isinstance(offset, int) and isinstance(state, dict):
        return seq, offset, state
    return None


def _bytes(place: Place, offset: int) -> tuple[bytes, int]:
    opened = open_regular(place.journal)
    if opened is None:
        why = f"{place.path} has no journal"
        raise Broken("relay-journal", why, run=f"ls -la {place.path}")
    fd, seen = opened
    try:
        size = seen.st_size
        return os.pread(fd, max(0, min(size, MOST) - offset), offset), size
    finally:
        os.close(fd)


def _lines(data: bytes) -> tuple[list[bytes], int]:
    """The lines that have an end, and where the last one ends."""
    *lines, _ = data.split(b"\n")
    return lines, sum(len(line) + 1 for line in lines)


def _value(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
