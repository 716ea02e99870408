"""What is printed when an item cannot be delivered, pasted: each leads on."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.backlog.test_delivery import A, B, Street

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import Done

    Make = Callable[[Street], tuple[tuple[str, ...], str]]


def another_item(desk: Street) -> tuple[tuple[str, ...], str]:
    intent = desk.begun(desk.add("Compute tax"))
    return ("start", intent["id"], "--item", desk.add("Other")), A


def one_item_of_two_intents(desk: Street) -> tuple[tuple[str, ...], str]:
    item = desk.add("Compute tax")
    first = desk.begun(item)
    text = Path(first["dir"], f"{first['id']}--compute-tax.md").read_text()
    second = desk.world.new("Compute tax again")
    path = Path(second["dir"], f"{second['id']}--compute-tax-again.md")
    line = next(one for one in text.splitlines() if one.startswith("item:"))
    path.write_text(path.read_text().replace("tags: []", f"tags: []\n{line}"))
    return ("start", "--item", item), A


def a_claim_of_what_is_delivered(desk: Street) -> tuple[tuple[str, ...], str]:
    item = desk.add("Compute tax")
    desk.begun(item)
    return ("backlog", "claim", item), A


def a_completion_past_the_end(desk: Street) -> tuple[tuple[str, ...], str]:
    item = desk.add("Compute tax")
    desk.begun(item)
    return ("backlog", "complete", item, "--token", "1", "--evidence", "HEAD"), A


def an_item_that_went_on(desk: Street) -> tuple[tuple[str, ...], str]:
    item = desk.add("Compute tax")
    intent = desk.begun(item)
    with desk.open() as store:
        store.follow(item, 7, "o9", "takeover")
    return ("start", intent["id"]), A


def a_takeover_while_the_item_waits(desk: Street) -> tuple[tuple[str, ...], str]:
    intent = desk.begun(desk.add("Compute tax"))
    desk.world.age(Path(intent["dir"], "delivery.lock"), 2000)
    return ("lock", "reclaim", intent["id"]), B


def an_item_without_a_project(desk: Street) -> tuple[tuple[str, ...], str]:
    return ("start", "--item", desk.add("Compute tax"), "--global"), A


CASES: list[tuple[str, str, Make]] = [
    ("work/backlog/board.py", "other-item", another_item),
    ("work/backlog/delivery.py", "item-twice", one_item_of_two_intents),
    ("work/backlog/claims.py", "bound", a_claim_of_what_is_delivered),
    ("work/backlog/finish.py", "delivered-by-end", a_completion_past_the_end),
    ("work/backlog/bound.py", "superseded", an_item_that_went_on),
    ("work/lock/takeover.py", "item-quarantine", a_takeover_while_the_item_waits),
    ("cli/start.py", "what", an_item_without_a_project),
]
PASTED = [(where, code) for where, code, _ in CASES]


@pytest.fixture
def desk(world: Any, monkeypatch: pytest.MonkeyPatch) -> Street:
    return Street(world, monkeypatch)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_what_is_printed_leads_on(desk: Street, case: tuple[str, str, Make]) -> None:
    _, code, make = case
    words, session = make(desk)
    refused = run(desk, (*words, "--json"), session)
    error = json.loads(refused.out)["error"]
    assert error["code"] == code, error
    line = shlex.split(error["run"])
    if line[0] == "sleep":  # the clock stands in for the night
        desk.later(float(line[1]))
        line = line[3:]
    if line[0] == "plastic-lock":
        line = ["plastic", "lock", *line[1:]]
    assert run(desk, tuple(line[1:]), session).rc == 0, error["run"]


def run(desk: Street, words: tuple[str, ...], session: str) -> Done:
    return desk.world.plastic(*words, session=session, cwd=desk.world.repo)
