"""The journal of a relay: each event as a line, durable before anything follows from it.

The first line tells the schema and, once the journal was cut, the state it goes on from. A line
without an end was never durable: it is dropped. Events are numbered: where one is missing, or
cannot be read, the journal is refused instead of guessed. Whoever writes holds the relay's guard.
"""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.files import append, exists, open_regular, remove, replace, sync_dir
from plastic.disk.relay.place import SCHEMA, check, record, write
from plastic.disk.tree import cut, hard_link
from plastic.words import Broken

if TYPE_CHECKING:
    from plastic.disk.relay.place import Place

LONGEST = 2 << 20  # bytes; then the journal begins anew, with one older one kept
MOST = 64 << 20  # bytes that are read of one


class Read(NamedTuple):
    """What a journal holds: the state it starts from (None: nothing), the rows, where it ends.

    `mark` is what it starts from too, of a child.
    """

    base: dict[str, Any] | None
    seq: int
    mark: object
    rows: list[dict[str, Any]]
    end: int


class Saved(NamedTuple):
    """A state as it was after an event, and how long the journal was then."""

    seq: int
    offset: int
    state: dict[str, Any]


def begin(
    place: Place,
    base: dict[str, Any] | None = None,
    seq: int = 0,
    mark: tuple[int, ...] | None = None,
) -> None:
    """Start a journal, from a state; the one before is kept beside it.

    The name is never free in between: a relay without a journal is none.
    """
    if exists(place.journal):
        remove(f"{place.journal}.old")
        hard_link(place.journal, f"{place.journal}.old")
    head = {"schema": SCHEMA, "relay": place.name, "seq": seq, "base": base, "mark": mark}
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
    """Everything from the first line; Broken when that cannot be read, or an event is missing."""
    data, _ = _bytes(place, 0)
    lines, end = _lines(data)
    head = _value(lines[0]) if lines else None
    if head is not None:
        check(head, place.journal)
    base = head.get("base") if head else None
    if head is None or not isinstance(head.get("seq"), int) or not isinstance(base, dict | None):
        raise unreadable(place, "has no first line that can be read")
    return Read(base, head["seq"], head.get("mark"), _rows(place, lines[1:], head["seq"]), end)


def rows_after(place: Place, offset: int, seq: int) -> list[dict[str, Any]] | None:
    """The rows from there on; None when the journal was cut since."""
    data, size = _bytes(place, offset)
    if size < offset:
        return None
    return _rows(place, _lines(data)[0], seq)


def unreadable(place: Place, why: str) -> Broken:
    """A journal that nobody can go on from: put aside, it is in nobody's way, and not lost."""
    path = shlex.quote(place.path)
    run = f"mv {path} {path}.unreadable"
    return Broken("relay-journal", f"the journal of relay {place.name} {why}", run=run)


def _rows(place: Place, lines: list[bytes], seq: int) -> list[dict[str, Any]]:
    """The rows of lines that follow the event `seq`."""
    rows = []
    for row in map(_value, lines):
        if row is None or not isinstance(row.get("seq"), int):
            continue  # if it was an event, its number is missed below
        if isinstance(row.get("event"), dict) and isinstance(row.get("row"), str):
            if row["seq"] != seq + 1:
                raise unreadable(place, f"lacks event {seq + 1}")
            seq += 1
            rows.append(row)
        elif isinstance(row.get("did"), int):
            rows.append(row)
    return rows


def save(place: Place, seq: int, offset: int, state: dict[str, Any]) -> None:
    """Keep the state as it is now: a cache, so that nobody reads the whole journal."""
    write(place.snapshot, {"schema": SCHEMA, "seq": seq, "offset": offset, "state": state})


def saved(place: Place) -> Saved | None:
    """What `save` kept; None when it is not to be relied upon."""
    raw = record(place.snapshot)
    if raw is None:
        return None
    seq, offset, state = raw.get("seq"), raw.get("offset"), raw.get("state")
    if isinstance(seq, int) and isinstance(offset, int) and isinstance(state, dict):
        return Saved(seq, offset, state) if offset >= 0 else None
    return None


def _bytes(place: Place, offset: int) -> tuple[bytes, int]:
    opened = open_regular(place.journal)
    if opened is None:
        raise unreadable(place, "is not there")
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
