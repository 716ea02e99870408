"""Repositories in a work tree are found wherever they lie; its own `.git` is none of them."""

from __future__ import annotations

from pathlib import Path

from plastic.disk.nested import nested


def test_directories_and_files_called_git(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    for name in ("a/b/.git", "a/b/inner/.git", "z/.git/objects"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/.git").write_text("gitdir: elsewhere\n")
    (tmp_path / "plain/dir").mkdir(parents=True)
    assert sorted(nested(str(tmp_path))) == ["a/b", "linked", "z"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside/.git").mkdir(parents=True)
    (tmp_path / "tree/link").symlink_to(tmp_path / "outside")
    assert nested(str(tmp_path / "tree")) == []
