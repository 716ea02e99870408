"""`run/seen/<harness>`: cheap, quiet, and never in a folder that is no home."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from plastic.disk.home import Home
from plastic.disk.presence import EVERY, every, last, note_presence
from plastic.words import ToolUse


def event(session: str = "s1") -> ToolUse:
    return ToolUse("claude", "pre", session, "/w", "Write")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "projects.yml").touch()
    return Home(str(tmp_path))


def said(home: Home) -> dict[str, Any]:
    found = last(home, "claude")
    assert found is not None
    return found[1]


def test_it_says_who_and_when(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posix.environ", {b"AI_AGENT": b"claude-code_2.1.332_harness"})
    assert last(home, "claude") is None
    assert every(home) == []
    note_presence(home, "claude", event())
    assert every(home) == ["claude"]
    row = said(home)
    assert (row["argument"], row["event"], row["session"]) == ("claude", "pre", "s1")
    assert row["version"] == "claude-code_2.1.332_harness"
    assert os.path.isabs(row["python"])


def test_it_writes_once_in_a_while(home: Home) -> None:
    note_presence(home, "claude", event("s1"))
    note_presence(home, "claude", event("s2"))
    assert said(home)["session"] == "s1"
    path = Path(home.run, "seen", "claude")
    os.utime(path, (1, path.stat().st_mtime - EVERY - 1))
    note_presence(home, "claude", event("s2"))
    assert said(home)["session"] == "s2"
    os.utime(path, (1, path.stat().st_mtime + 3600))
    note_presence(home, "claude", event("s3"))
    assert said(home)["session"] == "s3", "a time in the future would be believed for an hour"


def test_who_only_tries_the_hook_is_nobody(home: Home) -> None:
    note_presence(home, "claude", event(""))
    assert last(home, "claude") is None


def test_an_older_file_of_that_name_makes_room(home: Home) -> None:
    Path(home.run).mkdir()
    Path(home.run, "seen").write_text("digest 1 2\n")
    note_presence(home, "claude", event())
    assert said(home)["session"] == "s1"


def test_a_folder_that_is_no_home_stays_as_it_is(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "none"):
        note_presence(Home(str(root)), "claude", event())
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "read-only"])
def test_nothing_hinders_the_hook(home: Home, kind: str, permissions: None) -> None:
    folder = Path(home.run, "seen")
    folder.mkdir(parents=True)
    path = folder / "claude"
    if kind == "link":
        path.symlink_to("/etc/passwd")
        before = os.stat("/etc/passwd").st_mtime_ns
    elif kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        folder.chmod(0o500)
    note_presence(home, "claude", event("\ud800"))
    assert last(home, "claude") is None
    if kind == "link":
        assert os.stat("/etc/passwd").st_mtime_ns == before
    folder.chmod(0o700)


def test_a_half_written_line_is_still_a_sign_of_life(home: Home) -> None:
    note_presence(home, "claude", event())
    Path(home.run, "seen", "claude").write_text('{"session": "s')
    found = last(home, "claude")
    assert found is not None
    assert found[1] == {}
