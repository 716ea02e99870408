"""What the journal says was written into an intent past its gates: a person looks first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.files import names, parent_of, read
from plastic.quickjson import loads

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent

LIMIT = 1 << 30  # bytes of one journal
MARK = b'"taint"'


def tainted(home: Home, intent: Intent) -> tuple[str, ...]:
    """The paths (or, without one, the reasons) of every taint of this intent, each once."""
    found: dict[str, None] = {}
    folder = parent_of(home.log)
    for name in sorted(names(folder)) if os.path.isdir(folder) else ():
        if name.endswith(".jsonl"):
            for row in _rows(f"{folder}/{name}"):
                if row.get("intent") in (intent.name, intent.id):
                    found[str(row.get("path") or row.get("what") or "unknown")] = None
    return tuple(found)


def _rows(path: str) -> list[dict[str, object]]:
    try:
        data = read(path, LIMIT) or b""
    except OSError:
        return []
    found = []
    for line in data.split(b"\n") if MARK in data else ():
        if MARK not in line:
            continue
        try:
            row = loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and row.get("event") == "taint":
            found.append(row)
    return found
