"""Waiting: what ends it and how, and that it looks at a stamp instead of storming the file."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from plastic.disk import penfile
from tests.pen import other
from tests.pen.conftest import Tree


def test_what_is_over_at_once(tree: Tree) -> None:
    assert tree.ok("wait", "ana")["turn_is_yours"] is True
    tree.relay("ana", "bo")
    assert tree.ok("wait", "bo")["turn_is_yours"] is True
    tree.ok("done", "bo")
    assert tree.ok("wait", "ana")["state"] == "DONE"
    assert tree.ok("next", "ana")["claimed"] is False


@pytest.mark.parametrize("more", [["--once"], ["--timeout", "0.05"]])
def test_not_yet(tree: Tree, more: list[str]) -> None:
    tree.relay("ana", "bo")
    found = tree.yet("wait", "ana", *more)
    assert found["ok"] is False
    assert found["next"] == "plastic pen wait ana"
    assert tree.no("wait", "eve", *more)["code"] == "no-agent"


def test_e22_a_stale_peer(tree: Tree) -> None:
    tree.ok("claim", "ana")
    other.expire(tree.file)
    done = tree.do("wait", "bo", "--once")
    assert done.rc == 0
    assert "stale: the window of ana has ended" in done.out
    found = tree.yet("next", "bo")
    assert found["next"] == "plastic pen claim bo --force"
    assert tree.ok("status", "--for", "bo")["next"] == "plastic pen claim bo --force"
    assert tree.ok("next", "bo", "--force")["state"] == "WORKING_BO"


def test_e23_ones_own_stale_window(tree: Tree) -> None:
    tree.ok("claim", "ana")
    assert tree.do("wait", "ana").rc == 3, "who works waits for nothing"
    other.expire(tree.file)
    done = tree.do("wait", "ana", "--once")
    assert done.rc == 3
    assert "stale" not in done.out


def test_e24_a_third_who_is_stale(tree: Tree) -> None:
    tree.ok("claim", "cy")
    other.expire(tree.file)
    assert "cy" in tree.do("wait", "ana", "--once").out


def test_next_on_ones_own_pen_is_a_reminder(tree: Tree) -> None:
    tree.relay("ana", "bo")
    tree.ok("claim", "bo")
    found = tree.ok("next", "bo")
    assert found["claimed"] is False
    assert found["handoff"]["turn"] == 1
    other.expire(tree.file)
    assert tree.ok("next", "bo")["stale"] is False


def in_thread(act: Any) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(act()))
    thread.start()
    return thread, found


def test_e33_it_wakes_when_the_turn_comes(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a pause, told once; a blocking wait stays alive."""
    tree.ok("claim", "ana")
    tree.ok("pause", "ana", "--reason", "later")
    thread, found = in_thread(lambda: tree.do("wait", "bo", "--timeout", "60"))
    tree.ok("resume", "ana", "--scope", "x")
    tree.relay("ana", "bo")
    thread.join(60)
    assert found[0].rc == 0
    assert found[0].err.count("paused") <= 1


def test_the_file_is_read_when_its_stamp_changes(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand looks at the stamp, one read."""
    tree.relay("ana", "bo")
    slept: list[float] = []
    clock = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr("plastic.work.pen.wait.time.sleep", sleep)
    monkeypatch.setattr("plastic.work.pen.wait.time.monotonic", lambda: clock[0])
    reads: list[str] = []
    load = penfile.load

    def counted(path: str) -> str | None:
        reads.append(path)
        return load(path)

    monkeypatch.setattr("plastic.work.pen.desk.load", counted)
    tree.yet("wait", "ana", "--timeout", "600")
    assert len(reads) <= 2
    assert 500 < len(slept) < 700
    assert max(slept) <= 1.0


def test_the_end_of_a_window_wakes(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.ok("claim", "ana")
    now = [other_now(tree)]

    def sleep(seconds: float) -> None:
        now[0] += 100

    for module in ("bind", "view"):
        monkeypatch.setattr(f"plastic.work.pen.{module}.now", lambda: now[0])
    monkeypatch.setattr("plastic.work.pen.wait.time.sleep", sleep)
    assert tree.ok("wait", "bo")["stale"] is True


def other_now(tree: Tree) -> float:
    from plastic.disk.clock import seconds

    return seconds(tree.block["since"]) or 0.0


def test_what_cannot_be_noted_is_shown_anyway(tree: Tree) -> None:
    """The pen is taken by then: no receipt is no reason to hide the message."""
    tree.relay("ana", "bo")
    (tree.folder / ".m8shift").write_text("in the way")
    assert tree.ok("peek", "bo")["handoff"]["turn"] == 1
    assert tree.ok("next", "bo")["claimed"] is True


def test_append_and_wait(tree: Tree) -> None:
    tree.ok("claim", "ana")
    found = tree.do("append", "ana", "--to", "bo", "--wait", "--timeout", "0")
    assert found.rc == 3
    assert tree.block["state"] == "AWAITING_BO"
