"""Provisioning over kinds of repositories and project paths: the right root or a clear refusal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from plastic.words import Broken
from tests.work.yard import Yard, text, touch

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World


@pytest.fixture
def yard(world: World) -> Yard:
    world.make_repo()
    return Yard(world)


def plain(yard: Yard) -> tuple[str, str]:
    return yard.root, yard.root


def subdirectory(yard: Yard) -> tuple[str, str]:
    os.makedirs(f"{yard.root}/src/deep")
    return f"{yard.root}/src/deep", yard.root


def through_a_link(yard: Yard) -> tuple[str, str]:
    os.symlink(yard.root, yard.world.root / "link")
    return str(yard.world.root / "link"), yard.root


def linked_worktree(yard: Yard) -> tuple[str, str]:
    yard.world.git("worktree", "add", "-q", "-b", "theirs", "../linked")
    return os.path.dirname(yard.root) + "/linked", yard.root


def one_of_our_worktrees(yard: Yard) -> tuple[str, str]:
    return yard.tree("9")["path"], yard.root


def shallow(yard: Yard) -> tuple[str, str]:
    yard.world.git("commit", "-q", "--allow-empty", "-m", "second")
    yard.world.git("clone", "-q", "--depth", "1", f"file://{yard.root}", "../shallow")
    root = os.path.dirname(yard.root) + "/shallow"
    return root, root


def sparse(yard: Yard) -> tuple[str, str]:
    os.makedirs(f"{yard.root}/wanted")
    os.makedirs(f"{yard.root}/unwanted")
    touch(f"{yard.root}/wanted/a")
    touch(f"{yard.root}/unwanted/b")
    yard.world.git("add", "-A")
    yard.world.git("commit", "-q", "-m", "two folders")
    yard.world.git("sparse-checkout", "set", "wanted")
    return yard.root, yard.root


def submodule(yard: Yard) -> tuple[str, str]:
    whole = yard.world.make_repo(yard.world.root / "whole")
    yard.world.git("submodule", "add", "-q", yard.root, "part", cwd=whole)
    yard.world.git("commit", "-q", "-m", "part", cwd=whole)
    root = os.path.realpath(whole / "part")
    return root, root


def worktree_of_a_submodule(yard: Yard) -> tuple[str, str]:
    root, _ = submodule(yard)
    yard.world.git("worktree", "add", "-q", "-b", "theirs", "../../linked", cwd=root)
    return os.path.dirname(yard.root) + "/linked", root


def with_a_submodule(yard: Yard) -> tuple[str, str]:
    submodule(yard)
    root = os.path.dirname(yard.root) + "/whole"
    return root, root


def nested(yard: Yard) -> tuple[str, str]:
    inner = yard.world.make_repo(yard.world.repo / "vendor" / "inner")
    return os.path.realpath(inner), os.path.realpath(inner)


def separate_git_directory(yard: Yard) -> tuple[str, str]:
    root = os.path.dirname(yard.root) + "/separate"
    yard.world.git("clone", "-q", "--separate-git-dir", "../elsewhere.git", yard.root, root)
    return root, root


def checkout_of_a_bare_repository(yard: Yard) -> tuple[str, str]:
    base = os.path.dirname(yard.root)
    yard.world.git("clone", "-q", "--bare", yard.root, f"{base}/hub.git")
    yard.world.git("worktree", "add", "-q", "../hub", "main", cwd=f"{base}/hub.git")
    return f"{base}/hub", f"{base}/hub"


def other_hash(yard: Yard) -> tuple[str, str]:
    root = os.path.dirname(yard.root) + "/sha256"
    yard.world.git("init", "-q", "-b", "main", "--object-format=sha256", root)
    yard.world.git("commit", "-q", "--allow-empty", "-m", "first", cwd=root)
    return root, root


def odd_name(yard: Yard) -> tuple[str, str]:
    root = os.path.dirname(yard.root) + "/a $HOME 'b' ü"
    yard.world.git("clone", "-q", yard.root, root)
    return root, root


def worktree_config(yard: Yard) -> tuple[str, str]:
    yard.world.git("config", "extensions.worktreeConfig", "true")
    yard.world.git("config", "--worktree", "core.autocrlf", "false")
    return yard.root, yard.root


def packed(yard: Yard) -> tuple[str, str]:
    yard.world.git("gc", "-q")
    return yard.root, yard.root


def claude_is_tracked(yard: Yard) -> tuple[str, str]:
    os.makedirs(f"{yard.root}/.claude")
    touch(f"{yard.root}/.claude/settings.json")
    yard.world.git("add", "-A")
    yard.world.git("commit", "-q", "-m", "settings")
    return yard.root, yard.root


KINDS = [
    plain,
    subdirectory,
    through_a_link,
    linked_worktree,
    one_of_our_worktrees,
    shallow,
    sparse,
    submodule,
    worktree_of_a_submodule,
    with_a_submodule,
    nested,
    separate_git_directory,
    checkout_of_a_bare_repository,
    other_hash,
    odd_name,
    worktree_config,
    packed,
    claude_is_tracked,
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_right_root(yard: Yard, kind: Callable[[Yard], tuple[str, str]]) -> None:
    given, root = kind(yard)
    before = yard.world.git("status", "--porcelain", cwd=root)
    project = yard.project(given)
    tree = yard.tree(project=project)
    assert tree["repo"] == root
    assert tree["path"] == f"{root}/.claude/worktrees/1--add-tax"
    assert yard.world.git("rev-parse", "--show-toplevel", cwd=tree["path"]) == tree["path"]
    assert yard.world.git("branch", "--show-current", cwd=tree["path"]) == tree["branch"]
    assert yard.world.git("status", "--porcelain", cwd=tree["path"]) == ""
    assert yard.world.git("status", "--porcelain", cwd=root) == before
    assert yard.tree(project=project) == tree
    yard.world.git("commit", "-q", "--allow-empty", "-m", "works", cwd=tree["path"])


def test_a_sparse_checkout_stays_sparse(yard: Yard) -> None:
    sparse(yard)
    tree = yard.tree()
    assert os.path.exists(f"{tree['path']}/wanted/a")
    assert not os.path.exists(f"{tree['path']}/unwanted")


def test_a_lost_main_checkout_is_refused(yard: Yard) -> None:
    """A separate git directory does not say where its main checkout is."""
    root, _ = separate_git_directory(yard)
    yard.world.git("worktree", "add", "-q", "-b", "theirs", "../linked", cwd=root)
    with pytest.raises(Broken) as caught:
        yard.provision(project=yard.project(os.path.dirname(root) + "/linked"))
    assert caught.value.code == "main-checkout"


def test_a_path_inside_the_git_directory(yard: Yard) -> None:
    with pytest.raises(Broken) as caught:
        yard.provision(project=yard.project(f"{yard.root}/.git/hooks"))
    assert caught.value.code == "bare-repository"


def test_two_projects_in_one_repository_share_guard_and_exclude(yard: Yard) -> None:
    os.makedirs(f"{yard.root}/a")
    one = yard.tree("1", project=yard.project(f"{yard.root}/a"))
    two = yard.tree("2", project=yard.project())
    assert one["repo"] == two["repo"]
    assert text(f"{yard.root}/.git/info/exclude").count("/.claude/worktrees/") == 1


def test_line_endings_and_filters_of_the_repository_apply(yard: Yard) -> None:
    (yard.world.repo / ".gitattributes").write_text("*.txt text eol=crlf\n")
    (yard.world.repo / "a.txt").write_text("x\n")
    yard.world.git("add", "-A")
    yard.world.git("commit", "-q", "-m", "text")
    with open(f"{yard.tree()['path']}/a.txt", "rb") as file:
        assert file.read() == b"x\r\n"
