"""Exchange of names: a rival's save is never hidden by ours."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from plastic.disk import atomic
from plastic.disk.atomic import same, swap
from plastic.disk.notes import disposition, parse
from plastic.disk.tree import exchange
from plastic.words import Refused

if TYPE_CHECKING:
    from pathlib import Path


def test_swap_replaces_what_was_seen_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    path.chmod(0o640)
    assert swap(str(path), b"new", os.lstat(path))
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["f"]


def test_swap_of_an_absent_file_publishes(tmp_path: Path) -> None:
    path = tmp_path / "f"
    assert swap(str(path), b"new", None)
    assert not swap(str(path), b"other", None)
    assert path.read_text() == "new"


@pytest.mark.parametrize("exchange", [True, False], ids=["exchange", "fallback"])
@pytest.mark.parametrize("how", ["rename", "in place", "removed and made"])
def test_a_rivals_save_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, exchange: bool
) -> None:
    if not exchange:
        monkeypatch.setattr(atomic, "exchange", lambda one, other: False)
    path = tmp_path / "f"
    path.write_text("old")
    seen = os.lstat(path)
    if how == "rename":
        (tmp_path / "g").write_text("theirs")
        os.rename(tmp_path / "g", path)
    elif how == "in place":
        path.write_text("theirs")
    else:
        path.unlink()
        path.write_text("theirs")
    assert not swap(str(path), b"ours", seen)
    assert path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["f"]


def test_a_rival_that_saves_in_the_very_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The save lands between our last look and our write: the moment a plain rename would lose."""
    path = tmp_path / "f"
    path.write_text("old")
    real = exchange

    def late(one: str, other: str) -> bool:
        monkeypatch.setattr(atomic, "exchange", real)
        (tmp_path / "g").write_text("theirs")
        os.rename(tmp_path / "g", path)
        return real(one, other)

    monkeypatch.setattr(atomic, "exchange", late)
    assert not swap(str(path), b"ours", os.lstat(path))
    assert path.read_text() == "theirs"


def test_the_newest_of_two_saves_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second may come from whoever has read ours for a moment: the first stays beside it."""
    path = tmp_path / "f"
    path.write_text("old")
    seen = os.lstat(path)
    real = exchange
    saves = ["second", "first"]  # after the last look, and while the first is being given back

    def late(one: str, other: str) -> bool:
        if saves:
            said = saves.pop()
            (tmp_path / "g").write_text(said)
            os.rename(tmp_path / "g", path)
        return real(one, other)

    monkeypatch.setattr(atomic, "exchange", late)
    assert not swap(str(path), b"ours", seen)
    assert path.read_text() == "second"
    kept = [name for name in os.listdir(tmp_path) if name != "f"]
    assert [name.startswith("f.kept.") for name in kept] == [True]
    assert (tmp_path / kept[0]).read_text() == "first"


def test_a_rival_that_is_seen_in_time_never_reads_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    seen = os.lstat(path)
    (tmp_path / "g").write_text("theirs")
    os.rename(tmp_path / "g", path)
    monkeypatch.setattr(atomic, "exchange", lambda *_: pytest.fail("ours was shown"))
    assert not swap(str(path), b"ours", seen)
    assert os.listdir(tmp_path) == ["f"]


def test_same_needs_identity_size_and_time(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("a")
    seen = os.lstat(path)
    assert same(seen, os.lstat(path))
    os.utime(path, ns=(1, 1))
    assert not same(seen, os.lstat(path))
    assert same(None, None)
    assert not same(seen, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ndisposition: delivered\n---\nx", "delivered"),
        ("---\ndisposition: abandoned\n---\n", "abandoned"),
        ("---\ndisposition: delivered|abandoned\n---\n", None),
        ("---\ndisposition: [delivered]\n---\n", None),
        ("---\n: : {\n---\n", None),
        ("no front matter", None),
    ],
)
def test_disposition(text: str, expected: str | None) -> None:
    assert disposition(text) == expected


def test_front_matter_that_is_no_yaml_is_one_line() -> None:
    with pytest.raises(Refused) as refused:
        parse("---\na: [\n---\n", "outcome.md")
    assert "outcome.md" in refused.value.reason
    assert "\n" not in refused.value.reason
