"""What the journal and an intent's own files tell a session that starts: read, never believed.

The journal says where to look; the lock files say what is.
"""

from __future__ import annotations

from plastic.disk.clock import iso
from plastic.disk.files import read
from plastic.disk.troubles import tail
from plastic.quickjson import loads
from plastic.rules import briefing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Intent
    from plastic.work.gate.sight import Grip, Sight

CLEARED = 300.0  # seconds in which the end of a session explains the start of another
LIMIT = 1 << 20  # bytes
DISPOSITIONS = ("delivered", "abandoned")
MOVES = ("takeover", "transfer")


def _rows(sight: Sight, *needles: str) -> list[dict[str, Any]]:
    """The recent rows that contain all these texts, oldest first."""
    wanted = [one.encode("utf-8", "surrogateescape") for one in needles]
    found = []
    for line in tail(sight.home.log).split(b"\n"):
        if not all(one in line for one in wanted):
            continue
        try:
            row = loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            found.append(row)
    return found


def losses(sight: Sight) -> list[str]:
    """The locks that this session had and somebody else holds now."""
    if not sight.session:
        return []
    gone: dict[str, dict[str, Any]] = {}
    for row in _rows(sight, '"previous"', sight.session):
        if row.get("event") in MOVES and row.get("previous") == sight.session:
            gone[str(row.get("intent"))] = row
    found = []
    for grip in sight.grips() if gone else []:
        lock = grip.view.lock
        if lock is not None and not grip.mine and grip.intent.id in gone:
            found.append(briefing.lost(grip.intent.name, grip.intent.id, lock.owner))
    return found


def behind(sight: Sight) -> list[str]:
    """After `clear`: what the session held under the id that it had before."""
    if sight.use.source != "clear" or not sight.session:
        return []
    oldest = iso(sight.now - CLEARED)  # such times compare as they sort
    for row in reversed(_rows(sight, '"session-end"', '"clear"')):
        old = row.get("session")
        if row.get("event") != "session-end" or row.get("hook") != sight.use.harness:
            continue
        if row.get("cwd") != sight.use.cwd or old == sight.session or not isinstance(old, str):
            continue
        if str(row.get("at")) < oldest:
            break
        return [
            briefing.left_behind(
                grip.intent.name, grip.intent.id, old, sight.session, grip.view.lock.token
            )
            for grip in sight.grips()
            if grip.view.lock is not None and grip.view.lock.owner == old
        ]
    return []


def taints(sight: Sight, mine: list[Grip]) -> list[str]:
    """What was written past the gates into the intents that this session holds, each path once."""
    held = {grip.intent.name: grip.intent for grip in mine}
    found = []
    for row in _rows(sight, '"taint"') if held else []:
        intent = held.get(str(row.get("intent")))
        if row.get("event") == "taint" and intent is not None:
            found.append(briefing.tainted(intent.name, intent.id, str(row.get("path") or "")))
    return list(dict.fromkeys(found))


def begun_end(intent: Intent) -> list[str]:
    """An End that was cut short."""
    try:
        raw = loads(read(f"{intent.dir}/.end.json", LIMIT) or b"null")
    except (OSError, ValueError):
        return []
    how = raw.get("disposition") if isinstance(raw, dict) else None
    return [briefing.end_begun(intent.name, intent.id, how)] if how in DISPOSITIONS else []
