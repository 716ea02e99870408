"""Many processes claim one pen at the same moment: exactly one gets it each time."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest

from plastic.disk.home import Home
from plastic.disk.session import Caller
from plastic.words import Intent, Refusal
from plastic.work.pen.desk import Desk, Wish
from plastic.work.pen.move import move
from tests.pen.other import fields, turns
from tests.races.contest import contest
from tests.soak import record

FILE = """# Race

<!-- M8SHIFT:LOCK:BEGIN -->
holder: none
state: IDLE
agents: {agents}
turn: 0
since: 2026-06-22T18:00:00Z
expires: -
note: -
<!-- M8SHIFT:LOCK:END -->
"""


def file_of(home: Home) -> Path:
    return Path(home.root, "M8SHIFT.md")


def reset(processes: int, home: Home, _: Intent) -> None:
    agents = ",".join(f"p{number}" for number in range(processes))
    file_of(home).write_text(FILE.format(agents=agents))


def claim(home: Home, _: Intent, caller: Caller) -> int | None:
    desk = Desk(home.root, {}, caller.session)
    desk.me = caller.session.lower()
    try:
        return int(move(desk, "claim", Wish()).pen.get("epoch"))
    except Refusal as refusal:
        if refusal.code != "held":
            raise
        return None


def whole(home: Home, _: Intent, __: int) -> None:
    text = file_of(home).read_text()
    block = fields(text)
    assert block["state"] == f"WORKING_{block['holder'].upper()}"
    assert turns(text) == {}
    left = [one.name for one in Path(home.root).glob(".m8shift.lock*")]
    assert left == [], "no lock is left behind"


def race(root: Path, processes: int, rounds: int) -> None:
    won = contest(str(root), processes, rounds, claim, partial(reset, processes), whole)
    assert [len(one) for one in won.values()] == [1] * rounds


def test_one_of_eight_gets_it_each_time(tmp_path: Path) -> None:
    race(tmp_path, 8, 50)


@pytest.mark.soak
def test_one_of_sixty_four_gets_it_each_time(tmp_path: Path) -> None:
    began = time.monotonic()
    race(tmp_path, 64, 1000)
    took = time.monotonic() - began
    record("claim the pen", "64 processes x 1000 rounds", "exactly one writer in every round", took)
