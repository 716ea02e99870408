"""The one repair: the same end from every state, and nothing more the second time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk import bridges, held
from plastic.words import Held, Lost, Refusal, Stale
from plastic.work.lock.bridge import path_of
from plastic.work.lock.repair import observe, repair, rescan
from tests.work.scene import Scene, me

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def _stale(scene: Scene) -> None:
    scene.arm("O")
    scene.silent()


def _corrupt(scene: Scene) -> None:
    scene.path.write_text("{")
    scene.silent()


STATES: dict[str, Callable[[Scene], object]] = {
    "none": lambda _: None,
    "own": lambda scene: scene.arm("O"),
    "stale-own": _stale,
    "corrupt": _corrupt,
    "legacy": lambda scene: scene.write(acquired_at="2020-01-01T00:00:00Z"),
}


@pytest.mark.parametrize("state", STATES)
def test_the_same_end_from_every_state(scene: Scene, state: str) -> None:
    """Cases 9.11/242 and 9.11/244."""
    STATES[state](scene)
    repair(scene.home, scene.intent, me("O"))
    raw = scene.raw()
    assert raw["owner_session"] == "O"
    assert (raw["owner_agent"], raw["run_mode"]) == (None, None), "nothing is invented"
    assert scene.held() == ["14--tax"]
    assert held.is_complete(scene.home)
    assert bridges.load(path_of(scene.intent, "O")) is not None
    again = repair(scene.home, scene.intent, me("O"))
    assert again.actions == ["lock kept", "bridge written"]
    assert {**scene.raw()} == raw
    assert scene.audit("Lock") == []


@pytest.mark.parametrize(("age", "kind", "exit"), [(0, Held, 3), (7200, Stale, 4)])
def test_somebody_elses_lock_is_left_alone(
    scene: Scene, age: float, kind: type[Refusal], exit: int
) -> None:
    """Cases 9.11/243, 9.4/77: also my earlier bridge is as it was."""
    repair(scene.home, scene.intent, me("F"))
    bridge = Path(path_of(scene.intent, "F")).read_bytes()
    scene.write(**{**scene.raw(), "owner_session": "O"})
    scene.age(age)
    before = scene.snapshot()
    with pytest.raises(kind) as refused:
        repair(scene.home, scene.intent, me("F"))
    assert (refused.value.exit, refused.value.who) == (exit, "O")
    assert scene.snapshot() == before
    assert Path(path_of(scene.intent, "F")).read_bytes() == bridge


def test_a_damaged_bridge_is_written_anew(scene: Scene) -> None:
    """Case 9.4/74."""
    repair(scene.home, scene.intent, me("O"))
    path = Path(path_of(scene.intent, "O"))
    path.write_text("{")
    repair(scene.home, scene.intent, me("O"))
    assert bridges.load(str(path)) is not None


def test_a_full_scan_finds_every_lock(scene: Scene) -> None:
    """Links to nothing go, foreign files stay out, what is held gets its link."""
    scene.arm("O")
    other = Path(scene.home.store(None)) / "2--other"
    other.mkdir(parents=True)
    (other / "delivery.lock").write_text("{")
    (Path(scene.home.store(None)) / "notes").mkdir()
    for name in scene.held():
        os.unlink(f"{scene.home.held}/{name}")
    os.symlink("/nowhere", f"{scene.home.held}/9--gone")
    os.symlink(f"{scene.home.store(None)}/7--void/delivery.lock", f"{scene.home.held}/7--void")
    assert rescan(scene.home) == 2
    assert scene.held() == ["14--tax", "2--other"]


def test_a_scan_leaves_the_link_of_an_acquire_that_is_under_way(scene: Scene) -> None:
    """Link first, lock second: while the guard is held, a dangling link is no leftover."""
    from plastic.disk.locks import intent_guard

    held.add(scene.home, scene.intent)
    with intent_guard(scene.intent.dir):
        rescan(scene.home)
        assert scene.held() == ["14--tax"]
    rescan(scene.home)
    assert scene.held() == []


# -- a heartbeat in the future -------------------------------------------------------------------


@pytest.fixture
def ahead(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The lock of O with a ttl of one second, and a clock that stands before its heartbeat."""
    scene.arm("O")
    scene.write(**{**scene.raw(), "ttl": 1})
    behind = scene.path.stat().st_mtime - 3600
    monkeypatch.setattr("plastic.disk.lockfile.time.time", lambda: behind)
    return scene


def test_observed_for_one_ttl_it_may_be_taken(
    ahead: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("plastic.disk.files.fs_now", lambda _: ahead.path.stat().st_ctime)
    result = observe(ahead.home, ahead.intent, me("F"), said.append)
    assert result["state"] == "stale" or ahead.path.stat().st_mtime < ahead.path.stat().st_ctime
    assert len(said) == 1
    assert ahead.raw()["owner_session"] == "O"


def test_a_sign_of_life_ends_the_watch(ahead: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def nap(_: float) -> None:
        os.utime(ahead.path)

    monkeypatch.setattr("plastic.work.lock.repair.time.sleep", nap)
    with pytest.raises(Stale) as refused:
        observe(ahead.home, ahead.intent, me("F"), lambda _: None)
    assert refused.value.code == "future"


def test_another_owner_ends_the_watch(ahead: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def nap(_: float) -> None:
        ahead.write(**{**ahead.raw(), "acq": "other"})

    monkeypatch.setattr("plastic.work.lock.repair.time.sleep", nap)
    with pytest.raises(Lost):
        observe(ahead.home, ahead.intent, me("F"), lambda _: None)


def test_the_owner_just_beats(ahead: Scene) -> None:
    result = observe(ahead.home, ahead.intent, me("O"), lambda _: None)
    assert "lock kept" in result["actions"]
