"""What the journal says was written into an intent past its gates: a person looks first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from plastic.disk.files import names, read
from plastic.disk.paths import parent_of
from plastic.quickjson import loads

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent

LIMIT = 1 << 30  # bytes of one journal
MARK = b'"taint"'
KEYS = ("at", "path", "what", "session", "agent", "command")


def taints(home: Home, intent: Intent) -> list[dict[str, Any]]:
    """Every taint of this intent, oldest first: when, which path, while which command ran."""
    found = []
    folder = parent_of(home.log)
    for name in sorted(names(folder)) if os.path.isdir(folder) else ():
        if name.endswith(".jsonl"):
            for row in _rows(f"{folder}/{name}"):
                if row.get("intent") in (intent.name, intent.id):
                    found.append({key: row.get(key) for key in KEYS})
    return sorted(found, key=lambda row: str(row["at"]))


def tainted(home: Home, intent: Intent) -> tuple[str, ...]:
    """The paths (or, without one, the reasons) of every taint of this intent, each once."""
    every = taints(home, intent)
    return tuple(dict.fromkeys(str(row["path"] or row["what"] or "unknown") for row in every))


def line(taint: dict[str, Any]) -> str:
    """One taint in words, for people."""
    what = f"{taint['what']} at {taint['at']}, while {taint['session']} ran: {taint['command']}"
    return f"{taint['path']} {what}" if taint["path"] else what


def _rows(path: str) -> list[dict[str, Any]]:
    try:
        data = read(path, LIMIT) or b""
    except OSError:
        return []
    found = []
    for part in data.split(b"\n") if MARK in data else ():
        if MARK not in part:
            continue
        try:
            row = loads(part)
        except ValueError:
            continue
        if isinstance(row, dict) and row.get("event") == "taint":
            found.append(row)
    return found
