"""Eight agents drain one queue by started intents while some are killed: each item ends once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.backlog.crew import Agent, crew, die
from tests.soak import record

if TYPE_CHECKING:
    from tests.backlog.desk import Desk

PROCESSES = 8


@pytest.fixture
def many(desk: Desk) -> Any:
    """A queue in which every other item waits for the one before it."""

    def fill(count: int) -> list[str]:
        ids: list[str] = []
        for number in range(count):
            waits = ("--blocked-by", ids[-1]) if number % 2 else ()
            ids.append(desk.add(f"Part {number}", *waits))
        return ids

    return fill


def check(desk: Desk, ids: list[str]) -> int:
    """Complete by one grant each, merged once, nothing left behind; how many grants there were."""
    grants = 0
    merged = desk.world.git("log", "--format=%s", "main").splitlines()
    for id in ids:
        shown = desk("show", id)
        grants += len(shown["grants"])
        assert shown["state"] == "complete"
        assert [one["ended_by"] for one in shown["grants"]].count("complete") == 1
        tokens = [one["fencing_token"] for one in shown["grants"]]
        assert tokens == sorted(set(tokens)), "no token twice"
        assert merged.count(f"Add {id}.txt") == 1
    assert desk("audit")["differences"] == []
    store = Path(desk.world.home.store("shop"))
    assert [*store.glob("*/delivery.lock"), *store.glob("*/.end.json")] == []
    assert desk.world.git("worktree", "list").count("\n") == 0
    return grants


def test_each_item_is_delivered_once_though_agents_die(desk: Desk, many: Any) -> None:
    ids = many(4)
    dead = [
        die(Agent(desk.world, "dead-0", at="end:item.ended"), ids[0]),
        die(Agent(desk.world, "dead-1", at="start:item.bound"), ids[2]),
    ]
    crew(desk.world, [Agent(desk.world, f"a{n}") for n in range(PROCESSES - 2)], dead, 0.0)
    assert check(desk, ids) >= len(ids)


@pytest.mark.soak
def test_the_same_with_many(desk: Desk, many: Any) -> None:
    ids = many(40)
    start = time.monotonic()
    agents = [Agent(desk.world, f"a{n}", 0.05) for n in range(PROCESSES)]
    died = crew(desk.world, agents, [], 0.05)
    grants = check(desk, ids)
    record(
        "backlog: 8 agents deliver one queue (start, End), 5 % of commands are killed anywhere",
        f"{len(ids)} items",
        f"each completed and merged once; {died} killed, {grants} grants",
        time.monotonic() - start,
    )
