"""Carries the heartbeats of bound intents into the leases of their items.

A hook renews the lock and opens no database. Whoever asks the backlog of this home looks at the
locks first: so an item is as alive as the lock of its intent, and no process runs beside us.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.held import lock_paths
from plastic.disk.lockfile import look
from plastic.disk.paths import parent_of
from plastic.rules.backlog.answers import Fence
from plastic.rules.intent.names import split
from plastic.words import Intent

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.store.protocol import Store
    from plastic.words import Lock, LockView


class Tied(NamedTuple):
    """A held lock that is bound to an item of one project."""

    item: str
    intent: Intent
    view: LockView

    @property
    def lock(self) -> Lock:
        """The lock, which names the item."""
        assert self.view.lock is not None
        return self.view.lock


def tied(home: Home, project: str) -> list[Tied]:
    """The held locks that name an item of this project: as many reads as there are held locks."""
    store = home.store(project)
    found = []
    for path in lock_paths(home):
        parts = split(parent_of(path)[len(store) + 1 :]) if path.startswith(f"{store}/") else None
        view = look(path)
        item = view.lock.raw.get("item") if view.lock is not None else None
        if parts is not None and isinstance(item, str) and item:
            found.append(Tied(item, Intent(*parts, parent_of(path), project), view))
    return found


def lock_of(home: Home, store: Store, id: str) -> Tied | None:
    """The held lock of the intent that delivers this item."""
    locks = tied(home, store.project)
    item = store.item(id) if locks else None
    return next((one for one in locks if item is not None and one.item == item.id), None)


def overdue(store: Store, locks: list[Tied]) -> list[Tied]:
    """Those whose item has less than half of its lease left, counted from the last heartbeat.

    A lock that is not heard any more, and not stale yet, keeps its item to the last second.
    """
    found = []
    for one in locks:
        now = store.status(one.item)
        heard = one.view.heartbeat
        if now.token != one.lock.token or now.expires is None or heard is None:
            continue
        share = one.lock.ttl if now.state == "lapsed" else one.lock.ttl / 2
        if heard > now.expires - share:
            found.append(one)
    return found


def carry(store: Store, locks: list[Tied]) -> None:
    """Let the leases of these items run from the last heartbeat of their locks."""
    for one in locks:
        store.renew(one.item, Fence(one.lock.token), heard=one.view.heartbeat)
