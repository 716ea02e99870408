"""A sign of life that another program writes for an agent whose window has ended while it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.pen.block import TTL
from plastic.rules.pen.clock import seconds

if TYPE_CHECKING:
    from typing import Any

    from plastic.rules.pen.block import Pen

FOLDER = "holder-heartbeats"
FLOOR = 120  # seconds that one counts for at least
# Who writes it again and again, watching the agent; what a claim writes once proves nothing.
SOURCES = ("runtime-listener", "wrapper")


def counts(beat: dict[str, Any], pen: Pen, now: int) -> str:
    """When it was written, if it is of this very window and recent; "" for one that proves nothing.

    It counts for two of the periods that it names. A damaged one, or one of the future, protects
    nobody: a pen must never become impossible to recover.
    """
    window = (pen.get("session"), pen.get("turn"), pen.get("state"), pen.get("holder").lower())
    named = tuple(str(beat.get(key, "")) for key in ("session", "turn", "state", "agent"))
    period, at = beat.get("cadence_seconds"), beat.get("written_at")
    if named != window or beat.get("source") not in SOURCES or type(period) is not int:
        return ""
    written = seconds(at) if isinstance(at, str) else None
    if written is None or not 1 <= period <= TTL:
        return ""
    is_recent = 0 <= now - written <= max(FLOOR, min(2 * period, TTL))
    return str(at) if is_recent else ""
