"""An expired pen whose holder another program has just seen at work: it is waited for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.pen import other
from tests.pen.conftest import Tree


def beat(tree: Tree, agent: str, ago: float = 10, **values: Any) -> None:
    """What a listener of the other program writes every minute."""
    block = tree.block
    folder = tree.folder / ".m8shift/holder-heartbeats"
    folder.mkdir(parents=True, exist_ok=True)
    named = {key: block[key] for key in ("session", "state")}
    row: dict[str, Any] = {"schema": "m8shift.holder_heartbeat.v1", "agent": agent, **named}
    row |= {"turn": int(block["turn"]), "written_at": other.now(-ago), "source": "wrapper"}
    (folder / f"{agent}.json").write_text(json.dumps({**row, "cadence_seconds": 60, **values}))


@pytest.fixture
def stale(tree: Tree) -> Tree:
    tree.ok("claim", "ana")
    other.expire(tree.file)
    return tree


def test_e27_force_is_refused_while_it_beats(stale: Tree) -> None:
    beat(stale, "ana")
    for line in (
        ["claim", "bo", "--force"],
        ["next", "bo", "--force"],
        ["release", "bo", "--to", "cy", "--force", "--reason", "x"],
        ["done", "bo", "--force", "--reason", "x"],
        ["init", "--force"],
    ):
        error = stale.no(*line)
        assert (error["code"], error["who"]) == ("alive", "ana"), line
    assert "seen at work" in stale.do("status").out
    assert stale.yet("wait", "bo", "--once")["next"] == "plastic pen wait bo"
    assert stale.yet("claim", "bo", "--check")["ready"] is False
    stale.ok("claim", "ana")
    stale.ok("append", "ana", "--to", "bo")


def test_e27_one_that_appears_between_look_and_act(
    stale: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def appears(name: str) -> None:
        if name == "pen.locked":
            beat(stale, "ana")

    monkeypatch.setattr("plastic.disk.penlock.point", appears)
    done = stale.do("claim", "bo", "--force")
    assert done.rc == 1
    assert "seen at work" in done.err
    assert stale.block["holder"] == "ana"


@pytest.mark.parametrize("spoilt", [b"", b"[" * 8000, b"\xff", b"x" * 9000, b"[1]"])
def test_what_proves_nothing_protects_nobody(stale: Tree, spoilt: bytes) -> None:
    beat(stale, "ana", ago=200)
    if spoilt:
        (stale.folder / ".m8shift/holder-heartbeats/ana.json").write_bytes(spoilt)
    assert stale.ok("claim", "bo", "--force")["state"] == "WORKING_BO"


def test_a_wait_ends_with_the_last_beat(stale: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """It neither gives up nor storms the file while the holder lives."""
    beat(stale, "ana")
    clock = [0.0]
    started = stale_at(stale)

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    for module in ("bind", "view"):
        monkeypatch.setattr(f"plastic.work.pen.{module}.now", lambda: started + clock[0])
    monkeypatch.setattr("plastic.work.pen.wait.time.sleep", sleep)
    assert stale.ok("wait", "bo")["stale"] is True
    assert 100 < clock[0] < 130


def stale_at(tree: Tree) -> float:
    from plastic.disk.clock import seconds

    return (seconds(tree.block["expires"]) or 0.0) + 60
