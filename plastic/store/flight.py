"""Who is in flight, and the facts of one item that follow from it: read once a transaction."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from plastic.rules.grants import eligible_at, state_of
from plastic.rules.ready import Facts
from plastic.store.rows import Row, where

if TYPE_CHECKING:
    from plastic.store.tx import Door, Tx


class Flight:
    """The claims that were not given back, as the clock of this transaction sees them."""

    def __init__(self, tx: Tx, door: Door) -> None:
        self.tx = tx
        self.door = door

    @cached_property
    def rows(self) -> list[Row]:
        """Held, or lapsed and not given back; a few hundred at most."""
        return where(self.tx, "WHERE project = ? AND claimed = 1 ORDER BY sort", self.door.project)

    @cached_property
    def up(self) -> list[Row]:
        """Those that still keep others away: held, or lapsed and protected."""
        now = self.tx.now
        return [
            row
            for row in self.rows
            if now < row.expires or now < max(row.expires + row.lease, eligible_at(row.grip))
        ]

    @cached_property
    def resources(self) -> dict[str, int]:
        """Resource -> who has it."""
        return {name: row.n for row in self.up for name in json.loads(row.resources)}

    @cached_property
    def files(self) -> dict[str, str]:
        """Path -> who works on it; research touches none."""
        return {
            path: row.id
            for row in self.up
            if row.phase != "research"
            for path, _ in json.loads(row.anchors)
        }

    def siblings(self, row: Row) -> tuple[str, ...]:
        """Of an integration item: members of its grouping in flight."""
        if row.integrates is None:
            return ()
        return tuple(
            one.id
            for one in self.up
            if one.part_of == row.integrates and one.n != row.n and one.integrates != row.integrates
        )

    def joining(self, row: Row) -> str:
        """Of a member: the integration item of its grouping, when that is in flight."""
        if row.part_of is None:
            return ""
        found = (one.id for one in self.up if one.integrates == row.part_of and one.n != row.n)
        return next(found, "")

    def busy(self, row: Row) -> tuple[str, ...]:
        """Its resources that another has."""
        if row.resources == "[]":
            return ()
        names = json.loads(row.resources)
        return tuple(name for name in names if self.resources.get(name, row.n) != row.n)

    def facts(self, row: Row, region: str | None, *, own_lapse: bool = False) -> Facts:
        """What decides about one item; `own_lapse`: its claim has been judged already."""
        now = self.tx.now
        hold = "never" if own_lapse else state_of(row.grip, now)
        regions = self.door.regions
        return Facts(
            row.id,
            row.state,
            self.own(row),
            hold,
            eligible_at(row.grip) if hold == "lapsed" else None,
            now,
            row.owner,
            row.container,
            row.invalid,
            row.stalled,
            row.waiting,
            bool(row.cyclic),
            row.region,
            region,
            not regions or row.region in regions,
            bool(row.unjoined),
            self.siblings(row),
            self.joining(row),
            row.admission,
            row.attempts,
            row.attempts is not None and row.attempts >= row.most,
            self.busy(row),
        )

    def own(self, row: Row) -> tuple[str, ...]:
        """The codes of its own reports that keep it out."""
        if not row.own:
            return ()
        from plastic.rules.reports import keeps_out, own
        from plastic.store.rows import item_of

        return tuple(defect.code for defect in keeps_out(own(item_of(self.tx, row))))
