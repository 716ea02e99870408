"""Where the pen lies: main checkout, nearest one upwards, another name, behind a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pen import other
from tests.pen.conftest import Tree
from tests.world import World


@pytest.fixture
def repo(world: World) -> Tree:
    tree = Tree(world, world.make_repo())
    tree.ok("init", "--agents", "ana,bo")
    return tree


def test_git_does_not_see_it(repo: Tree, world: World) -> None:
    repo.ok("bind", "ana", "--session", "s")
    repo.relay("ana", "bo", "ana")
    repo.ok("remember", "ana", "x")
    repo.ok("task", "add", "ana", "x")
    repo.ok("archive", "--keep", "0")
    assert world.git("status", "--porcelain", "--untracked-files=all") == ""
    repo.ok("init")
    exclude = (repo.folder / ".git/info/exclude").read_text().splitlines()
    assert exclude.count("/M8SHIFT*.md") == 1


def test_a_linked_worktree_has_none_of_its_own(repo: Tree, world: World) -> None:
    away = world.root / "away"
    world.git("worktree", "add", "-q", str(away))
    (away / "M8SHIFT.md").write_text(other.FULL)
    below = away / "deep"
    below.mkdir()
    done = world.plastic("pen", "claim", "ana", cwd=below)
    assert done.rc == 0
    assert repo.block["state"] == "WORKING_ANA"
    assert (away / "M8SHIFT.md").read_text() == other.FULL


def test_a_submodule_is_a_tree_of_its_own(world: World) -> None:
    inner = world.make_repo(world.root / "inner")
    outer = world.make_repo(world.root / "outer")
    world.git("submodule", "add", "-q", str(inner), "sub", cwd=outer)
    done = world.plastic("pen", "init", cwd=outer / "sub")
    assert done.rc == 0
    assert (outer / "sub/M8SHIFT.md").exists()
    assert not (outer / "M8SHIFT.md").exists()


def test_outside_of_git_the_nearest_upwards(world: World) -> None:
    top, middle = world.root / "t", world.root / "t/m"
    (middle / "x").mkdir(parents=True)
    for folder in (middle, top):
        assert world.plastic("pen", "init", cwd=folder).rc == 0
        assert (folder / "M8SHIFT.md").exists()
    world.plastic("pen", "claim", "claude", cwd=middle / "x")
    assert other.fields((middle / "M8SHIFT.md").read_text())["state"] == "WORKING_CLAUDE"
    assert other.fields((top / "M8SHIFT.md").read_text())["state"] == "IDLE"


def test_another_name_and_other_markers(bare: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    bare.ok("init")
    monkeypatch.setenv("PLASTIC_PEN", "TEAM.md")
    monkeypatch.setenv("PLASTIC_PEN_MARK", "TEAM")
    assert bare.no("status")["code"] == "no-pen"
    bare.ok("init", "--agents", "ana,bo")
    bare.relay("ana", "bo")
    text = (bare.folder / "TEAM.md").read_text()
    assert "<!-- TEAM:TURN 1 ana BEGIN -->" in text
    assert "M8SHIFT" not in text
    assert (bare.folder / "TEAM.sessions.jsonl").exists()
    assert other.fields(bare.file.read_text())["state"] == "IDLE"


def test_two_ways_to_one_file(tree: Tree, world: World) -> None:
    """Behind links it is one file with one lock."""
    away = world.root / "away"
    away.mkdir()
    (away / "M8SHIFT.md").symlink_to(tree.file)
    assert world.plastic("pen", "claim", "ana", cwd=away).rc == 0
    assert tree.no("claim", "bo")["code"] == "held"
    assert [one.name for one in away.iterdir()] == ["M8SHIFT.md"]


def test_a_link_to_nowhere(bare: Tree) -> None:
    bare.file.symlink_to(bare.folder / "later.md")
    bare.ok("init")
    assert (bare.folder / "later.md").is_file()
    bare.ok("claim", "claude")


def test_a_folder_that_may_not_be_written(
    tree: Tree, permissions: None, request: pytest.FixtureRequest
) -> None:
    tree.folder.chmod(0o555)
    request.addfinalizer(lambda: tree.folder.chmod(0o755))
    tree.ok("status")
    for line in (["claim", "ana"], ["remember", "ana", "x"]):
        done = tree.do(*line)
        assert done.rc == 1
        assert "run: " in done.err
        assert "Traceback" not in done.err
    assert not list(Path(tree.folder).glob("*.tmp"))
