"""Heartbeats, revivals and the ttl of long calls: every event of whoever holds a lock."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.lockfile import look
from plastic.disk.session import derived

if TYPE_CHECKING:
    from plastic.words import Intent
    from tests.gates.scene import Scene

ME, F, D = "owner-1", "foreign-2", "delegate-3"


def age(made: Intent) -> float:
    found = look(f"{made.dir}/delivery.lock").age
    assert found is not None
    return found


def raw(made: Intent) -> Any:
    return json.loads(Path(made.dir, "delivery.lock").read_text())


@pytest.mark.parametrize(
    ("tool", "event"),
    [
        ("Read", "PreToolUse"),
        ("Bash", "PreToolUse"),
        ("Write", "PostToolUse"),
        ("Bash", "PostToolUseFailure"),
        ("", "UserPromptSubmit"),
        ("", "Stop"),
        ("", "SessionStart"),
        ("Task", "PreToolUse"),
    ],
)
def test_every_event_of_the_owner_beats(scene: Scene, tool: str, event: str) -> None:
    made = scene.planned()
    scene.lock(made, ME, age=600)
    before = raw(made), os.stat(f"{made.dir}/delivery.lock").st_ino
    assert scene.judge(scene.event(ME, tool, event, file_path=str(scene.root / "x"))).rc == 0
    assert age(made) < 60
    assert (raw(made), os.stat(f"{made.dir}/delivery.lock").st_ino) == before
    assert scene.journal() == []


def test_a_beat_comes_once_in_thirty_seconds(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, age=20)
    scene.judge(scene.event(ME, "Read"))
    assert age(made) > 15
    scene.lock(made, ME, age=31)
    scene.judge(scene.event(ME, "Read"))
    assert age(made) < 15


def test_who_is_foreign_never_beats(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, age=600)
    scene.judge(scene.event(F, "Read"))
    scene.does(F, f"{made.dir}/spec.md")
    assert age(made) > 500


@pytest.mark.parametrize(
    ("status", "beats"), [(None, True), ("active", True), ("finished", False), ("failed", False)]
)
def test_delegates_beat_while_they_work(scene: Scene, status: str | None, beats: bool) -> None:
    made = scene.planned()
    record = [{"session": D, "status": status}] if status else []
    scene.lock(made, ME, age=600, delegates=[D], delegate_activity=record)
    assert scene.does(D, f"{made.dir}/notes.md").denied is None
    assert (age(made) < 60) is beats


def test_my_own_lapsed_lock_is_revived_and_told(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, age=9000)
    assert scene.does(ME, f"{made.dir}/notes.md").denied is None
    assert look(f"{made.dir}/delivery.lock").state == "fresh"
    (row,) = scene.journal("lapsed")
    assert (row["session"], row["intent"], row["age"] >= 9000) == (ME, made.name, True)
    assert row["hook"] == "claude"
    assert raw(made)["token"] == 3


def test_a_heartbeat_from_the_future_is_reset_by_its_owner(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = scene.planned()
    path = f"{made.dir}/delivery.lock"
    scene.lock(made, ME, age=20)
    before, now = os.stat(path).st_mtime, time.time()
    monkeypatch.setattr("plastic.work.gate.sight.time.time", lambda: now - 9000)
    assert look(path).state == "future"
    assert scene.does(F, f"{made.dir}/notes.md").denied
    assert os.stat(path).st_mtime == before
    scene.judge(scene.event(ME, "Read"))
    assert os.stat(path).st_mtime > before + 15


def test_a_missing_link_is_made_again(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, age=600, link=False)
    scene.does(ME, f"{made.dir}/notes.md")
    assert os.readlink(f"{scene.home.held}/{made.name}") == f"{made.dir}/delivery.lock"


def test_a_busy_guard_costs_a_beat_and_nothing_else(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, age=600)
    with open(f"{made.dir}/delivery.write.lock", "w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        assert scene.does(ME, f"{made.dir}/notes.md").out == b""
    assert age(made) > 500
    assert scene.journal("missed-beat")[0]["session"] == ME


def test_a_long_call_raises_the_ttl_and_the_next_event_restores_it(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, note="kept")
    scene.judge(scene.event(ME, "Bash", command="make", timeout=60_000))
    assert raw(made)["ttl"] == 1800
    scene.judge(scene.event(ME, "Bash", command="make", timeout=3_600_000))
    assert (raw(made)["ttl"], raw(made)["note"], raw(made)["token"]) == (3660, "kept", 3)
    scene.judge(scene.event(ME, "Bash", command="make", timeout=36_000_000))
    assert raw(made)["ttl"] == 4 * 3600
    scene.judge(scene.event(ME, "Bash", "PostToolUse", command="make", timeout=36_000_000))
    assert raw(made)["ttl"] == 1800
    assert set(raw(made)) >= {"owner_session", "acq", "note"}
    assert "ttl_before_call" not in raw(made)


def test_a_legacy_lock_gets_its_shape_back(scene: Scene) -> None:
    made = scene.planned()
    legacy = {"type": "delivery", "owner_session": ME, "acquired_at": "2026-11-30T10:00:00Z"}
    Path(made.dir, "delivery.lock").write_text(json.dumps(legacy))
    scene.link(made)
    scene.judge(scene.event(ME, "Bash", command="make", timeout=3_600_000))
    assert raw(made)["ttl"] == 3660
    scene.judge(scene.event(ME, "Read"))
    assert raw(made) == legacy


def test_a_foreign_long_call_changes_nothing(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME)
    scene.judge(scene.event(F, "Bash", command="make", timeout=3_600_000))
    assert raw(made)["ttl"] == 1800


def test_a_session_without_a_name(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names it, else the key that commands derive from user, host and intent."""
    made = scene.planned()
    scene.lock(made, ME, age=600)
    assert scene.does(" ", f"{made.dir}/notes.md").denied
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", ME)
    assert scene.does(" ", f"{made.dir}/notes.md").denied is None
    assert scene.does(F, f"{made.dir}/notes.md").denied
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    scene.lock(made, derived(scene.home.root, made.id).session, age=600)
    assert scene.does("", f"{made.dir}/notes.md").denied is None
    assert age(made) < 60
    other = scene.intent("97", "other")
    scene.lock(other, derived(scene.home.root, "96").session)
    assert scene.does("", f"{other.dir}/notes.md").denied
