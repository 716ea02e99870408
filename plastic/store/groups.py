"""A grouping as the database sees it: members, integration items, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.grouping import Group, reports, unjoined
from plastic.store.sheet import replace

if TYPE_CHECKING:
    from plastic.store.rows import Row
    from plastic.store.tx import Tx

_DONE = "(state = 'complete' AND (pull IS NULL OR pull_state IN ('', 'merged')))"
_CLOSERS = (
    f"SELECT count(*), count(CASE WHEN {_DONE} THEN 1 END) "  # noqa: S608 - a condition of ours
    "FROM items WHERE integrates = ?"
)


def closed(tx: Tx, n: int) -> bool:
    """Whether every integration item of this grouping is complete, and it has one."""
    total, done = tx.one(_CLOSERS, n) or (0, 0)
    return bool(total) and total == done


def group_of(tx: Tx, row: Row) -> Group:
    """The grouping behind one row."""
    closers = tx.all("SELECT n, id FROM items WHERE integrates = ? ORDER BY sort", row.n)
    members = tx.all(
        "SELECT n, id, kind, members + closers, state, "  # noqa: S608 - a condition of ours
        f"{_DONE} FROM items WHERE part_of = ? AND integrates IS NOT ? ORDER BY sort",
        row.n,
        row.n,
    )
    loose: list[str] = []
    if len(closers) == 1:
        joined = {
            target
            for (target,) in tx.all(
                "SELECT target FROM edges WHERE source = ? AND relation = 'blockedBy'",
                closers[0][0],
            )
        }
        loose = [id for n, id, *_ in members if n not in joined]
    still = 0
    for n, _, kind, below, state, done in members:
        if kind == "grouping" or below:
            still += state in ("parked", "invalid") or not closed(tx, n)
        else:
            still += not done
    return Group(
        row.id,
        tuple(id for _, id, *_ in members),
        tuple(id for _, id in closers),
        still,
        closed(tx, row.n),
        tuple(loose),
    )


def settle_group(tx: Tx, project: str, row: Row) -> None:
    """Write D20 and D21 of one grouping, and whether its integration item may be offered."""
    group = group_of(tx, row)
    there = row.state != "missing"
    replace(tx, project, row.n, "group", reports(group) if there else [])
    tx.run(
        "UPDATE items SET unjoined = ? WHERE integrates = ? AND unjoined <> ?",
        int(unjoined(group)),
        row.n,
        int(unjoined(group)),
    )
