"""`copy:` and `setup:`: what reaches a new worktree, and what never does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from plastic.words import Broken
from plastic.work.tree import copies
from plastic.work.tree.copies import set_up
from tests.work.yard import Yard, text, touch

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def yard(world: World) -> Yard:
    world.make_repo()
    (world.repo / ".gitignore").write_text(".env\nbuild/\n.claude/\nlink\n*.key\n")
    world.git("commit", "-q", "-am", "ignore")
    return Yard(world)


def test_ignored_files_with_mode_and_time(yard: Yard) -> None:
    path = f"{yard.root}/.env"
    (yard.world.repo / ".env").write_text("A=1\n")
    os.chmod(path, 0o640)
    os.utime(path, (1_000_000, 1_000_000))
    tree = yard.tree(project=yard.project(copy=[".env"]))
    seen = os.stat(f"{tree['path']}/.env")
    assert (seen.st_mode & 0o777, seen.st_mtime) == (0o640, 1_000_000)
    assert text(f"{tree['path']}/.env") == "A=1\n"


def test_whole_directories(yard: Yard) -> None:
    os.makedirs(f"{yard.root}/build/a/b")
    touch(f"{yard.root}/build/a/b/c")
    os.symlink("b/c", f"{yard.root}/build/a/inside")
    os.symlink("/etc/hostname", f"{yard.root}/build/a/absolute")
    os.symlink("../../../outside", f"{yard.root}/build/a/outside")
    os.mkfifo(f"{yard.root}/build/pipe")
    tree = yard.tree(project=yard.project(copy=["build/"]))
    found = sorted(os.listdir(f"{tree['path']}/build/a"))
    assert found == ["b", "inside"]
    assert os.readlink(f"{tree['path']}/build/a/inside") == "b/c"
    assert not os.path.exists(f"{tree['path']}/build/pipe")
    assert len([line for line in yard.said if "not copied" in line]) == 3


def test_the_worktrees_are_never_copied_into_each_other(yard: Yard) -> None:
    yard.tree("1")
    touch(f"{yard.root}/.claude/local")
    tree = yard.tree("2", project=yard.project(copy=[".claude"]))
    assert os.listdir(f"{tree['path']}/.claude") == ["local"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent.key", "does not exist"),
        ("app.py", "not ignored"),
        ("untracked.py", "not ignored"),
    ],
)
def test_skipped_and_said(yard: Yard, name: str, said: str) -> None:
    touch(f"{yard.root}/untracked.py")
    tree = yard.tree(project=yard.project(copy=[name]))
    assert any(said in line and name in line for line in yard.said)
    assert yard.world.git("status", "--porcelain", cwd=tree["path"]) == ""


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "build/../../outside", "link"])
def test_nothing_from_outside(yard: Yard, name: str) -> None:
    touch(str(yard.world.root / "outside"))
    os.symlink(yard.world.root / "outside", f"{yard.root}/link")
    before = yard.snapshot()
    with pytest.raises(Broken) as caught:
        yard.provision(project=yard.project(copy=[name]))
    assert caught.value.code == "copy-outside"
    assert yard.snapshot() == before


def test_nothing_is_overwritten(yard: Yard) -> None:
    (yard.world.repo / ".env").write_text("NEW\n")
    yard.child(env={"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "provision.checked_out"})
    with open(f"{yard.path()}/.env", "w") as file:
        file.write("MINE\n")
    yard.tree(project=yard.project(copy=[".env"]))
    assert text(f"{yard.path()}/.env") == "MINE\n"


def test_nothing_is_written_through_a_link_in_the_tree(yard: Yard) -> None:
    (yard.world.root / "elsewhere").mkdir()
    os.makedirs(f"{yard.root}/build")
    touch(f"{yard.root}/build/a.key")
    yard.child(env={"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "provision.checked_out"})
    os.symlink(yard.world.root / "elsewhere", f"{yard.path()}/build")
    yard.tree(project=yard.project(copy=["build/a.key"]))
    assert os.listdir(yard.world.root / "elsewhere") == []


def test_setup_runs_in_the_worktree_without_a_hooks_environment(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/none")
    project = yard.project(setup=["pwd > .env", "git rev-parse --show-toplevel >> .env"])
    tree = yard.tree(project=project)
    assert text(f"{tree['path']}/.env") == f"{tree['path']}\n{tree['path']}\n"


def test_setup_stops_at_the_first_failure(yard: Yard) -> None:
    with pytest.raises(Broken) as caught:
        set_up(yard.root, ["exit 3", "touch later"], yard.said.append)
    assert not os.path.exists(f"{yard.root}/later")
    assert "`setup: exit 3` ended with 3" in caught.value.reason


def test_setup_has_a_deadline(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "SETUP_TIMEOUT", 0.3)
    with pytest.raises(Broken, match="ran out of time"):
        set_up(yard.root, ["sleep 300 & wait"], yard.said.append)
