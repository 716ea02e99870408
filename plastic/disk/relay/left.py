"""Hand-offs that wait for the next session of a repository: a file each, given to one of them.

The first line says for which repository and from which session; the rest is the text.
"""

from __future__ import annotations

import time

from plastic.disk.files import make_dirs, move, names, publish, read
from plastic.quickjson import dumps, loads

FOLDER = "relay/.left"
TAKEN = "taken"
LONGEST = 128 * 1024  # bytes


def leave(root: str, key: str, session: str, text: str) -> str:
    """Leave a text for whoever comes next where `key` is; its file."""
    folder = f"{root}/{FOLDER}"
    make_dirs(f"{folder}/{TAKEN}", 0o700)
    head = dumps({"key": key, "session": session})
    while True:
        path = f"{folder}/{time.time_ns():020}.md"
        if publish(path, f"{head}\n{text}".encode("utf-8", "surrogateescape"), 0o600):
            return path


def take(root: str, key: str, session: str) -> list[tuple[str, str, str]]:
    """(from whom, text, where it is kept) of what waits here; nobody else is given it again."""
    folder = f"{root}/{FOLDER}"
    found = []
    for name in names(folder):
        head, text = _read(f"{folder}/{name}") if name.endswith(".md") else ({}, "")
        if head.get("key") != key or head.get("session") == session:
            continue
        kept = f"{folder}/{TAKEN}/{name}"
        try:
            move(f"{folder}/{name}", kept)
        except OSError:
            continue  # another session was first
        found.append((str(head.get("session") or ""), text, kept))
    return found


def _read(path: str) -> tuple[dict[str, object], str]:
    """What such a file says; an empty head for one that is none."""
    try:
        head, _, text = (read(path, LONGEST) or b"").partition(b"\n")
        raw = loads(head)
    except (OSError, ValueError):
        return {}, ""
    return (raw if isinstance(raw, dict) else {}), text.decode("utf-8", "replace")
