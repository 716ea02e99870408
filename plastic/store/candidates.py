"""Who may be offered next, in order, read page by page however many are ready."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog.items import natural
from plastic.rules.backlog.ready import cause
from plastic.store.rows import by_n, where
from plastic.store.schema import READY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.store.flight import Flight
    from plastic.store.rows import Row

PAGE = 50  # candidates that are looked at in one read

# Only the number: mostly there is none, and to ask for a whole row costs as much as to read one.
_GREEN = "SELECT n FROM items WHERE project = ? AND pull_state = 'green' AND state = 'live'"


def radius(row: Row) -> set[str]:
    """The files that an item touches; research touches none."""
    return set() if row.phase == "research" else {path for path, _ in json.loads(row.anchors)}


def candidates(flight: Flight, region: str, most: int = 1000) -> Iterable[Row]:
    """Green pull requests first, then the partial index in its order, page by page."""
    tx, project = flight.tx, flight.door.project
    seen = set()
    green = [by_n(tx, n) for (n,) in tx.all(_GREEN, project)]
    # The few that are green are sorted here: a query that also asks for what is ready might walk
    # through all that is ready instead.
    for row in sorted(green, key=lambda one: (one.priority or "", one.created, natural(one.id))):
        if not row.claimed and row.region == region and cause(flight.facts(row, region)) is None:
            seen.add(row.n)
            yield row
    for start in range(0, most, PAGE):
        page = where(
            tx,
            f"WHERE project = ? AND region = ? AND {READY} "
            "ORDER BY priority, created, sort LIMIT ? OFFSET ?",
            project,
            region,
            1 if start == 0 else PAGE,
            0 if start == 0 else start - PAGE + 1,
        )
        yield from (row for row in page if row.n not in seen)
        if not page:
            return
