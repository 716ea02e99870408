"""The report rows of items and their counts, kept beside the items so that no look counts them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog.items import Defect

if TYPE_CHECKING:
    from plastic.store.tx import Tx

# Who writes which rows of one item: a group and a ring are looked at on other occasions than it.
KINDS = {"D20": "group", "D21": "group", "D17": "ring"}


def shift(tx: Tx, project: str, name: str, by: int) -> None:
    """Move one count."""
    if by:
        tx.run(
            "INSERT INTO tally (project, name, count) VALUES (?, ?, ?) "
            "ON CONFLICT (project, name) DO UPDATE SET count = tally.count + excluded.count",
            project,
            name,
            by,
        )


def replace(tx: Tx, project: str, n: int, kind: str, defects: list[Defect]) -> None:
    """The rows of one item and one kind are these."""
    old = [
        row
        for row in tx.all("SELECT code, place, text, others FROM reports WHERE item = ?", n)
        if KINDS.get(row[0], "item") == kind
    ]
    places: dict[str, int] = {}
    new = []
    for defect in defects:
        place = places[defect.code] = places.get(defect.code, -1) + 1
        others = json.dumps([defect.item, *defect.on])
        new.append((defect.code, place, defect.text, others))
    if sorted(old) == sorted(new):
        return
    for code, place, _, _ in old:
        tx.run(
            "DELETE FROM reports WHERE project = ? AND code = ? AND item = ? AND place = ?",
            project,
            code,
            n,
            place,
        )
        shift(tx, project, code, -1)
    tx.many(
        "INSERT INTO reports (project, code, item, place, text, others) VALUES (?, ?, ?, ?, ?, ?)",
        [(project, code, n, place, text, others) for code, place, text, others in new],
    )
    for code, place in places.items():
        shift(tx, project, code, place + 1)


def rows(tx: Tx, project: str, code: str, most: int) -> list[Defect]:
    """The first rows of one code."""
    return [
        Defect(code, ids[0], text, tuple(ids[1:]))
        for text, ids in (
            (text, json.loads(others))
            for text, others in tx.all(
                "SELECT text, others FROM reports WHERE project = ? AND code = ? "
                "ORDER BY item, place LIMIT ?",
                project,
                code,
                most,
            )
        )
    ]


def counts(tx: Tx, project: str) -> dict[str, int]:
    """How many rows each code has, and what is pending; nothing is counted for it."""
    found = tx.all("SELECT name, count FROM tally WHERE project = ? AND count <> 0", project)
    return {str(one[0]): int(one[1]) for one in found}
