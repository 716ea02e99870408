"""A relay in a hostile world: P1 to P13 after everything that can happen, in any order."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plastic.rules.relay.changes import CHANGES
from plastic.rules.relay.guards import GUARDS
from tests.rules.relay.world import World
from tests.soak import record

LIVES = 60
MANY = 20_000
LENGTH = 120


def lived(seed: int, length: int = LENGTH) -> World:
    world = World(Random(seed))
    world._start()
    for _ in range(length):
        world.step()
    return world


@given(st.integers(0, 2**32), st.integers(1, LENGTH))
@settings(max_examples=LIVES)
def test_nothing_is_lost_or_said_twice(seed: int, length: int) -> None:
    lived(seed, length)


def test_the_world_is_hostile_enough() -> None:
    """Hand-offs arrive, crashes and failures happen, and people have to come."""
    worlds = [lived(seed) for seed in range(40)]
    rows = {reduce_row for world in worlds for reduce_row in rows_of(world)}
    assert sum(world.commits for world in worlds) > 40
    assert {"47", "54a", "62a", "64", "70", "70a", "70b", "72", "43", "51", "52"} <= rows


def rows_of(world: World) -> set[str]:
    from plastic.rules.relay.reduce import reduce
    from plastic.rules.relay.state import State

    state, rows = State(), set()
    for event in world.journal:
        step = reduce(state, event)
        state = step.state
        rows.add(step.row)
    return rows


BUGS: dict[str, tuple[dict[str, Any], str, Any]] = {
    "a commit without an arrival": (GUARDS, "arrived", lambda state, _: bool(state.pending)),
    "a claim that is let go": (GUARDS, "claim free", lambda *_: True),
    "a hand-off dropped on failure": (
        CHANGES,
        "not started",
        lambda state, _: state._replace(pending=None),
    ),
    "a second try of one that may have arrived": (GUARDS, "proof unknown", lambda *_: False),
    "a cap that is not asked": (GUARDS, "cost ok", lambda *_: True),
    "words of another relay": (GUARDS, "foreign", lambda *_: False),
    "arrived after the stop, and sent again": (
        CHANGES,
        "mark delivered",
        lambda state, _: state._replace(has_claim=False),
    ),
    "nobody is told that it may have arrived": (
        CHANGES,
        "mark unknown",
        lambda state, _: state._replace(has_claim=False),
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_does_not_survive(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, broken = BUGS[bug]
    monkeypatch.setitem(where, name, broken)
    assert any(dies(seed) for seed in range(600))


def dies(seed: int) -> bool:
    try:
        lived(seed)
    except AssertionError:
        return True
    return False


@pytest.mark.soak
def test_many_lives() -> None:
    start = time.monotonic()
    for seed in range(MANY):
        lived(seed, 200)
    what = "lives of a relay in a world that delays, repeats, drops and crashes"
    took = time.monotonic() - start
    record(what, f"{MANY} of 200 steps", "no hand-off lost or given twice", took)
