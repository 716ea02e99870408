"""Edges as authors ask for them: all of a request or nothing, no bad target, no cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.blockers import rejected
from plastic.rules.backlog.grouping import check_member
from plastic.store.rings import closing
from plastic.store.rows import Row, by_n, find, ids, item_of, where
from plastic.words import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.store.book import Book
    from plastic.store.tx import Tx

DEEPEST = 100  # groupings in each other; an import may have bent them into a ring


def block(book: Book, row: Row, targets: Iterable[str]) -> None:
    """New blockers of an item; one bad target refuses them all, and everything else with them."""
    names = list(dict.fromkeys(targets))
    found = {name: find(book.tx, book.project, name) for name in names}
    if row.id in names or any(one is not None and one.n == row.n for one in found.values()):
        text = f"{row.id} cannot wait for itself"
        raise Refused("self-edge", text, run=f"plastic backlog show {row.id}")
    seen = {name: book.seen(one) if one else "missing" for name, one in found.items()}
    bad = rejected(seen)
    if bad:
        named = ", ".join(f"{name} ({seen[name]})" for name in bad)
        there = [name for name in bad if found[name]]
        raise Refused(
            "blocker-refused",
            f"{row.id} cannot wait for {named}; nothing was written",
            run=f"plastic backlog why {there[0]}" if there else "plastic backlog list",
            facts={"dependent": row.id, "blockers": {name: seen[name] for name in bad}},
        )
    for one in found.values():
        if one is not None:
            book.attach(row, one)
    no_cycle(book, row)


def no_cycle(book: Book, row: Row) -> None:
    """Refuses, with its path, a cycle that this write would close."""
    way = closing(book.tx, row.n)
    if way is not None:
        path = " -> ".join(ids(book.tx, way))
        raise Refused(
            "cycle", f"this would close a cycle: {path}", run=f"plastic backlog why {row.id}"
        )


def relate(book: Book, row: Row, relation: str, targets: Iterable[str]) -> None:
    """Edges that decide nothing."""
    for name in targets:
        one = find(book.tx, book.project, name)
        if one is None:
            text = f"there is no item {name}; nothing was written"
            raise Refused("target-missing", text, run="plastic backlog list")
        book.tx.run(
            "INSERT INTO edges (source, relation, target, rank) VALUES (?, ?, ?, 0) "
            "ON CONFLICT DO NOTHING",
            row.n,
            relation,
            one.n,
        )


def place(book: Book, row: Row, part_of: str | None, integrates: str | None) -> Row:
    """Put an item into its grouping; the integration item waits for every member, also later."""
    tx, project = book.tx, book.project
    name = part_of or integrates
    if name is None:
        return row
    if part_of and integrates and part_of != integrates:
        text = f"{row.id} cannot be part of {part_of} and integrate {integrates}"
        raise Refused("grouping-twice", text, run=f"plastic backlog show {part_of}")
    epic = find(tx, project, name)
    closers = where(tx, "WHERE integrates = ? ORDER BY sort", epic.n) if epic else []
    item = item_of(tx, row)._replace(part_of=part_of, integrates=integrates)
    check_member(item, item_of(tx, epic) if epic else None, [one.id for one in closers])
    assert epic is not None
    _not_inside(tx, row, epic)
    row = settle_in(book, row, epic if part_of else None, epic if integrates else None)
    if integrates:
        members = where(
            tx, "WHERE part_of = ? AND integrates IS NOT ? ORDER BY sort", epic.n, epic.n
        )
        for member in members:
            book.attach(row, member)
        no_cycle(book, row)
    else:
        for closer in closers:
            book.attach(closer, row)
            no_cycle(book, closer)
    return row


def _not_inside(tx: Tx, row: Row, epic: Row) -> None:
    """Refuses a grouping that lies in the item which is to be put into it."""
    way = [epic]
    while (over := way[-1].part_of or way[-1].integrates) is not None and len(way) < DEEPEST:
        way.append(by_n(tx, over))
    if row.n in (one.n for one in way):
        path = " in ".join(one.id for one in way[: [one.n for one in way].index(row.n) + 1])
        text = f"{row.id} cannot be in {epic.id}: {path}"
        raise Refused("grouping-ring", text, run=f"plastic backlog show {epic.id}")


def settle_in(book: Book, row: Row, epic: Row | None, closes: Row | None) -> Row:
    """Write the membership and its counters."""
    changes: dict[str, int | None] = {}
    if epic is not None:
        changes["part_of"] = epic.n
        changes["most"] = most(epic)
    if closes is not None:
        changes["integrates"] = closes.n
    row = book.change(row, **changes)
    for over, column in ((epic, "members"), (closes, "closers")):
        if over is not None:
            fresh = by_n(book.tx, over.n)
            fresh = book.change(fresh, **{column: getattr(fresh, column) + 1})
            book.groups.add(over.n)
            book.spread(fresh)
    book.dirty.add(row.n)
    return row


def leave(book: Book, row: Row) -> Row:
    """Take an item out of its grouping."""
    over = [(row.part_of, "members"), (row.integrates, "closers")]
    row = book.change(row, part_of=None, integrates=None)
    for n, column in over:
        if n is not None:
            epic = by_n(book.tx, n)
            epic = book.change(epic, **{column: getattr(epic, column) - 1})
            book.groups.add(n)
            book.spread(epic)
    return row


def most(epic: Row) -> int:
    """How often a member of this grouping may be tried."""
    from plastic.rules.backlog.attempts import THRESHOLD

    return THRESHOLD if epic.threshold is None else epic.threshold
