"""The chain of reasons: from an item to its worst blocker, and on, until something decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.blockers import INVALID, STALLED, WAITING
from plastic.rules.backlog.items import natural
from plastic.rules.backlog.ready import Facts, Reason, cause, text
from plastic.rules.backlog.reports import own, route_text
from plastic.store.rows import Row, find, item_of, route_of

if TYPE_CHECKING:
    from plastic.store.flight import Flight

_RANKS = {"invalid": INVALID, "stalled": STALLED, "waiting": WAITING}


def chain(flight: Flight, row: Row, region: str) -> list[Reason]:
    """One reason an item; the last one is what has to change first."""
    found: list[Reason] = []
    visited: set[str] = set()
    here: Row | None = row
    while here is not None and here.id not in visited:
        visited.add(here.id)
        # A blocker is asked whether it can end at all, wherever it is worked on.
        reason = _reason(flight, here, region if here is row else None)
        found.append(reason)
        here = _follow(flight, reason)
    return found


def _reason(flight: Flight, row: Row, region: str | None) -> Reason:
    facts = flight.facts(row, region)
    why = cause(facts)
    if why is None:
        how = "may be taken over" if facts.hold == "lapsed" else "is ready"
        return Reason(row.id, "ready", how)
    said = text(why, facts)
    on = _on(flight, row, why.code, facts)
    if why.code == "parked":
        said = f"is parked: {route_text(route_of(row))}"
    elif why.code in ("defect", "vocabulary"):
        said += ": " + "; ".join(one.text for one in own(item_of(flight.tx, row)))
    elif why.code == "cycle":
        rows = flight.tx.all("SELECT text FROM reports WHERE item = ? AND code = 'D17'", row.n)
        said += f": {rows[0][0] if rows else row.id}"
    elif on:
        said += f": {', '.join(on)}"
    return Reason(row.id, why.code, said, on)


def _on(flight: Flight, row: Row, code: str, facts: Facts) -> tuple[str, ...]:
    """The items that a reason comes from."""
    tx = flight.tx
    if code in _RANKS:
        found = tx.all(
            "SELECT i.id FROM edges e JOIN items i ON i.n = e.target WHERE e.source = ? "
            "AND e.relation = 'blockedBy' AND e.rank = ? ORDER BY i.sort",
            row.n,
            _RANKS[code],
        )
        return tuple(id for (id,) in found)
    if code == "grouping":
        found = tx.all("SELECT id FROM items WHERE integrates = ? ORDER BY sort", row.n)
        return tuple(id for (id,) in found)
    if code == "siblings_active":
        return facts.siblings
    if code == "resource_busy":
        up = {one.n: one.id for one in flight.up}
        return tuple(sorted({up[flight.resources[name]] for name in facts.busy}, key=natural))
    return (facts.joining,) if code == "integration_held" else ()


def _follow(flight: Flight, reason: Reason) -> Row | None:
    """Whom to ask next; nobody when this reason decides by itself."""
    if reason.code in ("ready", "cycle", "complete", "parked", "resource_busy") or not reason.on:
        return None
    return find(flight.tx, flight.door.project, reason.on[0])
