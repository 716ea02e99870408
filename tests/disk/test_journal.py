"""The journal is appended, rotated, and never in the way."""

from __future__ import annotations

import json
import os

import pytest

from plastic.disk import journal
from tests.world import World


def rows(world: World) -> list[dict[str, object]]:
    with open(world.home.log, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_one_line_an_event_without_blanks(world: World) -> None:
    assert journal.note(world.home, "acquire", session="S1", intent="7", token=1, agent="", x=None)
    assert journal.note(world.home, "deny", reason='a "quote"\nand a line')
    first, second = rows(world)
    assert {key: first[key] for key in ("event", "session", "intent", "token")} == {
        "event": "acquire",
        "session": "S1",
        "intent": "7",
        "token": 1,
    }
    assert set(first) == {"at", "event", "session", "intent", "token"}
    assert second["reason"] == 'a "quote"\nand a line'


def test_rotation_keeps_every_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "ROTATE", 400)
    for number in range(30):
        assert journal.note(world.home, "tick", number=number)
    folder = os.path.dirname(world.home.log)
    lines = []
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            lines += [json.loads(line)["number"] for line in file]
    assert sorted(lines) == list(range(30))
    assert len(os.listdir(folder)) > 3


@pytest.mark.usefixtures("permissions")
def test_a_journal_that_cannot_be_written_stops_nothing(world: World) -> None:
    os.makedirs(world.home.root)
    os.chmod(world.home.root, 0o555)
    try:
        assert journal.note(world.home, "tick") is False
    finally:
        os.chmod(world.home.root, 0o755)


def test_a_fifo_in_its_place_stops_nothing(world: World) -> None:
    os.makedirs(os.path.dirname(world.home.log))
    os.mkfifo(world.home.log)
    assert journal.note(world.home, "tick") is False
