"""Open calls and the trail of allowed writes: cheap to leave, read only when something changed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk import trail
from plastic.disk.home import Home

if TYPE_CHECKING:
    from typing import Any


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "home").mkdir()
    return Home(str(tmp_path / "home"))


def test_lines_come_back_in_their_order(home: Home) -> None:
    trail.mark(home, "write", "s-1", "call-1", "/a\nb\udcff")
    trail.mark(home, "end", "s-1", "call-1")
    first, second = trail.lines(home)
    assert [first[0], *first[2:]] == ["write", "s-1", "call-1", "/a\nb\udcff"]
    assert first[1] <= second[1]


def test_what_is_no_line_of_ours_is_passed_over(home: Home) -> None:
    trail.mark(home, "write", "s", "c")
    with open(f"{home.run}/trail", "ab") as file:
        file.write(b'nonsense\n[]\n{"a": 1}\n["write", "x", "s", "c", ""]\n\xff\n')
    trail.mark(home, "end", "s", "c")
    assert [row[0] for row in trail.lines(home)] == ["write", "end"]


def test_without_a_home_nothing_is_made(tmp_path: Path) -> None:
    gone = Home(str(tmp_path / "gone"))
    trail.mark(gone, "write", "s", "c")
    assert not trail.keep(gone, "s", "c", {})
    assert trail.lines(gone) == []
    assert not os.path.exists(gone.root)


def test_a_long_trail_is_rotated_and_still_read(home: Home, monkeypatch: Any) -> None:
    monkeypatch.setattr(trail, "ROTATE", 200)
    for number in range(9):
        trail.mark(home, "write", "s", str(number))
    assert os.path.exists(f"{home.run}/trail.old")
    assert [row[3] for row in trail.lines(home)][-1] == "8"


def test_a_call_is_kept_and_taken_once(home: Home) -> None:
    assert not trail.is_kept(home, "s", "c")
    assert trail.keep(home, "s", "c", {"at": 1, "files": {"/a\ud800": [1, 2]}})
    assert trail.is_kept(home, "s", "c")
    assert not trail.is_kept(home, "s", "d")
    taken = trail.take(home, "s", "c")
    assert taken is not None
    assert taken["at"] == 1
    assert trail.take(home, "s", "c") is None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff"])
def test_a_damaged_call_is_none(home: Home, data: bytes) -> None:
    trail.keep(home, "s", "c", {})
    Path(trail.path_of(home, "s", "c")).write_bytes(data)
    assert trail.take(home, "s", "c") is None


def test_any_names_make_a_plain_file_name(home: Home) -> None:
    for session, call in (("../x", "/etc/passwd"), ("", ""), ("\ud800", "\0"), ("x" * 5000, "y")):
        path = trail.path_of(home, session, call)
        assert path.startswith(f"{home.run}/calls/")
        assert path.count("/") == home.run.count("/") + 2
        assert len(path.rpartition("/")[2]) == 32
    assert trail.path_of(home, "a", "b") != trail.path_of(home, "b", "a")


def test_calls_without_an_end_go_in_time(home: Home, monkeypatch: Any) -> None:
    monkeypatch.setattr(trail, "MANY", 4)
    for number in range(4):
        trail.keep(home, "s", str(number), {})
    old = trail.path_of(home, "s", "0")
    os.utime(old, (time.time() - 2 * trail.KEEP,) * 2)
    for number in range(4, 200):
        trail.keep(home, "s", str(number), {})
    assert not os.path.exists(old)
    assert all(trail.is_kept(home, "s", str(number)) for number in range(1, 200))


def test_a_burst_of_calls_without_an_end_is_bounded(home: Home, monkeypatch: Any) -> None:
    """The soak run of fuzzed commands left 78,000 files, and each sixteenth call looked at all."""
    monkeypatch.setattr(trail, "MANY", 4)
    monkeypatch.setattr(trail, "MOST", 100)
    for number in range(600):
        trail.keep(home, "s", str(number), {})
        os.utime(trail.path_of(home, "s", str(number)), (time.time() - 600 + number,) * 2)
    assert len(os.listdir(f"{home.run}/calls")) < 250
    assert all(trail.is_kept(home, "s", str(number)) for number in range(590, 600))
    assert not trail.is_kept(home, "s", "0")


def test_a_home_that_cannot_be_written_stops_nothing(home: Home, permissions: None) -> None:
    os.mkdir(home.run)
    os.chmod(home.run, 0o500)
    try:
        trail.mark(home, "write", "s", "c")
        assert not trail.keep(home, "s", "c", {})
    finally:
        os.chmod(home.run, 0o700)
