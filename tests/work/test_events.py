"""The journal as `plastic log` reads it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from plastic.disk import journal
from plastic.disk.journal import note
from plastic.work import events
from plastic.work.events import follow, recent

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "LOOK_EVERY", 0.001)


def names(rows: list[dict[str, object]]) -> list[object]:
    return [row["event"] for row in rows]


def test_the_newest_events_oldest_first(world: World) -> None:
    assert recent(world.home, 10) == []
    for one in ("a", "b", "c"):
        assert note(world.home, one)
    assert names(recent(world.home, 2)) == ["b", "c"]
    assert recent(world.home, 0) == []
    assert names(recent(world.home, 10, "b")) == ["b"]


def test_rotated_parts_are_read_as_well(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "ROTATE", 60)
    for one in "abcdef":
        note(world.home, one)
    assert len(os.listdir(os.path.dirname(world.home.log))) > 2
    assert names(recent(world.home, 4)) == ["c", "d", "e", "f"]


def test_would_deny_rows_are_found_by_kind_and_by_event(world: World) -> None:
    note(world.home, "would-deny", gate="stage")
    note(world.home, "gate", kind="would-deny", gate="worktree")
    note(world.home, "deny", gate="lock")
    found = recent(world.home, 10, "would-deny")
    assert [row["gate"] for row in found] == ["stage", "worktree"]


def test_broken_lines_are_passed_over(world: World) -> None:
    note(world.home, "a")
    with open(world.home.log, "ab") as file:
        file.write(b'\xff\n[1]\n{"event"\n\n')
    note(world.home, "b")
    assert names(recent(world.home, 10)) == ["a", "b"]


@pytest.mark.parametrize("how", ["fifo", "link", "directory"])
def test_a_journal_that_is_no_file_is_empty(world: World, how: str) -> None:
    os.makedirs(os.path.dirname(world.home.log))
    if how == "fifo":
        os.mkfifo(world.home.log)
    elif how == "link":
        os.symlink("/etc/passwd", world.home.log)
    else:
        os.mkdir(world.home.log)
    assert recent(world.home, 10) == []


def test_follow_goes_on_across_a_rotation(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in ("a", "b", "c"):
        note(world.home, one)
    more = follow(world.home, 2)
    assert [next(more)["event"] for _ in range(2)] == ["b", "c"]
    note(world.home, "d")
    assert next(more)["event"] == "d"
    monkeypatch.setattr(journal, "ROTATE", 1)
    note(world.home, "e")
    assert next(more)["event"] == "e"
    with open(world.home.log, "a") as file:
        file.write('{"event": "half')
        file.flush()
        file.write('"}\n')
    assert next(more)["event"] == "half"


def test_follow_waits_for_a_journal_that_is_not_there_yet(world: World) -> None:
    more = follow(world.home, 5, "x")
    os.makedirs(world.home.root)
    note(world.home, "y")
    note(world.home, "x")
    assert next(more)["event"] == "x"
