"""One look at a lock, one beat of it: never raising, never creating, never for somebody else."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.disk.lockfile import GUARD, beat, look, look_claim, same_acquisition
from plastic.rules.lock.lease import parse
from plastic.words import LockView

LOCK: dict[str, Any] = {
    "type": "delivery",
    "owner_session": "O",
    "acquired_at": "2026-01-01T00:00:00Z",
    "acq": "a1",
    "token": 3,
    "ttl": 1800,
    "delegates": ["D", "F1"],
    "delegate_activity": [{"session": "F1", "status": "finished"}],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "delivery.lock"
    found.write_text(json.dumps(LOCK))
    return found


def at(path: Path, age: float) -> LockView:
    """A look with a clock that makes the lock this old."""
    stat = path.stat()
    return look(str(path), min(stat.st_mtime, stat.st_ctime) + age)


# age in seconds -> state
AGES = [
    (0, "fresh"),
    (1799, "fresh"),
    (1800, "fresh"),
    (1800.001, "stale"),
    (-60, "fresh"),
    (-60.1, "future"),
    (1e9, "stale"),
]


@pytest.mark.parametrize(("age", "state"), AGES)
def test_state_by_age(path: Path, age: float, state: str) -> None:
    """Case 9.1/8: equal is fresh."""
    os.utime(path, ns=(10**18, 10**18))
    view = look(str(path), 10**9 + age)
    assert view.state == state


def test_absent_and_unreadable(path: Path, tmp_path: Path) -> None:
    assert look(str(tmp_path / "no/lock")).state == "none"
    assert look(str(tmp_path)).state == "corrupt"
    assert look(str(path) + "/below").state == "none"


def test_a_loop_of_links_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "delivery.lock").symlink_to("delivery.lock")
    assert look(str(tmp_path / "delivery.lock")).state == "corrupt"


@given(st.binary(max_size=300))
def test_no_bytes_are_free(data: bytes) -> None:
    """Whatever stands in the file: a lock with an owner, or held by unknown."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "delivery.lock"
        target.write_bytes(data)
        view = look(str(target))
        assert view.state in ("fresh", "corrupt")
        assert (view.lock is None) == (view.state == "corrupt")


@given(st.integers(0, 400), st.binary(min_size=1, max_size=3))
def test_mutations_of_a_lock(place: int, noise: bytes) -> None:
    whole = json.dumps(LOCK).encode()
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "delivery.lock"
        target.write_bytes(whole[:place] + noise + whole[place:])
        view = look(str(target))
        assert view.state != "none"
        assert view.lock is None or view.lock.owner.strip()


values = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())
)


@given(st.dictionaries(st.sampled_from(sorted(LOCK)), values))
def test_any_values_parse_or_do_not(raw: dict[str, Any]) -> None:
    lock = parse({**LOCK, **raw})
    if lock is not None:
        assert lock.owner.strip()
        assert lock.ttl > 0
        assert lock.token >= 0
        assert all(isinstance(one, str) for one in lock.delegates)


# -- the beat ----------------------------------------------------------------------------------


WHO = [("O", True), ("D", True), ("F1", False), ("X", False), ("", False)]


@pytest.mark.parametrize(("session", "counts"), WHO)
def test_whose_beat_counts(path: Path, session: str, counts: bool) -> None:
    """Case 9.1/9: mtime advances, the bytes are the same; anybody else changes nothing."""
    os.utime(path, (1000, 1000))
    before, data = path.stat().st_mtime_ns, path.read_bytes()
    assert beat(look(str(path)), session) is counts
    assert (path.stat().st_mtime_ns != before) is counts
    assert path.read_bytes() == data


def test_at_most_once_in_thirty_seconds(path: Path) -> None:
    view = at(path, 29)
    before = path.stat().st_mtime_ns
    assert not beat(view, "O")
    assert path.stat().st_mtime_ns == before
    assert beat(at(path, 31), "O")
    assert beat(at(path, 29), "O", every=0)


def test_a_short_ttl_beats_in_time(path: Path) -> None:
    path.write_text(json.dumps({**LOCK, "ttl": 5}))
    assert beat(at(path, 6), "O")


def test_a_heartbeat_in_the_future_is_reset_by_the_owner(path: Path) -> None:
    """The only beat that moves mtime back."""
    ahead = path.stat().st_mtime + 9000
    os.utime(path, (ahead, ahead))
    view = look(str(path), path.stat().st_ctime - 9000)
    assert view.state == "future"
    assert beat(view, "O")
    assert path.stat().st_mtime < ahead - 8000


def test_never_for_another_acquisition(path: Path) -> None:
    view = at(path, 100)
    os.utime(path, (1000, 1000))
    for change in ({"acq": "a2"}, {"owner_session": "N"}):
        path.write_text(json.dumps({**LOCK, **change}))
        os.utime(path, (1000, 1000))
        assert not beat(view, "O")
        assert path.stat().st_mtime == 1000
        assert view.lock is not None
        assert same_acquisition(str(path), view.lock) is None


def test_never_creates_a_file(path: Path) -> None:
    """The poison pill of upstream: a beat that races with a release must not leave a file."""
    view = at(path, 100)
    path.unlink()
    assert not beat(view, "O")
    assert not path.exists()


def test_beats_against_unlinks_never_make_a_file(path: Path) -> None:
    """The same as a race: 300 rounds of release and acquire beside a beating owner."""
    stop = threading.Event()

    def owner() -> None:
        while not stop.is_set():
            view = look(str(path))
            if view.lock is not None:
                beat(view, "O", every=0)

    thread = threading.Thread(target=owner)
    thread.start()
    empty = 0
    for _ in range(300):
        path.unlink()
        empty += path.exists()
        temp = path.with_name("temp")
        temp.write_text(json.dumps(LOCK))
        os.link(temp, path)
        temp.unlink()
    stop.set()
    thread.join()
    assert empty == 0
    assert json.loads(path.read_text()) == LOCK


def test_a_busy_guard_skips_the_beat(path: Path) -> None:
    import fcntl

    fd = os.open(path.parent / GUARD, os.O_RDWR | os.O_CREAT)
    fcntl.flock(fd, fcntl.LOCK_EX)
    assert not beat(at(path, 100), "O")
    assert beat(at(path, 100), "O", guarded=True)
    os.close(fd)
    assert beat(at(path, 100), "O")


def test_claims_without_a_folder(tmp_path: Path) -> None:
    assert look_claim(str(tmp_path), "spec.md", 1800, 0) is None
