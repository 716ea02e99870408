"""Who is in flight, and the facts of one item that follow from it: read once a transaction."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.backlog.grants import eligible_at, state_of
from plastic.rules.backlog.items import Grip
from plastic.rules.backlog.ready import Facts

if TYPE_CHECKING:
    from plastic.store.rows import Row
    from plastic.store.tx import Door, Tx


class Up(NamedTuple):
    """What others must know of a claim; the whole row is four times as wide."""

    n: int
    id: str
    sort: str
    owner: str
    token: int
    released: int
    expires: float
    lease: float
    pushed: float | None
    commented: float | None
    moved: float | None
    phase: str | None
    part_of: int | None
    integrates: int | None
    resources: str
    anchors: str

    @property
    def grip(self) -> Grip:
        """The claim as the rules know it."""
        return Grip(
            self.token,
            self.released,
            self.owner,
            "",
            self.expires,
            self.lease,
            "",
            self.pushed,
            self.commented,
            self.moved,
        )


_UP = f"SELECT {', '.join(Up._fields)} FROM items WHERE project = ? AND claimed = 1"  # noqa: S608


class Flight:
    """The claims that were not given back, as the clock of this transaction sees them."""

    def __init__(self, tx: Tx, door: Door) -> None:
        self.tx = tx
        self.door = door

    @cached_property
    def rows(self) -> list[Up]:
        """Held, or lapsed and not given back; a few hundred at most."""
        found = [Up._make(row) for row in self.tx.all(_UP, self.door.project)]
        return sorted(found, key=lambda row: row.sort)

    @cached_property
    def up(self) -> list[Up]:
        """Those that still keep others away: held, or lapsed and protected."""
        now = self.tx.now
        return [
            row for row in self.rows if now < row.expires + row.lease or now < eligible_at(row.grip)
        ]

    @cached_property
    def resources(self) -> dict[str, int]:
        """Resource -> who has it."""
        named = (row for row in self.up if row.resources != "[]")
        return {name: row.n for row in named for name in json.loads(row.resources)}

    @cached_property
    def files(self) -> dict[str, str]:
        """Path -> who works on it; research touches none."""
        return {
            path: row.id
            for row in self.up
            if row.anchors != "[]" and row.phase != "research"
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
        from plastic.rules.backlog.reports import keeps_out, own
        from plastic.store.rows import item_of

        return tuple(defect.code for defect in keeps_out(own(item_of(self.tx, row))))
