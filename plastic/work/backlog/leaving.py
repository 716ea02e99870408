"""A bound item that is given back or parked: the lock of its intent goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.answers import Fence
from plastic.work.backlog.heartbeats import tied
from plastic.work.lock.release import release

if TYPE_CHECKING:
    from plastic.work.backlog.heartbeats import Tied
    from plastic.work.backlog.place import Backlog


def own(backlog: Backlog, id: str) -> Tied | None:
    """The lock of this session that is bound to an item."""
    item = backlog.store.item(id)
    locks = tied(backlog.home, backlog.project.slug) if item is not None else []
    mine = [one for one in locks if one.lock.owner == backlog.caller.session]
    return next((one for one in mine if item is not None and one.item == item.id), None)


def own_fence(backlog: Backlog, id: str) -> Fence | None:
    """What the holder of the lock presents without typing it."""
    found = own(backlog, id)
    return Fence(found.lock.token) if found is not None else None


def leave(backlog: Backlog, id: str) -> str:
    """Release this session's lock of an item that it no longer holds; what is said of it."""
    found = own(backlog, id)
    if found is None:
        return ""
    release(backlog.home, found.intent, backlog.caller)
    return f"; {found.intent.name} is released"
