"""Whether a prompt has begun in a child that is gone: its transcript has the delivery's id."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plastic.disk.relay.turn import Turn
    from plastic.harness.agents.shape import Adapter

PIECE = 1 << 20  # bytes that are looked through at once
MOST = 1 << 28  # bytes of one transcript


def proof(turn: Turn, adapter: Adapter, named: str, cwd: str) -> str:
    """found, or unknown: that nothing is to be found proves nothing.

    For a child that was begun. One that reads its prompt from stdin has had it then.
    """
    if adapter.caps.proof == "stdin":
        return "found"
    home = os.path.expanduser("~")
    needle = turn.delivery.encode()
    for pattern in adapter.transcripts(glob.escape(named), home, cwd):
        for path in sorted(glob.glob(pattern)):
            if _holds(path, needle):
                return "found"
    return "unknown"


def _holds(path: str, needle: bytes) -> bool:
    """Whether a file has these bytes somewhere; one that cannot be read says nothing."""
    kept = b""
    try:
        with open(path, "rb") as file:
            while file.tell() < MOST and (piece := file.read(PIECE)):
                if needle in kept + piece:
                    return True
                kept = piece[-len(needle) :]
    except OSError:
        pass
    return False
