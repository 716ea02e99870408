"""A bound item that is given back or parked: the lock of its intent goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.answers import Fence
from plastic.work.backlog.claims import require_lock
from plastic.work.lock.release import release

if TYPE_CHECKING:
    from plastic.work.backlog.place import Backlog


def own_fence(backlog: Backlog, id: str) -> Fence | None:
    """What the holder of the lock presents without typing it; nobody else ends what it delivers."""
    found = require_lock(backlog, id, backlog.caller.session)
    return Fence(found.lock.token) if found is not None else None


def leave(backlog: Backlog, id: str) -> str:
    """Release this session's lock of an item that it no longer holds; what is said of it."""
    found = require_lock(backlog, id, backlog.caller.session)
    if found is None:
        return ""
    release(backlog.home, found.intent, backlog.caller)
    return f"; {found.intent.name} is released"
