"""Work that an agent says goes on after its turn: one file a task in a folder of the turn.

`{"state": "running", "label": "the long tests"}`, and later `done` or `failed` instead. Whoever
does the work writes it; only what runs counts.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from plastic.disk.files import make_dirs, names, read

if TYPE_CHECKING:
    from plastic.disk.relay.turn import Turn

VARIABLE = "RELAY_BACKGROUND"
MOST = 100  # tasks of one turn
LONGEST = 64 * 1024  # bytes of a file
SHOWN = 120  # characters of a label


def folder(turn: Turn) -> str:
    """Where the files of a turn are; made with it."""
    path = turn.file("background")
    make_dirs(path, 0o700)
    return path


def running(turn: Turn) -> dict[str, str]:
    """Each task that runs, with its label. What is no such file says nothing."""
    path = turn.file("background")
    found = {}
    for name in [one for one in names(path) if one.endswith(".json")][:MOST]:
        try:
            raw = json.loads(read(os.path.join(path, name), LONGEST) or b"null")
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(raw, dict) and raw.get("state") == "running":
            label = raw.get("label")
            found[name.removesuffix(".json")] = label[:SHOWN] if isinstance(label, str) else name
    return found
