"""A folder goes only when it is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.folders import remove_empty

if TYPE_CHECKING:
    from pathlib import Path


def test_only_an_empty_folder_goes(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    (tmp_path / "link").symlink_to("empty")
    names = ("full", "link", "empty", "empty", "full/file")
    assert [remove_empty(str(tmp_path / name)) for name in names] == [
        False,
        False,
        True,
        False,
        False,
    ]
    assert (tmp_path / "full" / "file").read_text() == "x"
