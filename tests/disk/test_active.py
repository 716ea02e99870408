"""The cache of Active ids: right when current, made anew when not, unable to change a verdict."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk import active
from plastic.disk.active import is_active
from plastic.disk.home import Home

if TYPE_CHECKING:
    from collections.abc import Callable

LINE = "- [{0} \u2014 demo](store/{0}--demo/{0}--demo.md)\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(str(tmp_path / "home"))
    Path(made.base("shop")).mkdir(parents=True)
    return made


def index(home: Home, active_ids: list[str], project: str | None = "shop") -> None:
    text = "# INDEX\n\n## Active\n\n" + "".join(map(LINE.format, active_ids))
    Path(home.index(project)).write_text(text + "\n## Completed\n\n" + LINE.format("5"))


@pytest.mark.parametrize("project", ["shop", None])
def test_who_is_active(home: Home, project: str | None) -> None:
    assert is_active(home, project, "1") is None
    index(home, ["1", "2a"], project)
    for _ in range(2):
        assert is_active(home, project, "1") is True
        assert is_active(home, project, "2a") is True
        assert is_active(home, project, "5") is False
        assert is_active(home, project, "9") is False
    index(home, ["9"], project)
    assert is_active(home, project, "9") is True
    assert is_active(home, project, "1") is False


def no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(active, "_rebuilt", lambda *_: pytest.fail("INDEX was read again"))


def test_a_current_cache_is_not_made_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    index(home, ["1"])
    is_active(home, "shop", "1")
    no_parsing(monkeypatch)
    assert is_active(home, "shop", "1") is True
    assert is_active(home, "shop", "2") is False


def spoil_stamp(folder: Path) -> None:
    (folder / ".of").write_text("1 2 3")


def spoil_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def spoil_by_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("")


def spoil_stamp_kind(folder: Path) -> None:
    (folder / ".of").unlink()
    (folder / ".of").mkdir()


@pytest.mark.parametrize("spoil", [spoil_stamp, spoil_folder, spoil_by_file, spoil_stamp_kind])
def test_a_spoilt_cache_changes_no_verdict(home: Home, spoil: Callable[[Path], None]) -> None:
    index(home, ["1"])
    is_active(home, "shop", "1")
    spoil(Path(home.run, "active", "shop"))
    for _ in range(2):
        assert is_active(home, "shop", "1") is True
        assert is_active(home, "shop", "2") is False


def test_a_home_that_cannot_be_written(home: Home, permissions: None) -> None:
    index(home, ["1"])
    os.chmod(home.root, 0o555)
    try:
        assert is_active(home, "shop", "1") is True
        assert not os.path.exists(home.run)
    finally:
        os.chmod(home.root, 0o755)


def test_an_index_that_cannot_be_read(home: Home, permissions: None) -> None:
    index(home, ["1"])
    os.chmod(home.index("shop"), 0)
    assert is_active(home, "shop", "1") is None


def test_nothing_is_left_behind(home: Home) -> None:
    for turn in range(5):
        index(home, [str(turn)])
        assert is_active(home, "shop", str(turn)) is True
    assert os.listdir(f"{home.run}/active") == ["shop"]
    assert sorted(os.listdir(f"{home.run}/active/shop")) == [".of", "4"]


def test_many_makers_at_once(home: Home) -> None:
    wrong: list[object] = []

    def look() -> None:
        for turn in range(40):
            if turn % 10 == 0:
                shutil.rmtree(f"{home.run}/active/shop", ignore_errors=True)
            got = (is_active(home, "shop", "1"), is_active(home, "shop", "9"))
            if got != (True, False):
                wrong.append(got)

    index(home, ["1", "2", "3"])
    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_folder_that_is_being_dropped_is_not_believed(home: Home) -> None:
    """Its stamp goes first, so a missing name never looks like an intent at rest."""
    index(home, ["1"])
    is_active(home, "shop", "1")
    folder = Path(home.run, "active", "shop")
    assert sorted(os.listdir(folder))[0] == ".of"
    (folder / ".of").unlink()
    (folder / "1").unlink()
    assert is_active(home, "shop", "1") is True
