"""Import: items as they are given, raw tags and defects kept, then every counter anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog.whole import World, compute
from plastic.store.birth import stone
from plastic.store.book import Book
from plastic.store.readings import every

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import Actor
    from plastic.rules.backlog.items import Defect, Item
    from plastic.rules.backlog.whole import Whole
    from plastic.store.tx import Door, Tx


class Loading:
    """The part of a store that imports."""

    def load(self: Door, items: Iterable[Item], actor: Actor) -> list[Defect]:
        """Import: keeps what it is given, raw tags and all, and reports every defect."""
        with self.writing() as tx:
            book = Book(tx, self.project)
            for item in items:
                _put(book, item, actor)
            return list(rebuild(tx, self.project).defects)


def _put(book: Book, item: Item, actor: Actor) -> None:
    """One item and its edges; targets that nobody wrote yet become tombstones."""
    row = stone(book, item.id)
    numbers = {id: stone(book, id).n for id in (item.part_of, item.integrates) if id is not None}
    token = max(row.token, item.grip.token)
    book.change(
        row,
        kind=item.kind,
        subkind=item.subkind,
        title=item.title,
        body=item.body,
        author=item.author or actor.name,
        provenance=item.provenance,
        created=item.created or book.tx.now,
        revision=row.revision + 1,
        priority=item.priority,
        phase=item.phase,
        region=item.region,
        base=item.base,
        state=item.state,
        admission=item.admission,
        part_of=numbers.get(item.part_of or ""),
        integrates=numbers.get(item.integrates or ""),
        resources=json.dumps(sorted(item.resources)),
        anchors=json.dumps(item.anchors),
        route=json.dumps(item.route) if item.route else None,
        threshold=item.threshold,
        pull=item.pull,
        pull_state=item.pull_state,
        direct=int(item.direct),
        reserved_by=item.reserved_by,
        location=item.location,
        note=item.note,
        raw=json.dumps(item.defects),
        tags=json.dumps(item.tags),
        token=token,
        released=row.released if row.claimed else token,
        attempts=item.attempts,
    )
    book.tx.run("DELETE FROM edges WHERE source = ?", row.n)
    for relation, names in (
        ("blockedBy", item.blocked_by),
        ("informs", item.informs),
        ("related", item.related),
    ):
        book.tx.many(
            "INSERT INTO edges (source, relation, target) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(row.n, relation, stone(book, name).n) for name in names],
        )
    book.say(row, "create", f"import/{row.revision}", gated=False, title=item.title)


def rebuild(tx: Tx, project: str) -> Whole:
    """Every counter and report row of a project, from its items and nothing else."""
    tx.run(
        "UPDATE items SET members = (SELECT count(*) FROM items o WHERE o.part_of = items.n), "
        "closers = (SELECT count(*) FROM items o WHERE o.integrates = items.n), "
        "most = coalesce((SELECT threshold FROM items o WHERE o.n = items.part_of), 3) "
        "WHERE project = ?",
        project,
    )
    whole = compute(World({item.id: item for item in every(tx, project)}, tx.now))
    numbers = {id: n for n, id in tx.all("SELECT n, id FROM items WHERE project = ?", project)}
    reported: dict[str, int] = {}
    places: dict[tuple[str, str], int] = {}
    tx.run("DELETE FROM reports WHERE project = ?", project)
    tx.run("DELETE FROM tally WHERE project = ?", project)
    rows = []
    tally: dict[str, int] = {"pending": whole.pending}
    for defect in whole.defects:
        key = (defect.code, defect.item)
        place = places[key] = places.get(key, -1) + 1
        others = json.dumps([defect.item, *defect.on])
        rows.append((project, defect.code, numbers[defect.item], place, defect.text, others))
        tally[defect.code] = tally.get(defect.code, 0) + 1
        if defect.code not in ("D17", "D20", "D21"):
            reported[defect.item] = reported.get(defect.item, 0) + 1
    tx.many(
        "INSERT INTO reports (project, code, item, place, text, others) VALUES (?, ?, ?, ?, ?, ?)",
        rows,
    )
    tx.many(
        "INSERT INTO tally (project, name, count) VALUES (?, ?, ?)",
        [(project, name, count) for name, count in tally.items() if count],
    )
    tx.many(
        "UPDATE items SET invalid = ?, stalled = ?, waiting = ?, cyclic = ?, own = ?, "
        "unjoined = ?, reported = ? WHERE n = ?",
        [
            (
                fact.invalid,
                fact.stalled,
                fact.waiting,
                int(fact.cyclic),
                len(fact.own),
                int(fact.unjoined),
                reported.get(id, 0),
                numbers[id],
            )
            for id, fact in whole.facts.items()
        ],
    )
    _ranks(tx, project)
    return whole


def _ranks(tx: Tx, project: str) -> None:
    """What every edge is worth, from its target."""
    from plastic.rules.backlog.blockers import rank
    from plastic.store.rows import where

    book = Book(tx, project)
    for row in where(
        tx,
        "WHERE n IN (SELECT target FROM edges WHERE relation = 'blockedBy') AND project = ?",
        project,
    ):
        tx.run(
            "UPDATE edges SET rank = ? WHERE target = ? AND relation = 'blockedBy'",
            rank(book.seen(row)),
            row.n,
        )
