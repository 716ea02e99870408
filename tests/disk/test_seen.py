"""One call, one set of side effects."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from plastic.disk.home import Home
from plastic.disk.seen import TAIL, first


def test_the_second_time_is_known(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    assert first(home, "a\0b")
    assert not first(home, "a\0b")
    assert first(home, "a\0c")
    assert not first(home, "a\0b")
    assert first(home, "")
    assert first(home, "\0")
    assert first(home, "\ud800")


def test_of_many_at_once_exactly_one_is_first(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        for turn in range(20):
            assert sum(pool.map(lambda _, turn=turn: first(home, f"call {turn}"), range(32))) == 1


def test_the_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    for turn in range(5200):
        assert first(home, str(turn))
        assert not first(home, str(turn))
    assert sum(os.stat(Path(home.run, name)).st_size for name in os.listdir(home.run)) < 10 * TAIL
    assert sorted(os.listdir(home.run)) == ["said", "said.old"]


def test_where_nothing_can_be_kept_everybody_is_first(tmp_path: Path) -> None:
    for kind in ("file", "missing"):
        home = Home(str(tmp_path / kind))
        if kind == "file":
            Path(home.root).write_text("")
        assert first(home, "a")
        assert first(home, "a")
        assert not os.path.isdir(home.root)
    home = Home(str(tmp_path / "odd"))
    for make in (lambda path: path.mkdir(parents=True), os.mkfifo):
        path = Path(home.run, "said")
        make(path)
        assert first(home, "a")
        assert first(home, "a")
        path.rmdir() if path.is_dir() else path.unlink()


def test_what_was_said_long_ago_may_be_said_again(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    assert first(home, "a", 60)
    assert not first(home, "a", 60)
    path = Path(home.run, "said")
    long_ago = [" ".join([*line.split()[:2], "1"]) for line in path.read_text().splitlines()]
    path.write_text("\n".join(long_ago) + "\n")
    assert not first(home, "a")
    assert not first(home, "a", 60), "the line before, which the call above has left"
    path.write_text("\n".join(long_ago) + "\nno line of ours\n")
    assert first(home, "a", 60)
    assert not first(home, "a", 60)
