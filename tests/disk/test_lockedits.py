"""Rare edits: nothing is lost when a bad file is set aside, a line cut, a rewrite dated."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plastic.disk.command import after_dashes, again, remember
from plastic.disk.lockedits import cut, date, replace_dated, set_aside


def test_set_aside_keeps_every_one(tmp_path: Path) -> None:
    names = []
    for number in range(3):
        (tmp_path / "delivery.lock").write_text(str(number))
        names.append(set_aside(str(tmp_path / "delivery.lock")))
    assert [Path(name).read_text() for name in names] == ["0", "1", "2"]
    assert all(Path(name).name.startswith(".delivery.lock.corrupt.") for name in names)
    assert not (tmp_path / "delivery.lock").exists()


def test_a_link_is_moved_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("x")
    (tmp_path / "delivery.lock").symlink_to("target")
    aside = Path(set_aside(str(tmp_path / "delivery.lock")))
    assert aside.is_symlink()
    assert (tmp_path / "target").read_text() == "x"


def test_cut_takes_only_what_is_last(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_text("one\ntwo\n")
    assert cut(str(path), "two\n")
    assert path.read_text() == "one\n"
    path.write_text("one\ntwo\nthree\n")
    assert not cut(str(path), "two\n")
    assert not cut(str(path), "x" * 100)
    assert path.read_text() == "one\ntwo\nthree\n"


def test_dates(tmp_path: Path) -> None:
    path = tmp_path / "claim"
    path.write_text("old")
    os.utime(path, (1000, 1000))
    replace_dated(str(path), b"new")
    assert (path.read_text(), path.stat().st_mtime) == ("new", 1000)
    date(str(path), 5.0)
    assert path.stat().st_mtime == 5
    with pytest.raises(FileNotFoundError):
        date(str(tmp_path / "absent"), 5.0)
    assert not (tmp_path / "absent").exists()


def test_the_same_command_again() -> None:
    remember("plastic-lock", ["keep", "14", "--", "sh", "-c", "echo a b"])
    assert again() == "plastic-lock keep 14 -- sh -c 'echo a b'"
    assert after_dashes() == ["sh", "-c", "echo a b"]
    remember("plastic", ["list"])
    assert after_dashes() == []
