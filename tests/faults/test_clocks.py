"""T1, T2: clocks that step, file systems that count whole seconds, inodes and links that lie."""

from __future__ import annotations

import errno
import json
import os
import posix
import time
from typing import TYPE_CHECKING

import pytest

from plastic.disk import files
from plastic.disk.lockfile import beat, look
from plastic.words import Held, Refusal
from plastic.work.lock.claims import claim
from plastic.work.lock.takeover import reclaim
from plastic.work.lock.verb import seen
from tests.work.scene import Scene, me

if TYPE_CHECKING:
    from pathlib import Path

YEARS = 10 * 365 * 24 * 3600.0
STEPS = (-YEARS, -7200.0, -1.0, 1.0, 7200.0, YEARS)
COARSE = 2.0  # seconds: what FAT counts in


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def stepped(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """This process believes another time than the file system."""
    real, real_ns = time.time, time.time_ns
    patch.setattr(time, "time", lambda: real() + seconds)
    patch.setattr(time, "time_ns", lambda: real_ns() + int(seconds * 1e9))


@pytest.mark.parametrize("step", STEPS)
def test_a_taker_with_another_clock(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    """T1: it takes no lock that is alive, and takes the one that is stale."""
    scene.arm("O")
    with monkeypatch.context() as patch:
        stepped(patch, step)
        with pytest.raises(Held):
            reclaim(scene.home, scene.intent, me("F"))
    scene.silent()
    with monkeypatch.context() as patch:
        stepped(patch, step)
        taken = reclaim(scene.home, scene.intent, me("F"))
    assert (taken.how, scene.raw()["owner_session"], scene.raw()["token"]) == ("takeover", "F", 2)


@pytest.mark.parametrize("step", STEPS)
def test_an_owner_with_another_clock(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    """T1: what it writes and beats has the file system's time: others see it alive."""
    with monkeypatch.context() as patch:
        stepped(patch, step)
        scene.arm("O")
        scene.silent(600)
        assert beat(seen(scene.intent), "O", every=0)
        assert scene.arm("O").how == "rearmed"
    view = seen(scene.intent)
    assert view.state == "fresh"
    assert view.age is not None
    assert abs(view.age) < 60
    with pytest.raises(Held):
        reclaim(scene.home, scene.intent, me("F"))


@pytest.mark.parametrize("taken", [False, True])
def test_a_session_that_slept(scene: Scene, taken: bool) -> None:
    """A laptop was shut for two hours: its lock is its own until somebody took it."""
    scene.arm("O")
    scene.silent()
    before = seen(scene.intent)
    if taken:
        reclaim(scene.home, scene.intent, me("F"))
    assert beat(before, "O", every=0) is not taken
    assert seen(scene.intent).state == "fresh"
    assert scene.raw()["owner_session"] == ("F" if taken else "O")


@pytest.mark.parametrize(("age", "is_stale"), [(0.0, False), (2.0, False), (4.0, True)])
def test_whole_seconds(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, age: float, is_stale: bool
) -> None:
    """T2: a time to live of two seconds where a file's time is a multiple of two."""
    now = time.time() // COARSE * COARSE
    scene.write(acquired_at="x", acq="a", token=1, ttl=2)
    os.utime(scene.path, (now - age, now - age))
    monkeypatch.setattr(files, "fs_now", lambda _: now)
    if is_stale:
        assert reclaim(scene.home, scene.intent, me("F")).how == "takeover"
    else:
        with pytest.raises(Held):
            reclaim(scene.home, scene.intent, me("F"))


def test_the_same_second_is_no_identity(scene: Scene) -> None:
    """T2: two acquisitions with one time and one inode are told apart by what they say."""
    scene.arm("O")
    old, times = seen(scene.intent), os.stat(scene.path)
    raw = {**scene.raw(), "acq": "another", "token": 2}
    scene.path.write_text(json.dumps(raw))
    os.utime(scene.path, ns=(times.st_atime_ns, times.st_mtime_ns - 10**12))
    assert os.stat(scene.path).st_ino == times.st_ino
    assert not beat(old, "O", every=0)
    assert time.time() - os.stat(scene.path).st_mtime > 900


def _refused(number: int) -> object:
    def link(_: str, __: str) -> None:
        raise OSError(number, os.strerror(number))

    return link


def _lost(number: int) -> object:
    real = posix.link

    def link(path: str, other: str) -> None:
        real(path, other)
        raise OSError(number, os.strerror(number))

    return link


@pytest.mark.parametrize("answer", ["EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EXDEV", "EIO"])
@pytest.mark.parametrize("made", [False, True], ids=["no link", "a reply that was lost"])
def test_a_file_system_with_odd_links(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, answer: str, made: bool
) -> None:
    """NFS loses the reply to a link that it made; SMB has no links: one owner in both."""
    number = getattr(errno, answer)
    monkeypatch.setattr(posix, "link", _lost(number) if made else _refused(number))
    assert scene.arm("O").new
    with pytest.raises(Refusal):
        scene.arm("F")
    claim(scene.home, scene.intent, me("O"), "spec.md")
    scene.silent()
    assert reclaim(scene.home, scene.intent, me("F")).how == "takeover"
    assert look(str(scene.path)).state == "fresh"
    assert not [one for one in os.listdir(scene.dir) if one.endswith(".tmp")]
