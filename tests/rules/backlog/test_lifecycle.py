"""Stations of an item, and where the backlog and the world beside it differ."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.divergence import Issue, Pull, drifted, mirrored, orphans
from plastic.rules.backlog.items import Item
from plastic.rules.backlog.lifecycle import MOVES, STATIONS, station
from plastic.rules.backlog.ready import Facts
from tests.store.world import MERGED, PERSON, PM, ROUTE, WORKER, Backlog

NOW = 1000.0


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({}, "ready"),
        ({"hold": "held"}, "claimed"),
        ({"hold": "lapsed", "eligible": NOW + 1}, "lapsed"),
        ({"hold": "lapsed", "eligible": NOW - 1}, "lapsed"),
        ({"waiting": 1}, "blocked"),
        ({"stalled": 1, "waiting": 1}, "stalled"),
        ({"invalid": 1, "stalled": 1}, "invalid"),
        ({"admission": "gated"}, "gated"),
        ({"admission": "unknown"}, "gated"),
        ({"state": "invalid"}, "vocabulary"),
        ({"state": "parked"}, "parked"),
        ({"state": "complete"}, "complete"),
        ({"container": True}, "grouping"),
        ({"region": "north", "mine": "local"}, "ready"),
        ({"busy": ("box",)}, "ready"),
    ],
)
def test_where_an_item_stands(facts: dict[str, object], name: str) -> None:
    assert station(Facts("a-1", now=NOW)._replace(**facts)) == name  # type: ignore[arg-type]
    assert name in STATIONS


def test_the_moves_name_known_stations() -> None:
    known = {*STATIONS, "-", "any live", "any but claimed"}
    for move in MOVES:
        assert {part.strip() for part in move.start.split(",")} <= known
        assert {part.strip() for part in move.end.split(",")} <= known


def here(backlog: Backlog, id: str) -> str:
    """The station that the store's facts give."""
    from plastic.store.flight import Flight
    from plastic.store.rows import need

    with backlog.store.reading() as tx:
        return station(Flight(tx, backlog.store).facts(need(tx, "shop", id), None))


def test_a_life() -> None:
    backlog = Backlog()
    backlog.add("issue-1", admitted=False)
    seen = [here(backlog, "issue-1")]

    def then() -> None:
        seen.append(here(backlog, "issue-1"))

    backlog.store.admit("issue-1", PERSON)
    then()
    backlog.add("issue-2")
    backlog.store.link("issue-1", "blockedBy", ["issue-2"], PM)
    then()
    backlog.store.park("issue-2", None, PM, ROUTE)
    then()
    backlog.store.unpark("issue-2", PERSON)
    then()
    backlog.finish("issue-2")
    then()
    backlog.take("issue-1")
    then()
    backlog.clock.pass_(1801)
    then()
    fence = backlog.take("issue-1")
    then()
    backlog.store.complete("issue-1", fence, WORKER, MERGED)
    then()
    assert seen == [
        "gated",
        "ready",
        "blocked",
        "stalled",
        "blocked",
        "ready",
        "claimed",
        "lapsed",
        "claimed",
        "complete",
    ]
    backlog.store.close()


ANCHORED = Item("a-1", anchors=(("src/a.py", "1" * 40), ("src/b.py", "2" * 40)))


@pytest.mark.parametrize(
    ("tips", "found"),
    [
        ({"src/a.py": "1" * 40, "src/b.py": "2" * 40}, []),
        ({"src/a.py": "9" * 40, "src/b.py": "2" * 40}, [("src/a.py", "moved")]),
        ({"src/a.py": "", "src/b.py": "9" * 40}, [("src/a.py", "gone"), ("src/b.py", "moved")]),
        ({}, []),  # not looked up is not fresh and not stale
    ],
)
def test_d12_an_anchor_that_moved(tips: dict[str, str], found: list[tuple[str, str]]) -> None:
    assert drifted(ANCHORED, tips) == found


def test_d12_an_anchor_that_never_was_is_gone() -> None:
    assert drifted(Item("a-1", anchors=(("new.py", ""),)), {"new.py": ""}) == [("new.py", "gone")]


@pytest.mark.parametrize(
    ("state", "issue", "codes"),
    [
        ("live", Issue(open=True), []),
        ("parked", Issue(open=True, stale=True), []),
        ("complete", Issue(open=False), []),
        ("live", Issue(open=True, stale=True), ["D24"]),  # case 91
        ("parked", Issue(open=True), ["D24"]),
        ("live", Issue(open=False), ["D25"]),  # case 148
        ("complete", Issue(open=True), ["D25"]),  # case 148
    ],
)
def test_case_91_148_both_sides_are_quoted(state: str, issue: Issue, codes: list[str]) -> None:
    found = mirrored([Item("a-1", state=state)], {"a-1": issue})
    assert [one.code for one in found] == codes
    assert mirrored([Item("a-1", state=state)], {}) == []


def test_d26_a_pull_request_of_nobody() -> None:
    items = [Item("a-1", pull=4), Item("a-2")]
    found = orphans(items, [Pull(4), Pull(5, ("x-1", "a-2")), Pull(6), Pull(7, ("a-9",))])
    assert [one.text for one in found] == [
        "pull request 6 has no item",
        "pull request 7 has no item",
    ]
