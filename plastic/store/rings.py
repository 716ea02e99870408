"""Cycles in the database: the search before an edge is written, and the rings of an import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog import cycles
from plastic.rules.backlog.whole import ring
from plastic.store.sheet import replace

if TYPE_CHECKING:
    from plastic.store.tx import Tx

_ONWARD = (
    "SELECT t.n, t.sort FROM edges e JOIN items t ON t.n = e.target "
    "WHERE e.source = ? AND e.relation = 'blockedBy' AND t.state NOT IN ('complete', 'missing') "
    "UNION SELECT n, sort FROM items "
    "WHERE integrates = ? AND state NOT IN ('complete', 'missing') ORDER BY 2"
)


def onward(tx: Tx, n: int) -> list[int]:
    """Whom an unfinished item waits for; a grouping waits for its integration item."""
    return [int(found[0]) for found in tx.all(_ONWARD, n, n)]


def closing(tx: Tx, n: int) -> list[int] | None:
    """The cycle through an item, over unfinished items only; None when it is in none."""
    return cycles.path(n, n, lambda one: onward(tx, one))


def recheck(tx: Tx, project: str) -> None:
    """Rings only shrink by ordinary writes: look again at the items that were in one."""
    rows = tx.all("SELECT n, id FROM items WHERE project = ? AND cyclic = 1 ORDER BY sort", project)
    names = dict(rows)
    numbers = {id: n for n, id in names.items()}
    open_ = {
        n
        for n in names
        if tx.value("SELECT state FROM items WHERE n = ?", n) not in ("complete", "missing")
    }
    graph = {
        names[n]: [names[one] for one in onward(tx, n) if one in open_] if n in open_ else []
        for n in names
    }
    rings = cycles.rings(graph)
    for id, n in numbers.items():
        replace(tx, project, n, "ring", [ring(id, rings[id])] if id in rings else [])
        if id not in rings:
            tx.run("UPDATE items SET cyclic = 0 WHERE n = ?", n)
