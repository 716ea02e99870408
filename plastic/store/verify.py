"""The audit: everything computed anew from the items must equal what the counters say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.answers import Grant
from plastic.rules.backlog.attempts import agree
from plastic.rules.backlog.reports import OWN, said_only
from plastic.rules.backlog.whole import Whole, World, compute
from plastic.store import sheet
from plastic.store.rows import where
from plastic.store.schema import READY

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Item
    from plastic.store.flight import Flight


def verify(flight: Flight, items: list[Item]) -> list[str]:
    """One line for each difference."""
    world = World({item.id: item for item in items}, flight.tx.now, None, ())
    whole = compute(world)
    wrong = _counters(flight, whole) + _rows(flight, whole) + _ledgers(flight)
    counts = sheet.counts(flight.tx, flight.door.project)
    if counts.get("pending", 0) != whole.pending:
        wrong.append(f"pending is counted as {counts.get('pending', 0)}, it is {whole.pending}")
    wrong += _ready(flight, whole, items)
    found = (said_only(item) for item in items)
    return wrong + [f"{one.item}: {one.code} {one.text}" for one in found if one]


def _counters(flight: Flight, whole: Whole) -> list[str]:
    wrong = []
    for row in where(
        flight.tx, "WHERE project = ? AND state <> 'missing' ORDER BY sort", flight.door.project
    ):
        facts = whole.facts[row.id]
        pairs = {
            "invalid": (row.invalid, facts.invalid),
            "stalled": (row.stalled, facts.stalled),
            "waiting": (row.waiting, facts.waiting),
            "cyclic": (bool(row.cyclic), facts.cyclic),
            "container": (row.container, facts.container),
            "own": (row.own, len(facts.own)),
            "unjoined": (bool(row.unjoined), facts.unjoined),
            "poison": (
                row.attempts is not None and row.attempts >= row.most,
                facts.poison,
            ),
        }
        wrong += [
            f"{row.id}: {name} is kept as {kept}, it is {is_}"
            for name, (kept, is_) in pairs.items()
            if kept != is_
        ]
    return wrong + _containers(flight)


def _containers(flight: Flight) -> list[str]:
    """How many parts and integration items each has."""
    return [
        f"{id}: {kept} members and joins are kept, there are {there}"
        for id, kept, there in flight.tx.all(
            "SELECT id, members || '+' || closers, "
            "(SELECT count(*) FROM items o WHERE o.part_of = i.n) || '+' || "
            "(SELECT count(*) FROM items o WHERE o.integrates = i.n) FROM items i "
            "WHERE project = ? ORDER BY sort",
            flight.door.project,
        )
        if kept != there
    ]


def _rows(flight: Flight, whole: Whole) -> list[str]:
    tx, project = flight.tx, flight.door.project
    total = len(whole.defects) + len(OWN) + 1
    counts = sheet.counts(tx, project)
    kept = [
        one
        for code in {*counts, *(defect.code for defect in whole.defects)} - {"pending"}
        for one in sheet.rows(tx, project, code, total * 2)
    ]
    gone = [one for one in whole.defects if one not in kept]
    more = [one for one in kept if one not in whole.defects]
    wrong = [f"{one.item}: {one.code} is not kept: {one.text}" for one in gone]
    wrong += [f"{one.item}: {one.code} is kept and not so: {one.text}" for one in more]
    for code, count in counts.items():
        there = sum(1 for one in whole.defects if one.code == code)
        if code != "pending" and there != count:
            wrong.append(f"{code} is counted as {count}, it is {there}")
    return wrong


def _ready(flight: Flight, whole: Whole, items: list[Item]) -> list[str]:
    """The partial index holds what the chain keeps, before what others in flight take away."""
    kept = {
        id
        for (id,) in flight.tx.all(
            f"SELECT id FROM items WHERE project = ? AND {READY}",  # noqa: S608 - words of ours
            flight.door.project,
        )
    }
    moving = {"siblings_active", "integration_held", "resource_busy"}
    claimed = {item.id for item in items if item.grip.claimed}
    dynamic = {id for id, why in whole.reasons.items() if why.code in moving}
    wrong = [f"{id} is ready and not in the index" for id in set(whole.ready) - claimed - kept]
    wrong += [f"{id} is in the index and not ready" for id in kept - set(whole.ready) - dynamic]
    return wrong


def _ledgers(flight: Flight) -> list[str]:
    """Tokens grow, and the last grant is the item's token; an import may begin above 0."""
    found: dict[str, list[Grant]] = {}
    for id, token, owner, kind, at in flight.tx.all(
        "SELECT i.id, g.token, g.owner, g.kind, g.at FROM grants g JOIN items i ON i.n = g.item "
        "WHERE i.project = ? ORDER BY i.sort, g.token",
        flight.door.project,
    ):
        found.setdefault(id, []).append(Grant(token, owner, kind, at))
    tokens = {}
    for id, token in flight.tx.all(
        "SELECT id, token FROM items WHERE project = ?", flight.door.project
    ):
        tokens[id] = token
    return [
        f"{id}: its ledger ends at {ledger[-1].token}, its token is {tokens[id]}"
        for id, ledger in found.items()
        if not agree(ledger, tokens[id])
    ]
