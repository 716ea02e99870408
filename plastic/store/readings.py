"""What changes nothing: items, the ready set, the chain of reasons, ledgers and the outbox."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.answers import Outgoing, Status
from plastic.rules.backlog.grants import eligible_at, state_of
from plastic.store.chain import chain
from plastic.store.flight import Flight
from plastic.store.look import look
from plastic.store.rows import build, find, ids, item_of, need, where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.items import Item
    from plastic.rules.backlog.ready import Ready, Reason
    from plastic.store.tx import Door, Tx


class Readings:
    """The part of a store that only looks."""

    def item(self: Door, id: str) -> Item | None:
        """One item by its id or alias; None when there is none."""
        with self.reading() as tx:
            row = find(tx, self.project, id)
            return item_of(tx, row) if row else None

    def items(self: Door) -> list[Item]:
        """Every item of the project, in natural order of their ids."""
        with self.reading() as tx:
            return every(tx, self.project)

    def status(self: Door, id: str) -> Status:
        """What one look at the claim shows, without the secret."""
        with self.reading() as tx:
            row = find(tx, self.project, id)
            if row is None:
                return Status(id, exists=False)
            state = state_of(row.grip, tx.now)
            return Status(
                row.id,
                exists=True,
                state=state,
                held=state == "held",
                token=row.token or None,
                released=row.released or None,
                owner=row.owner or None,
                region=row.claim_region or None,
                expires=row.expires or None,
                eligible=eligible_at(row.grip) if state == "lapsed" else None,
                attempts=row.attempts,
            )

    def dependents(self: Door, id: str) -> list[str]:
        """Who waits for this item."""
        with self.reading() as tx:
            row = need(tx, self.project, id)
            found = tx.all(
                "SELECT i.n FROM edges e JOIN items i ON i.n = e.source "
                "WHERE e.target = ? AND e.relation = 'blockedBy' ORDER BY i.sort",
                row.n,
            )
            return ids(tx, [n for (n,) in found])

    def ready(self: Door, region: str | None = None, most: int = 20, rows: int = 50) -> Ready:
        """The ready set with at most `most` items and `rows` rows of each report, all counted."""
        with self.reading() as tx:
            return look(Flight(tx, self), region or self.region, most, rows)

    def why(self: Door, id: str, region: str | None = None) -> list[Reason]:
        """The chain of reasons from this item to what decides."""
        with self.reading() as tx:
            return chain(Flight(tx, self), need(tx, self.project, id), region or self.region)

    def trail(self: Door, id: str) -> list[dict[str, Any]]:
        """What else happened to it, oldest first."""
        with self.reading() as tx:
            row = need(tx, self.project, id)
            return [
                {"at": at, "actor": actor, "what": what, **json.loads(detail)}
                for at, actor, what, detail in tx.all(
                    "SELECT at, actor, what, detail FROM trail WHERE item = ? ORDER BY seq", row.n
                )
            ]

    def outbox(self: Door, most: int = 100) -> list[Outgoing]:
        """What the mirror has not been told, oldest first."""
        with self.reading() as tx:
            return [
                Outgoing(seq, item, kind, json.loads(payload), key, at)
                for seq, item, kind, payload, key, at in tx.all(
                    "SELECT seq, item, kind, payload, key, at FROM outbox "
                    "WHERE project = ? AND sent IS NULL ORDER BY seq LIMIT ?",
                    self.project,
                    most,
                )
            ]

    def sent(self: Door, seqs: Iterable[int]) -> None:
        """These rows of the outbox have reached the mirror."""
        with self.writing() as tx:
            tx.many(
                "UPDATE outbox SET sent = ? WHERE project = ? AND seq = ?",
                [(tx.now, self.project, seq) for seq in seqs],
            )
            # The newest row stays: its number must not be given out again.
            tx.run(
                "DELETE FROM outbox WHERE sent IS NOT NULL AND seq < (SELECT max(seq) FROM outbox)"
            )

    def audit(self: Door) -> list[str]:
        """Where counters and a full recomputation differ, and every odd value; empty = sound."""
        from plastic.store.verify import verify

        with self.reading() as tx:
            return verify(Flight(tx, self), every(tx, self.project))

    def now(self: Door) -> float:
        """The database's clock, seconds since the epoch."""
        with self.reading() as tx:
            return tx.now


def every(tx: Tx, project: str) -> list[Item]:
    """All items of a project, in three reads."""
    rows = where(tx, "WHERE project = ? AND state <> 'missing' ORDER BY sort", project)
    names: dict[int, str] = {}
    for n, id in tx.all("SELECT n, id FROM items WHERE project = ?", project):
        names[n] = id
    edges: dict[int, dict[str, tuple[str, ...]]] = {}
    for source, relation, target in tx.all(
        "SELECT e.source, e.relation, t.id FROM edges e JOIN items t ON t.n = e.target "
        "WHERE t.project = ? ORDER BY t.sort",
        project,
    ):
        mine = edges.setdefault(source, {})
        mine[relation] = (*mine.get(relation, ()), target)
    return [build(row, edges.get(row.n, {}), names) for row in rows]
