"""The counters of one transaction: what a change of one item means for those that look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.quickjson import dumps
from plastic.rules.backlog.blockers import CLASSES, STALLED, WAITING, observe, rank
from plastic.rules.backlog.reports import keeps_out, of_edges, own
from plastic.store.groups import group_of, settle_group
from plastic.store.rings import recheck
from plastic.store.rows import Row, build, by_n, item_of, route_of
from plastic.store.schema import READY
from plastic.store.sheet import replace, shift

if TYPE_CHECKING:
    from plastic.store.tx import Tx

_COUNTERS = {rank: name for rank, name in enumerate(CLASSES) if rank}
_STATEMENTS: dict[tuple[str, ...], str] = {}


class Book:
    """Every write of items and edges goes through one of these, and ends in `settle`."""

    def __init__(self, tx: Tx, project: str) -> None:
        self.tx = tx
        self.project = project
        self.dirty: set[int] = set()
        self.groups: set[int] = set()
        self.freed: list[int] = []
        self.ringed = False

    def change(self, row: Row, **columns: Any) -> Row:
        """Write columns of one item, and count what is pending."""
        names = tuple(columns)
        if names not in _STATEMENTS:
            pairs = ", ".join(f"{name} = ?" for name in names)
            _STATEMENTS[names] = f"UPDATE items SET {pairs} WHERE n = ?"  # noqa: S608 - our columns
        self.tx.run(_STATEMENTS[names], *columns.values(), row.n)
        after = row._replace(**columns)
        if after.pending != row.pending:
            shift(self.tx, self.project, "pending", 1 if after.pending else -1)
        self.ringed = self.ringed or bool(after.cyclic)
        return after

    def seen(self, row: Row) -> str:
        """What an observer of this item sees."""
        container = row.container
        return observe(
            row.state,
            pull_state=row.pull_state if row.pull is not None else "",
            container=container,
            closed=container and group_of(self.tx, row).closed,
        )

    def spread(self, row: Row) -> None:
        """Tell everybody who waits for this item, and its grouping, what it is now.

        A grouping closes with its integration item; an import may have bent that into a ring.
        """
        here: Row | None = row
        told: set[int] = set()
        while here is not None and here.n not in told:
            told.add(here.n)
            self._tell(here)
            here = by_n(self.tx, here.integrates) if here.integrates is not None else None

    def _tell(self, row: Row) -> None:
        new = rank(self.seen(row))
        moved = self.tx.all(
            "SELECT source, rank FROM edges "
            "WHERE target = ? AND relation = 'blockedBy' AND rank <> ?",
            row.n,
            new,
        )
        if moved:
            self.tx.run(
                "UPDATE edges SET rank = ? WHERE target = ? AND relation = 'blockedBy'", new, row.n
            )
            for source, old in moved:
                self.recount(source, old, new)
        for epic in (row.part_of, row.integrates):
            if epic is not None:
                self.groups.add(epic)

    def recount(self, source: int, old: int, new: int) -> None:
        """One edge of an item has another worth; None-like rank 0 is satisfied or no edge."""
        sets = []
        if old in _COUNTERS:
            sets.append(f"{_COUNTERS[old]} = {_COUNTERS[old]} - 1")
        if new in _COUNTERS:
            sets.append(f"{_COUNTERS[new]} = {_COUNTERS[new]} + 1")
        if sets:
            self.tx.run(f"UPDATE items SET {', '.join(sets)} WHERE n = ?", source)  # noqa: S608
        if max(old, new) >= STALLED:
            self.dirty.add(source)
        if old > new:
            self.freed.append(source)

    def attach(self, source: Row, target: Row) -> None:
        """A new edge of kind blockedBy."""
        worth = rank(self.seen(target))
        added = self.tx.run(
            "INSERT INTO edges (source, relation, target, rank) VALUES (?, 'blockedBy', ?, ?) "
            "ON CONFLICT DO NOTHING",
            source.n,
            target.n,
            worth,
        )
        if added:
            self.recount(source.n, 0, worth)
            self.joined(source)

    def detach(self, source: Row, target: int) -> bool:
        """Take an edge of kind blockedBy away; False when there was none."""
        worth = self.tx.value(
            "SELECT rank FROM edges WHERE source = ? AND relation = 'blockedBy' AND target = ?",
            source.n,
            target,
        )
        if worth is None:
            return False
        self.tx.run(
            "DELETE FROM edges WHERE source = ? AND relation = 'blockedBy' AND target = ?",
            source.n,
            target,
        )
        self.recount(source.n, worth, 0)
        self.ringed = self.ringed or bool(source.cyclic)
        self.joined(source)
        return True

    def joined(self, row: Row) -> None:
        """An integration item waits for others than before."""
        if row.integrates is not None:
            self.groups.add(row.integrates)

    def stale_dependents(self, n: int) -> None:
        """The reports of everybody who waits for this item name something that has changed."""
        for (source,) in self.tx.all(
            "SELECT source FROM edges WHERE target = ? AND relation = 'blockedBy'", n
        ):
            self.dirty.add(source)

    def settle(self) -> None:
        """Write the reports of everything that was touched."""
        if self.ringed:
            recheck(self.tx, self.project)
        for n in sorted(self.groups):
            settle_group(self.tx, self.project, by_n(self.tx, n))
        for n in sorted(self.dirty):
            self._report(by_n(self.tx, n))
        self.dirty.clear()
        self.groups.clear()

    def _report(self, row: Row) -> None:
        plain = row.part_of is None and row.integrates is None
        item = build(row, {}, {}) if plain else item_of(self.tx, row)
        found = own(item) if row.state != "missing" else []
        count = len(keeps_out(found))
        if row.stalled + row.invalid and row.state not in ("complete", "missing"):
            found += of_edges(item, self._bad_blockers(row))
        if found or row.reported:
            replace(self.tx, self.project, row.n, "item", found)
        if (count, len(found)) != (row.own, row.reported):
            self.tx.run(
                "UPDATE items SET own = ?, reported = ? WHERE n = ?", count, len(found), row.n
            )

    def _bad_blockers(self, row: Row) -> list[tuple[str, str, Any]]:
        found = []
        for (target,) in self.tx.all(
            "SELECT e.target FROM edges e JOIN items i ON i.n = e.target "
            "WHERE e.source = ? AND e.relation = 'blockedBy' AND e.rank > ? ORDER BY i.sort",
            row.n,
            WAITING,
        ):
            blocker = by_n(self.tx, target)
            found.append((blocker.id, self.seen(blocker), route_of(blocker)))
        return found

    def newly_ready(self) -> tuple[str, ...]:
        """Of the items that a change has set free those that are ready now."""
        found = []
        for n in dict.fromkeys(self.freed):
            id = self.tx.value(f"SELECT id FROM items WHERE n = ? AND {READY}", n)  # noqa: S608
            if id is not None:
                found.append(str(id))
        return tuple(found)

    def say(self, row: Row, kind: str, key: str, **payload: Any) -> None:
        """Put one message for the mirror into the outbox; by its key a mirror knows it again."""
        self.tx.run(
            "INSERT INTO outbox (project, item, kind, payload, key, at) VALUES (?, ?, ?, ?, ?, ?)",
            self.project,
            row.id,
            kind,
            dumps(payload),
            f"{self.project}/{row.id}/{key}",
            self.tx.now,
        )

    def remember(self, row: Row, actor: str, what: str, **detail: Any) -> None:
        """One line of the item's trail."""
        self.tx.run(
            "INSERT INTO trail (item, seq, at, actor, what, detail) VALUES (?, "
            "(SELECT coalesce(max(seq), 0) + 1 FROM trail WHERE item = ?), ?, ?, ?, ?)",
            row.n,
            row.n,
            self.tx.now,
            actor,
            what,
            dumps(detail),
        )
