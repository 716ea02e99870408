"""Every counter and report row of a project anew, from its items: what ends an import."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog.blockers import rank
from plastic.rules.backlog.whole import World, compute
from plastic.store.book import Book
from plastic.store.progress import counted
from plastic.store.readings import every
from plastic.store.rows import where

if TYPE_CHECKING:
    from plastic.rules.backlog.whole import Whole
    from plastic.store.progress import Told
    from plastic.store.tx import Tx


def rebuild(tx: Tx, project: str, told: Told) -> Whole:
    """Every counter and report row of a project, from its items and nothing else."""
    tx.run(
        "UPDATE items SET members = (SELECT count(*) FROM items o WHERE o.part_of = items.n), "
        "closers = (SELECT count(*) FROM items o WHERE o.integrates = items.n), "
        "most = coalesce((SELECT threshold FROM items o WHERE o.n = items.part_of), 3) "
        "WHERE project = ?",
        project,
    )
    told("judging", 1, 2)
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
            for id, fact in counted(list(whole.facts.items()), "counting", told)
        ],
    )
    _ranks(tx, project)
    return whole


def _ranks(tx: Tx, project: str) -> None:
    """What every edge is worth, from its target."""
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
