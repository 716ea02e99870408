"""No schedule of our steps breaks a promise; every wrong variant is caught (the proof of both)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plastic.disk import failpoints
from plastic.work.lock.release import release
from plastic.work.lock.takeover import reclaim
from tests.model.machine import Lock, Process, Program, World, explore
from tests.model.programs import (
    ACQUIRE,
    BEAT,
    LATE_COUNTER,
    RELEASE,
    TAKEOVER,
    UNGUARDED_BEAT,
    WRONG_ACQUIRE,
    WRONG_BEAT,
    WRONG_RELEASE,
    WRONG_TAKEOVERS,
    come_back_as_a,
)
from tests.work.scene import Scene, me

STALE = Lock("old", 1, 1, fresh=False)


def world(lock: Lock | None, programs: dict[str, Program], holder: str = "") -> World:
    """The start: a lock or none, and who believes to hold it."""
    acq, lapsed = (lock.acq, not lock.fresh) if lock is not None else (0, False)
    processes = tuple(
        Process(name, 0, None, acq, 0, ended=False, lapsed=lapsed)
        if name == holder
        else Process(name, 0, None, 0, 0, ended=False)
        for name in programs
    )
    token = lock.token if lock is not None else 0
    issued = (token,) if token else ()
    return World(lock, "", token, token, 2, issued, "", processes)


def run(
    lock: Lock | None, programs: dict[str, Program], holder: str = "", crashes: bool = True
) -> tuple[int, set[str]]:
    return explore(world(lock, programs, holder), programs, crashes=crashes)


OURS: dict[str, tuple[Lock | None, dict[str, Program], str]] = {
    "three acquire a free lock": (None, {"A": ACQUIRE, "B": ACQUIRE, "C": ACQUIRE}, ""),
    "three take over a stale lock": (STALE, {"A": TAKEOVER, "B": TAKEOVER, "C": TAKEOVER}, ""),
    "two take over, one acquires": (STALE, {"A": TAKEOVER, "B": TAKEOVER, "C": ACQUIRE}, ""),
    "the owner beats, two take over": (
        STALE._replace(owner="O"),
        {"O": BEAT, "A": TAKEOVER, "B": TAKEOVER},
        "O",
    ),
    "the owner releases, two acquire, one takes over": (
        Lock("O", 1, 1, fresh=True),
        {"O": RELEASE, "A": ACQUIRE, "B": ACQUIRE, "C": TAKEOVER},
        "O",
    ),
    "four at once, owner included": (
        STALE._replace(owner="O"),
        {"O": BEAT + BEAT + RELEASE, "A": TAKEOVER + RELEASE, "B": TAKEOVER, "C": ACQUIRE},
        "O",
    ),
    "take over, give back, acquire, beat": (
        STALE,
        {"A": TAKEOVER + RELEASE, "B": TAKEOVER + BEAT, "C": ACQUIRE + RELEASE},
        "",
    ),
}


@pytest.mark.parametrize("name", OURS)
def test_no_schedule_breaks_a_promise(name: str) -> None:
    lock, programs, holder = OURS[name]
    states, broken = run(lock, programs, holder)
    assert broken == set()
    assert states > 100


def test_the_whole_space_is_large_enough_to_mean_something() -> None:
    total = sum(run(lock, programs, holder)[0] for lock, programs, holder in OURS.values())
    assert total > 10_000


@pytest.mark.parametrize("name", WRONG_TAKEOVERS)
def test_a_wrong_takeover_is_caught(name: str) -> None:
    """A to E: some pass every stress test and are wrong all the same."""
    wrong = WRONG_TAKEOVERS[name]
    _, broken = run(STALE, {"A": wrong, "B": wrong, "C": ACQUIRE}, crashes=False)
    assert any(one.startswith("two owners") for one in broken) or any(
        "taken away" in one for one in broken
    ), broken


def test_an_acquire_without_the_guard_is_caught() -> None:
    _, broken = run(None, {"A": WRONG_ACQUIRE, "B": WRONG_ACQUIRE})
    assert any(one.startswith("two owners") for one in broken)


@pytest.mark.parametrize(("acquire", "twice"), [(LATE_COUNTER, True), (ACQUIRE, False)])
def test_a_counter_that_is_written_after_the_lock_is_caught(acquire: Program, twice: bool) -> None:
    """Killed between lock and counter, released by its own session: the number comes again."""
    programs = {"A": acquire, "B": (come_back_as_a, *RELEASE), "C": acquire}
    _, broken = run(None, programs)
    assert any("issued twice" in one for one in broken) is twice


def test_a_release_without_the_guard_is_caught() -> None:
    """It removes the lock of whoever took over between its look and its unlink."""
    stale = STALE._replace(owner="O")
    programs: dict[str, Program] = {"O": WRONG_RELEASE, "A": TAKEOVER, "B": ACQUIRE}
    _, broken = run(stale, programs, "O", crashes=False)
    assert any("the live lock of A was taken away" in one for one in broken)
    ours: dict[str, Program] = {"O": RELEASE, "A": TAKEOVER, "B": ACQUIRE}
    _, fine = run(stale, ours, "O", crashes=False)
    assert not any("taken away" in one for one in fine)


def test_a_beat_by_path_is_caught() -> None:
    """It refreshes the lock of the new owner, or makes a file, and reports success."""
    stale = STALE._replace(owner="O")
    _, broken = run(stale, {"O": WRONG_BEAT, "A": TAKEOVER + RELEASE}, "O", crashes=False)
    assert any("refreshed the lock of A" in one for one in broken)
    assert any("made a file" in one for one in broken)
    _, fine = run(stale, {"O": BEAT, "A": TAKEOVER + RELEASE}, "O", crashes=False)
    assert not any("refreshed" in one or "made a file" in one for one in fine)


def test_a_beat_without_the_guard_is_caught() -> None:
    """A takeover that has looked before the beat replaces a lock that is alive again."""
    stale = STALE._replace(owner="O")
    programs: dict[str, Program] = {"O": UNGUARDED_BEAT, "A": TAKEOVER}
    _, broken = run(stale, programs, "O", crashes=False)
    assert broken


# -- the model is about OUR code: its steps are what the code does, in that order ---------------


def _steps(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record guard, counter, fence, publish, replace, unlink of the lock as they happen."""
    import contextlib
    from collections.abc import Iterator

    from plastic.disk import files, locks, token
    from plastic.work.fence import ref as fence

    done: list[str] = []
    real_guard, real_look = locks.guard, scene.path

    @contextlib.contextmanager
    def guard(path: str, wait_s: float, label: str) -> Iterator[None]:
        with real_guard(path, wait_s, label):
            done.append("guard")
            yield
            done.append("free")

    def spy(name: str, real: object, only: str) -> object:
        def call(*args: object, **more: object) -> object:
            if not only or str(args[0]) == only:
                done.append(name)
            return real(*args, **more)  # type: ignore[operator]

        return call

    monkeypatch.setattr(locks, "guard", guard)
    monkeypatch.setattr(token, "count", spy("count", token.count, ""))
    monkeypatch.setattr(fence, "move", spy("fence", fence.move, ""))
    for name in ("publish", "replace", "remove"):
        monkeypatch.setattr(files, name, spy(name, getattr(files, name), str(real_look)))
    return done


def test_the_code_takes_the_steps_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(tmp_path)
    done = _steps(scene, monkeypatch)
    scene.arm("O")
    assert done == ["guard", "count", "fence", "publish", "free"]
    done.clear()
    scene.silent()
    reclaim(scene.home, scene.intent, me("F"))
    assert done == ["guard", "count", "fence", "replace", "free"]
    done.clear()
    release(scene.home, scene.intent, me("F"))
    assert done == ["guard", "remove", "free"]
    assert [step.__name__ for step in ACQUIRE] == [
        "take_guard",
        "must_be_absent",
        "count",
        "fence",
        "publish",
        "free_guard",
    ]
    assert failpoints.NAMES.index("lock.counted") < failpoints.NAMES.index("lock.fenced")
