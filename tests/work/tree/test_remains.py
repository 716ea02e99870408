"""A worktree that is gone is not empty: what git's own directory still has of it is kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.work.ends import A, B, Ready, everything

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World


@pytest.fixture
def one(shop: World) -> Ready:
    made = Ready(shop).documents()
    made.commit()
    return made


def staged(one: Ready) -> str:
    (one.tree / "new.py").write_text("precious\n")
    one.world.git("add", "new.py", cwd=one.tree)
    return one.world.git("rev-parse", ":new.py", cwd=one.tree)


def detached(one: Ready) -> str:
    one.world.git("switch", "-q", "--detach", cwd=one.tree)
    return one.commit("found.py", "found\n")


def rebasing(one: Ready) -> str:
    one.commit("app.py", "TAX = 3\n")
    tip = one.world.git("rev-parse", "HEAD", cwd=one.tree)
    one.world.git("branch", "side", "main")
    other = one.world.root / "other"
    one.world.git("worktree", "add", "-q", str(other), "side")
    one.commit("app.py", "TAX = 4\n", where=other)
    assert one.world.run("git", "rebase", "side", cwd=one.tree).rc != 0
    return tip


def is_kept(one: Ready, oid: str) -> bool:
    """Whether any ref leads to this object."""
    return oid in one.world.git("rev-list", "--objects", "--all")


STATES = [staged, detached, rebasing]


@pytest.mark.parametrize("make", STATES, ids=lambda one: one.__name__)
def test_end_waits_until_it_is_kept(one: Ready, make: Callable[[Ready], str]) -> None:
    oid = make(one)
    shutil.rmtree(one.tree)
    watched = [one.world.repo, one.dir.parent.parent]
    before = everything(*watched)
    done = one.end()
    assert done.rc == 1
    assert done.json["error"]["code"] == "worktree-lost"
    assert done.json["obstacles"][0]["run"] == f"plastic start {one.id}"
    assert everything(*watched) == before
    found = one.world.plastic("start", one.id, session=A)
    assert found.rc == 0, found.err
    assert "is kept at refs/plastic/salvage/1/1" in found.err
    assert is_kept(one, oid)
    done = one.end()
    assert done.rc == 0, done.out
    one.ended()
    assert is_kept(one, oid)


@pytest.mark.parametrize("make", STATES, ids=lambda one: one.__name__)
def test_the_option_keeps_it_too(one: Ready, make: Callable[[Ready], str]) -> None:
    oid = make(one)
    shutil.rmtree(one.tree)
    done = one.end("--discard-worktree-changes")
    assert done.rc == 0, done.out
    one.ended()
    assert is_kept(one, oid)


@pytest.mark.parametrize("make", STATES, ids=lambda one: one.__name__)
def test_a_takeover_keeps_it(one: Ready, make: Callable[[Ready], str]) -> None:
    oid = make(one)
    shutil.rmtree(one.tree)
    one.world.age(one.dir / "delivery.lock", 7200)
    taken = one.world.lock("reclaim", one.id, "--despite-evidence", session=B)
    assert taken.rc == 0, taken.err
    assert one.world.plastic("start", one.id, session=B).rc == 0
    assert is_kept(one, oid)


def test_worktree_remove_leaves_staged_files_alone(one: Ready) -> None:
    oid = staged(one)
    shutil.rmtree(one.tree)
    one.world.lock("release", one.id, session=A)
    done = one.world.plastic("worktree", "remove", str(one.tree), "--json", session=A)
    assert done.rc == 1
    assert done.json["error"]["code"] == "worktree-holds"
    assert one.world.plastic("start", one.id, session=A).rc == 0
    assert is_kept(one, oid)


def test_start_takes_submodules_into_the_trash(one: Ready) -> None:
    """git deletes their repositories with the registration that a new one replaces."""
    sub = one.world.make_repo(one.world.root / "sub")
    one.world.git("submodule", "add", "-q", str(sub), "sub", cwd=one.tree)
    one.world.git("commit", "-q", "-m", "with a submodule", cwd=one.tree)
    oid = one.commit("inner.py", "inner\n", where=one.tree / "sub")
    shutil.rmtree(one.tree)
    assert one.world.plastic("start", one.id, session=A).rc == 0
    trash = one.world.repo / ".git/plastic/trash"
    kept = trash / "1.1.modules" / "sub"
    assert one.world.git("-c", "core.worktree=/", "cat-file", "-t", oid, cwd=kept) == "commit"
    listed = one.world.plastic("worktree", "list", "--json", session=A).json["worktrees"]
    assert [row["path"] for row in listed if row["kind"] == "trash"] == [str(trash / "1.1")]


def test_a_moved_worktree_is_looked_at_where_it_is(one: Ready) -> None:
    """`git worktree move` tells the registration, not our lock."""
    new = one.world.root / "moved"
    one.world.git("worktree", "move", "-f", "-f", str(one.tree), str(new))
    (new / "app.py").write_text("TAX = 9\n")
    assert one.blocked() == ["dirty"]
    one.world.git("checkout", "-q", "app.py", cwd=new)
    done = one.end()
    assert done.rc == 0, done.out
    one.ended()
    assert not new.exists()
    assert [Path(place, "tax.py").read_text() for place in one.trashed()] == ["TAX = 1\n"]


def test_a_takeover_looks_at_a_moved_worktree(one: Ready) -> None:
    new = one.world.root / "moved"
    one.world.git("worktree", "move", "-f", "-f", str(one.tree), str(new))
    (new / "new.py").write_text("precious\n")
    one.world.age(new / "new.py", 9000)
    one.world.age(one.dir / "delivery.lock", 7200)
    assert one.world.lock("reclaim", one.id, "--despite-evidence", session=B).rc == 0
    assert one.world.git("show", "refs/plastic/salvage/1/1:new.py") == "precious"


def test_commits_under_private_refs_are_kept(one: Ready) -> None:
    """`refs/worktree/` goes away with a worktree, and `--all` outside of it does not see it."""
    oid = one.commit("aside.py", "aside\n")
    one.world.git("reset", "-q", "--hard", "HEAD^", cwd=one.tree)
    one.world.git("update-ref", "refs/worktree/mine", oid, cwd=one.tree)
    assert one.end().rc == 0
    one.ended()
    assert is_kept(one, oid)


def test_an_earlier_salvage_of_the_same_files_does_not_hide_a_commit(one: Ready) -> None:
    """A second try of End, with a commit between them that changes no file."""
    with Path(one.world.home.projects_yml).open("a") as file:
        file.write("    merge: squash\n")
    hook = one.world.repo / ".git/hooks/commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert one.end().rc == 1
    os.unlink(hook)
    one.world.git("commit", "-q", "--allow-empty", "-m", "words", cwd=one.tree)
    oid = one.world.git("rev-parse", "HEAD", cwd=one.tree)
    assert one.end().rc == 0
    one.ended()
    assert is_kept(one, oid)
