"""The bridge directory is ours alone, and no name leaves it (cases 9.4/86, 9.4/87)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.disk.bridges import directory, file_name, is_private, listed, load, make, save

DIRECTORIES = [
    ({"PLASTIC_TMP": "/a/b/"}, "/a/b"),
    ({"PLASTIC_TMP": "relative", "XDG_RUNTIME_DIR": "/run/user/1"}, "/run/user/1/plastic"),
    ({"PLASTIC_TMP": "  ", "XDG_RUNTIME_DIR": ""}, f"/tmp/plastic-{os.getuid()}"),
    ({"XDG_RUNTIME_DIR": "/run/user/1/"}, "/run/user/1/plastic"),
]


@pytest.mark.parametrize(("env", "path"), DIRECTORIES)
def test_where(env: dict[str, str], path: str) -> None:
    assert directory(env) == path


NASTY = ["..", "../../etc/passwd", "a/b", "*", "a--1", "\u00e9", "", "a b", "\ud800", "x" * 500]


@pytest.mark.parametrize("session", NASTY)
def test_names_stay_inside(session: str) -> None:
    name = file_name(session, "14")
    assert "/" not in name
    assert name not in (".", "..")
    assert len(name.encode()) < 255
    assert name.endswith("--14.json")


@given(st.text(max_size=40), st.text(max_size=40))
def test_different_sessions_have_different_names(one: str, other: str) -> None:
    def plain(text: str) -> bytes:
        return text.encode("utf-8", "replace")

    if plain(one) != plain(other):
        assert file_name(one, "1") != file_name(other, "1")
    assert file_name(one, "1") != file_name(one, "2")


def test_it_is_made_private(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    assert not is_private(str(folder))
    assert listed(str(folder)) == []
    assert make(str(folder))
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """Case 9.4/87."""
    target = tmp_path / "target"
    target.mkdir(mode=0o700)
    (tmp_path / "b").symlink_to(target)
    assert not make(str(tmp_path / "b"))
    assert not save(str(tmp_path / "b"), "x.json", {})
    assert list(target.iterdir()) == []


def test_another_users_directory_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert make(str(tmp_path / "b"))
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert not make(str(tmp_path / "b"))
    assert not save(str(tmp_path / "b"), "x.json", {})


def test_a_planted_link_is_replaced_not_followed(tmp_path: Path) -> None:
    folder, victim = str(tmp_path / "b"), tmp_path / "victim"
    victim.write_text("mine")
    assert make(folder)
    os.symlink(victim, f"{folder}/x.json")
    assert load(f"{folder}/x.json") is None
    assert save(folder, "x.json", {"a": 1})
    assert victim.read_text() == "mine"
    assert load(f"{folder}/x.json") == {"a": 1}


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000])
def test_garbage_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    assert load(str(tmp_path / "x.json")) is None


def test_a_full_disk_is_no_failure_of_the_command(tmp_path: Path, permissions: None) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    assert not save(str(tmp_path / "closed/b"), "x.json", {})
