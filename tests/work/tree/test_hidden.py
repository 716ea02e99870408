"""Edits that git was told to overlook are found, and nothing else; the index stays as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plastic.disk.git import Git
from plastic.work.tree.hidden import hidden_edits
from tests.world import World


@pytest.fixture
def repo(world: World) -> Path:
    place = world.make_repo()
    for name in ("a.py", "b c.py"):
        (place / name).write_text("one\n")
    (place / "link").symlink_to("a.py")
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "more")
    return place


def found(repo: Path) -> tuple[str, ...]:
    return hidden_edits(Git(str(repo)), str(repo / ".git"))


@pytest.mark.parametrize("way", ["--assume-unchanged", "--skip-worktree"])
def test_an_edit_and_a_link_that_moved(world: World, repo: Path, way: str) -> None:
    world.git("update-index", way, "a.py", "b c.py", "link")
    assert found(repo) == ()
    (repo / "b c.py").write_text("two\n")
    (repo / "link").unlink()
    (repo / "link").symlink_to("b c.py")
    index = repo / ".git/index"
    before = index.read_bytes(), index.stat().st_mtime_ns
    assert found(repo) == ("b c.py", "link")
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before
    assert not list((repo / ".git").glob("index.*"))


def test_an_edit_of_the_same_size_at_the_same_moment(world: World, repo: Path) -> None:
    """The copy of the index must not look younger than the edit, or git would trust the times."""
    world.git("update-index", "--assume-unchanged", "a.py")
    seen = os.stat(repo / "a.py")
    (repo / "a.py").write_text("two\n")
    os.utime(repo / "a.py", ns=(seen.st_atime_ns, seen.st_mtime_ns))
    os.utime(repo / ".git/index", ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert found(repo) == ("a.py",)


def test_what_is_missing_or_seen_by_git_is_no_hidden_edit(world: World, repo: Path) -> None:
    (repo / "a.py").write_text("seen\n")
    world.git("update-index", "--skip-worktree", "b c.py")
    (repo / "b c.py").unlink()
    assert found(repo) == ()
