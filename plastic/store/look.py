"""One look at the ready set: reads as many rows as it shows, however many items there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog.grants import state_of
from plastic.rules.backlog.items import Defect
from plastic.rules.backlog.ready import Offer, Ready, cause, overlap, verdict
from plastic.rules.backlog.reports import REPORTS
from plastic.store import sheet
from plastic.store.candidates import candidates, radius
from plastic.store.rows import Row, by_n, where
from plastic.store.schema import PENDING, READY

if TYPE_CHECKING:
    from plastic.store.flight import Flight

# The order of the chain as far as columns tell it; the rest is asked row by row.
_STATIC = (
    "CASE WHEN own > 0 THEN 'defect' WHEN cyclic = 1 THEN 'cycle' WHEN invalid > 0 THEN 'invalid' "
    "WHEN stalled > 0 THEN 'stalled' WHEN waiting > 0 THEN 'waiting' "
    "WHEN region IS NOT ? THEN 'region' WHEN unjoined = 1 THEN 'unjoined' "
    "WHEN admission = 'gated' THEN 'not_admitted' "
    "WHEN admission = 'unknown' THEN 'mirror_unknown' "
    "WHEN attempts IS NULL THEN 'attempts_unknown' ELSE 'poison' END"
)


def look(flight: Flight, region: str, most: int, rows: int) -> Ready:
    """What is ready for a worker of this region, what is wrong, and how it ends."""
    offers, causes, overlapping = _offers(flight, region, most)
    offers += _takeovers(flight, region, most - len(offers))
    counts = sheet.counts(flight.tx, flight.door.project)
    pending = counts.pop("pending", 0)
    defects = _reports(flight, counts, rows)
    stalled = sheet.rows(flight.tx, flight.door.project, "D10", rows) if "D10" in counts else []
    free = [offer for offer in offers if not offer.overlaps]
    if not free and pending:
        causes = _causes(flight, region, causes)
        causes |= {"overlapping": overlapping} if overlapping else {}
    end = verdict(len(free), pending, {} if free else causes)
    return Ready(
        tuple(offers), tuple(stalled), tuple(defects), counts, pending, end, {} if free else causes
    )


def offer(row: Row, how: str, touched: tuple[str, ...]) -> Offer:
    """An item as the ready set shows it."""
    return Offer(
        row.id,
        row.title,
        row.priority or "",
        row.phase or "",
        row.base or "",
        row.created,
        how,
        touched,
    )


def _offers(flight: Flight, region: str, most: int) -> tuple[list[Offer], dict[str, int], int]:
    """The first that nothing dynamic keeps out; of the others, how many each cause keeps."""
    offers: list[Offer] = []
    causes: dict[str, int] = {}
    overlapping = 0
    for row in candidates(flight, region):
        if len(offers) >= most:
            break
        why = cause(flight.facts(row, region))
        if why is not None:
            causes[why.code] = causes.get(why.code, 0) + 1
            continue
        touched = overlap(radius(row), flight.files) if row.anchors != "[]" else ()
        overlapping += bool(touched)
        offers.append(offer(row, "resume" if row.pull_state == "green" else "ready", touched))
    return offers, causes, overlapping


def _takeovers(flight: Flight, region: str, most: int) -> list[Offer]:
    """Lapsed items whose quarantine is over; who takes one names whom it follows."""
    up = {row.n for row in flight.up}
    over = [by_n(flight.tx, row.n) for row in flight.rows if row.n not in up]
    found = [row for row in over if cause(flight.facts(row, region)) is None]
    found.sort(key=lambda row: (row.priority or "", row.created, row.id))
    return [offer(row, "takeover", ()) for row in found[: max(most, 0)]]


def _causes(flight: Flight, region: str, causes: dict[str, int]) -> dict[str, int]:
    """What keeps each pending item out, when nothing is ready: columns tell most of it."""
    out = dict(causes)
    tx, project = flight.tx, flight.door.project
    joins = [row.integrates for row in flight.up if row.integrates is not None]
    marks = ", ".join("?" for _ in joins)
    special = f"(integrates IS NOT NULL OR part_of IN ({marks}) OR claimed = 1)"
    rest = f"WHERE project = ? AND {PENDING} AND NOT ({READY} AND region IS ?)"
    for code, there, count in tx.all(
        f"SELECT {_STATIC}, region, count(*) FROM items {rest} "  # noqa: S608 - words of ours
        f"AND NOT {special.replace('part_of IN', 'coalesce(part_of, -1) IN')} GROUP BY 1, 2",
        region,
        project,
        region,
        *joins,
    ):
        regions = flight.door.regions
        unrouted = bool(regions) and there not in regions
        name = ("unrouted" if unrouted else "foreign_region") if code == "region" else code
        out[name] = out.get(name, 0) + count
    for row in where(tx, f"{rest} AND {special}", project, region, *joins):
        why = cause(flight.facts(row, region))
        if why is not None:
            out[why.code] = out.get(why.code, 0) + 1
    return out


def _reports(flight: Flight, counts: dict[str, int], rows: int) -> list[Defect]:
    """The first rows of every report but D10, those of this moment among them; all are counted."""
    tx, project = flight.tx, flight.door.project
    found: list[Defect] = []
    moment = [
        Defect("D23", row.id, f"lapsed under {row.owner} at token {row.token}", (row.owner,))
        for row in flight.up
        if tx.now >= row.expires
    ]
    green = where(
        tx, "WHERE project = ? AND pull_state = 'green' AND state = 'live' ORDER BY sort", project
    )
    moment += [
        Defect("D15", row.id, f"pull request {row.pull} is green and nobody is at it")
        for row in green
        if state_of(row.grip, tx.now) != "held"
    ]
    moment += _unrouted(flight, counts, rows)
    for defect in moment:
        if defect.code != "D22":
            counts[defect.code] = counts.get(defect.code, 0) + 1
    for code in REPORTS:
        mine = [defect for defect in moment if defect.code == code]
        if code in counts and code != "D10":
            found += mine[:rows] if mine else sheet.rows(tx, project, code, rows)
    return found


def _unrouted(flight: Flight, counts: dict[str, int], rows: int) -> list[Defect]:
    """D22: regions are few, so each is asked for by itself."""
    tx, project, regions = flight.tx, flight.door.project, flight.door.regions
    found: list[Defect] = []
    here = ""
    while regions:
        here = tx.value(
            f"SELECT min(region) FROM items WHERE project = ? AND {PENDING} AND region > ?",  # noqa: S608
            project,
            here,
        )
        if here is None:
            break
        if here in regions:
            continue
        counts["D22"] = counts.get("D22", 0) + tx.value(
            f"SELECT count(*) FROM items WHERE project = ? AND {PENDING} AND region = ?",  # noqa: S608
            project,
            here,
        )
        known = json.dumps(list(regions))
        found += [
            Defect("D22", id, f"region {here} is not routed; these are: {known}")
            for (id,) in tx.all(
                f"SELECT id FROM items WHERE project = ? AND {PENDING} AND region = ? "  # noqa: S608
                "ORDER BY sort LIMIT ?",
                project,
                here,
                rows,
            )
        ]
    return found
