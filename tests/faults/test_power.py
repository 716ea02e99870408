"""K4: the power goes in the middle of a change of the lock; what is left is whole, and goes on."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk import files
from plastic.disk.lockfile import look
from plastic.disk.token import counter
from plastic.work.lock.claims import claim
from plastic.work.lock.delegates import delegate
from plastic.work.lock.release import release
from plastic.work.lock.takeover import reclaim
from plastic.work.lock.transfer import transfer
from tests.faults.power import Recorder, build, losses, picture
from tests.soak import record
from tests.work.scene import Scene, me

if TYPE_CHECKING:
    from collections.abc import Callable


def _stale(scene: Scene) -> None:
    scene.arm("O")
    scene.silent()


Act = tuple["Callable[[Scene], object] | None", "Callable[[Scene], object]", str]
# How a command begins and what it does; who holds the lock when it has answered.
ACTS: dict[str, Act] = {
    "arm": (None, lambda scene: scene.arm("O"), "O"),
    "rearm": (lambda scene: scene.arm("O"), lambda scene: scene.arm("O"), "O"),
    "takeover": (
        _stale,
        lambda scene: reclaim(scene.home, scene.intent, me("F")),
        "F",
    ),
    "transfer": (
        lambda scene: scene.arm("O"),
        lambda scene: transfer(scene.home, scene.intent, me("O"), "F"),
        "F",
    ),
    "delegate": (
        lambda scene: scene.arm("O"),
        lambda scene: delegate(scene.home, scene.intent, me("O"), "helper"),
        "O",
    ),
    "claim": (
        lambda scene: scene.arm("O"),
        lambda scene: claim(scene.home, scene.intent, me("O"), "spec.md"),
        "O",
    ),
    "release": (
        lambda scene: scene.arm("O"),
        lambda scene: release(scene.home, scene.intent, me("O")),
        "",
    ),
}


def wrong(scene: Scene, name: str, owner: str, before: int, *, is_over: bool) -> str:
    """What a state breaks of what we promise; "" for nothing."""
    view = look(str(scene.path))
    if view.state not in ("none", "fresh", "stale"):
        return f"the lock is {view.state}: {scene.path.read_bytes()!r}"
    known = counter(str(scene.dir))
    if view.lock is not None and (known is None or known < view.lock.token):
        return f"token {view.lock.token}, and the counter says {known}"
    if before and (known is None or known < before):
        return f"token {before} would be issued again: the counter says {known}"
    link = Path(scene.home.held, scene.intent.name)
    if view.lock is not None and not link.is_symlink():
        return "a lock without its link in held/"
    if is_over and owner and (view.lock is None or view.lock.owner != owner):
        return f"{name} has answered, and the lock is {view.lock and view.lock.owner}"
    return ""


def sweep(root: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[int, list[str]]:
    """Every state of one command; how many, and what was wrong."""
    first, act, owner = ACTS[name]
    scene = Scene(root)
    if first is not None:
        first(scene)
    before = counter(str(scene.dir)) or 0
    home = Path(scene.home.root)
    kept = picture(home)
    with monkeypatch.context() as patch:
        recorder = Recorder(home, patch)
        act(scene)
    steps = [one for one in recorder.steps if "/log/" not in one.path and "/run/" not in one.path]
    assert any(one.kind == "sync" for one in steps)
    found, seen, states = [], set(), 0
    for number, loss, state in losses(kept, steps):
        states += 1
        key = json.dumps({path: repr(data) for path, data in state.items()}, sort_keys=True)
        is_over = number == len(steps)
        if (key, is_over) in seen:
            continue
        seen.add((key, is_over))
        build(home, state)
        said = wrong(scene, name, owner, before, is_over=is_over)
        if said:
            found.append(f"{name}: {number} {steps[number - 1][:3]}: {loss}: {said}")
            continue
        if scene.path.exists():
            os.utime(scene.path, (time.time() - 7200,) * 2)
            went = reclaim(scene.home, scene.intent, me("H"), despite=True).view.lock
        else:
            went = scene.arm("H").lock
        assert went is not None
        if went.owner != "H" or went.token <= before:
            found.append(f"{name}: {number}: {loss}: nobody can go on: {went}")
    return states, found


@pytest.mark.parametrize("name", ACTS)
def test_a_power_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    states, found = sweep(tmp_path, monkeypatch, name)
    assert found == [], "\n".join(found)
    assert states >= 10


def test_a_link_that_no_fsync_reached_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Non-vacuity: without the fsync a lock may come to the disk that no hook finds."""
    monkeypatch.setattr("plastic.disk.held.sync_dir", lambda _: None)
    _, found = sweep(tmp_path, monkeypatch, "arm")
    assert any("without its link" in one for one in found)


@pytest.mark.parametrize("what", ["the lock", "the counter"])
def test_bytes_that_no_fsync_reached_are_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Non-vacuity: a name that comes to the disk before its bytes."""
    name = "delivery.lock" if what == "the lock" else "delivery.token"
    real = files._write_temp

    def hasty(path: str, data: bytes, mode: int) -> str:
        with monkeypatch.context() as patch:
            if path.endswith(name):
                patch.setattr(files, "_sync", lambda _: None)
            return real(path, data, mode)

    monkeypatch.setattr(files, "_write_temp", hasty)
    _, found = sweep(tmp_path, monkeypatch, "takeover")
    assert found


@pytest.mark.soak
def test_every_power_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    since, total = time.monotonic(), 0
    for name in ACTS:
        states, found = sweep(tmp_path / name, monkeypatch, name)
        assert found == [], "\n".join(found)
        total += states
    record(
        "K4: the power goes at each moment of a command of the lock",
        f"{len(ACTS)} commands, {total} states of the disk",
        "no torn lock, no token twice, none without its link; what has answered stays",
        time.monotonic() - since,
    )
