"""The repository of a path, found without git, is the one that git names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from plastic.disk.gitdir import common_of, find, linked_branch
from plastic.disk.paths import real

if TYPE_CHECKING:
    from tests.gates.scene import Scene
    from tests.world import World


def as_git_says(world: World, path: str) -> tuple[str, str]:
    top = world.git("rev-parse", "--show-toplevel", cwd=path)
    common = world.git("rev-parse", "--path-format=absolute", "--git-common-dir", cwd=path)
    return top, os.path.realpath(common)


def test_main_checkouts_linked_worktrees_and_submodules_agree_with_git(world: World) -> None:
    repo = world.make_repo()
    (repo / "deep" / "er").mkdir(parents=True)
    world.git("worktree", "add", "-q", str(world.root / "linked"))
    other = world.make_repo(world.root / "other")
    world.git("submodule", "--quiet", "add", str(other), "sub")
    separate = world.root / "separate"
    world.git("init", "-q", "--separate-git-dir", str(world.root / "sep.git"), str(separate))
    # git finds it by its name, not by the link: the real path decides.
    for path in (repo, repo / "deep" / "er", world.root / "linked", repo / "sub", separate):
        assert find(str(path)) == as_git_says(world, str(path)), path


def test_a_worktree_that_names_its_repository_relatively(world: World) -> None:
    repo = world.make_repo()
    world.git("worktree", "add", "-q", str(world.root / "linked"))
    dot = world.root / "linked" / ".git"
    dot.write_text("gitdir: ../shop/.git/worktrees/linked\n")
    assert find(str(world.root / "linked")) == (str(world.root / "linked"), f"{repo}/.git")


def test_the_deepest_repository_wins_and_the_rest_is_none(world: World) -> None:
    repo = world.make_repo()
    nested = world.make_repo(repo / "vendor" / "lib")
    assert find(str(nested)) == (str(nested), f"{nested}/.git")
    assert find(str(world.root)) is None
    assert find("/") is None


def test_what_only_looks_like_a_repository_is_none(world: World) -> None:
    folder = world.root / "folder"
    (folder / ".git").mkdir(parents=True)
    assert common_of(str(folder)) is None
    for name, content in (("a", ""), ("b", "gitdir: /gone\n"), ("c", "gitdir:\n"), ("d", "\0" * 9)):
        (world.root / name).mkdir()
        (world.root / name / ".git").write_text(content)
        assert common_of(str(world.root / name)) is None
    os.mkfifo(world.root / "e.git")
    (world.root / "e").mkdir()
    (world.root / "e" / ".git").symlink_to("../e.git")
    assert common_of(str(world.root / "e")) is None


def test_the_branch_of_a_linked_worktree(scene: Scene) -> None:
    tree = scene.tree(scene.intent())
    assert linked_branch(tree) == "refs/heads/plastic/96--demo"
    assert linked_branch(str(scene.repo)) == ""
    assert linked_branch(str(scene.root)) == ""
    scene.git("switch", "-q", "--detach", cwd=Path(tree))
    assert linked_branch(tree) == ""


def test_an_endless_path_ends(scene: Scene) -> None:
    for name in ("a", "b" * 300, ".."):
        assert real(f"{scene.repo}/" + f"{name}/" * 100_000)
        assert find(f"{scene.repo}/" + f"{name}/" * 2_000) == (
            str(scene.repo),
            f"{scene.repo}/.git",
        )
