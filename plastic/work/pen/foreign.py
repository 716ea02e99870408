"""Whose pen of a tree is in somebody's way: asked by the gate, by `status` and by End.

Hot, but loaded only where a pen file is there. The block at the top of the file is all that is
read of it, however long the journal is.
"""

from __future__ import annotations

import time

from plastic.disk.files import names, read
from plastic.disk.penfile import head
from plastic.disk.penplace import Place, bound_file, place_of
from plastic.quickjson import loads
from plastic.rules.pen.block import faults, holder, is_stale, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST = 8192  # bytes of the note about one session


def bound(place: Place, session: str) -> dict[str, str]:
    """`agent` and `pen_id` of a session; empty when it is not bound."""
    return note(bound_file(place, session)) if session else {}


def note(path: str) -> dict[str, str]:
    """What is kept about one session; a damaged note says nothing."""
    try:
        found = loads(read(path, _MOST) or b"{}")
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_others(place: Place, session: str, opened: str) -> bool:
    """Whether another session that is bound here opened the window with this token."""
    folder = f"{place.hidden}/sessions"
    notes = (note(f"{folder}/{name}") for name in names(folder))
    return any(one.get("pen_id") == opened and one.get("session") != session for one in notes)


class Foreign:
    """Somebody else has the pen: who, since when, and whether its window is still open."""

    __slots__ = ("is_fresh", "since", "who")

    def __init__(self, who: str, since: str, *, is_fresh: bool) -> None:
        self.who = who
        self.since = since
        self.is_fresh = is_fresh


def foreign(
    folder: str, session: str, env: Mapping[str, str], agent: str = "", now: float | None = None
) -> Foreign | None:
    """Who else has the pen of the checkout at `folder`; None without a pen, or when nobody has.

    `agent` is whose pen the caller acts under, where it is not what the session is bound to.
    A linked worktree is nobody's turn: the pen is that of the main checkout.
    """
    place = place_of(folder, env)
    text = head(place.file) if place.folder == folder.rstrip("/") else None
    if text is None:
        return None
    block = split(text, place.form)
    if block is None or faults(block):
        return Foreign("unknown (corrupt block)", "", is_fresh=True)
    me = agent or bound(place, session).get("agent", "")
    if holder(block) in ("", me):
        return None
    moment = int(time.time() if now is None else now)
    return Foreign(holder(block), block.get("since"), is_fresh=not is_stale(block, moment))
