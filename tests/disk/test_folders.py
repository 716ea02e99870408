"""Folders in folders go, as long as no file is among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.folders import prune

if TYPE_CHECKING:
    from pathlib import Path


def test_prune_removes_folders_and_never_a_file(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/d").mkdir()
    assert prune(str(tmp_path / "a"))
    assert not (tmp_path / "a").exists()
    assert prune(str(tmp_path / "a"))
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/mine").write_text("x")
    assert not prune(str(tmp_path / "a"))
    assert (tmp_path / "a/b/mine").read_text() == "x"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    assert not prune(str(tmp_path / "link"))
    assert (tmp_path / "elsewhere").is_dir()
