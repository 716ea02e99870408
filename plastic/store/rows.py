"""One row of the items table, and the item that it stands for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.rules.backlog.items import Defect, Grip, Item, Route
from plastic.words import Missing

if TYPE_CHECKING:
    from plastic.store.tx import Tx


class Row(NamedTuple):
    """The columns that jobs look at; the order is that of COLUMNS."""

    n: int
    id: str
    kind: str
    subkind: str
    title: str
    body: str
    author: str
    provenance: str
    created: float
    revision: int
    priority: str | None
    phase: str | None
    region: str | None
    base: str | None
    state: str
    admission: str
    part_of: int | None
    integrates: int | None
    resources: str
    anchors: str
    route: str | None
    threshold: int | None
    pull: int | None
    pull_state: str
    direct: int
    reserved_by: str
    location: str
    note: str
    collided: int
    raw: str
    tags: str
    token: int
    released: int
    owner: str
    claim_region: str
    expires: float
    lease: float
    claim_kind: str
    secret: str
    pushed: float | None
    commented: float | None
    moved: float | None
    claimed: int
    attempts: int | None
    most: int
    members: int
    closers: int
    invalid: int
    stalled: int
    waiting: int
    cyclic: int
    own: int
    unjoined: int
    reported: int

    @property
    def container(self) -> bool:
        """A grouping, or what others say that they are part of."""
        return self.kind == "grouping" or self.members > 0 or self.closers > 0

    @property
    def pending(self) -> bool:
        """Live work: what is left to do."""
        return self.state == "live" and not self.container

    @property
    def grip(self) -> Grip:
        """The claim as the rules know it."""
        return Grip(
            self.token,
            self.released,
            self.owner,
            self.claim_region,
            self.expires,
            self.lease,
            self.claim_kind,
            self.pushed,
            self.commented,
            self.moved,
        )


COLUMNS = ", ".join(Row._fields)
_SELECT = f"SELECT {COLUMNS} FROM items "  # noqa: S608 - names of our own columns
_BY_ID = f"{_SELECT}WHERE project = ? AND id = ? AND state <> 'missing'"
_BY_N = f"{_SELECT}WHERE n = ?"


def by_n(tx: Tx, n: int) -> Row:
    """The row of a known number, also of one that is missing."""
    found = tx.one(_BY_N, n)
    assert found is not None
    return Row._make(found)


def find(tx: Tx, project: str, id: str) -> Row | None:
    """The row of an id or of another name for it; None when there is no such item."""
    found = tx.one(_BY_ID, project, id)
    if found is None:
        n = tx.value("SELECT item FROM aliases WHERE project = ? AND name = ?", project, id)
        row = by_n(tx, n) if n is not None else None
        return row if row and row.state != "missing" else None
    return Row._make(found)


def need(tx: Tx, project: str, id: str) -> Row:
    """The row of an id; refuses what is not there."""
    row = find(tx, project, id)
    if row is None:
        raise Missing("item-missing", f"there is no item {id}", run="plastic backlog list")
    return row


def where(tx: Tx, condition: str, *values: Any) -> list[Row]:
    """Every row of a condition."""
    return [Row._make(found) for found in tx.all(f"{_SELECT}{condition}", *values)]


def ids(tx: Tx, numbers: list[int]) -> list[str]:
    """The ids of numbers, in their order."""
    return [str(tx.value("SELECT id FROM items WHERE n = ?", n)) for n in numbers]


def targets(tx: Tx, n: int) -> dict[str, tuple[str, ...]]:
    """The edges of one item: relation -> ids in natural order."""
    found: dict[str, tuple[str, ...]] = {}
    for relation, id in tx.all(
        "SELECT e.relation, i.id FROM edges e JOIN items i ON i.n = e.target "
        "WHERE e.source = ? ORDER BY i.sort",
        n,
    ):
        found[relation] = (*found.get(relation, ()), id)
    return found


def route_of(row: Row) -> Route | None:
    """The way out of a park."""
    return Route(*json.loads(row.route)) if row.route else None


def item_of(tx: Tx, row: Row) -> Item:
    """The whole item, its edges read."""
    edges = targets(tx, row.n)
    over = {
        n: str(tx.value("SELECT id FROM items WHERE n = ?", n))
        for n in (row.part_of, row.integrates)
        if n is not None
    }
    return build(row, edges, over)


def build(row: Row, edges: dict[str, tuple[str, ...]], over: dict[int, str]) -> Item:
    """An item from its row; `over` names the groupings behind the numbers."""
    return Item(
        row.id,
        row.title,
        row.body,
        row.kind,
        row.subkind,
        row.author,
        row.provenance,
        row.created,
        row.revision,
        row.priority,
        row.phase,
        row.region,
        row.base,
        row.state,
        row.admission,
        None if row.part_of is None else over[row.part_of],
        None if row.integrates is None else over[row.integrates],
        edges.get("blockedBy", ()),
        edges.get("informs", ()),
        edges.get("related", ()),
        tuple(array(row.resources)),
        tuple((path, blob) for path, blob in array(row.anchors)),
        route_of(row),
        row.grip,
        row.attempts,
        row.threshold,
        row.pull,
        row.pull_state,
        bool(row.direct),
        row.reserved_by,
        row.location,
        row.note,
        bool(row.collided),
        tuple(Defect(one[0], one[1], one[2], tuple(one[3])) for one in array(row.raw)),
        tuple(array(row.tags)),
    )


def array(text: str) -> list[Any]:
    """A column that holds a list; most of them are empty, which costs nothing to read."""
    return json.loads(text) if text != "[]" else []
