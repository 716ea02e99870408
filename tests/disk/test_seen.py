"""One call, one set of side effects."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from plastic.disk.home import Home
from plastic.disk.seen import first

if TYPE_CHECKING:
    import pytest


def test_the_second_time_is_known(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    assert first(home, "a\0b")
    assert not first(home, "a\0b")
    assert first(home, "a\0c")
    assert first(home, "")
    assert first(home, "\0")
    assert first(home, "\ud800")


def test_of_many_at_once_one_is_first(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: first(home, "call"), range(64))) == 1


def test_days_before_are_forgotten(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    old = Path(home.run, "seen", "20200101")
    old.mkdir(parents=True)
    (old / "x").touch()
    assert first(home, "a")
    assert not old.exists()
    assert len(os.listdir(f"{home.run}/seen")) == 1


def test_where_nothing_can_be_kept_everybody_is_first(
    tmp_path: Path, permissions: pytest.FixtureRequest
) -> None:
    home = Home(str(tmp_path / "file"))
    Path(home.root).write_text("")
    assert first(home, "a")
    assert first(home, "a")
