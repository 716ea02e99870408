"""`--adopt`: an existing worktree is taken over, and never deleted for it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from plastic.disk import held
from plastic.disk.git import Git
from plastic.disk.worktrees import entry_at
from plastic.words import Held, Refused, Stale
from plastic.work.tree.provision import unprovision
from tests.work.yard import Yard, text

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def yard(world: World) -> Yard:
    world.make_repo()
    return Yard(world)


@pytest.fixture
def theirs(yard: Yard) -> str:
    """A worktree with work in it that a harness made."""
    path = f"{yard.root}/.claude/worktrees/agent-1"
    yard.world.git("worktree", "add", "-q", "-b", "agent/one", path)
    with open(f"{path}/app.py", "a") as file:
        file.write("# half done\n")
    return path


def test_taken_over_as_it_is(yard: Yard, theirs: str) -> None:
    tree = yard.tree(adopt=theirs, project=yard.project(setup=["touch setup-ran"]))
    assert tree == {
        "repo": yard.root,
        "path": theirs,
        "branch": "agent/one",
        "base": "refs/heads/main",
        "base_commit": yard.head(),
        "provisioned": True,
        "reason": "adopted",
    }
    assert "half done" in text(f"{theirs}/app.py")
    assert not os.path.exists(f"{theirs}/setup-ran")
    assert yard.branches() == ["agent/one", "main"]


def test_found_again_without_the_flag(yard: Yard, theirs: str) -> None:
    tree = yard.tree(adopt=theirs)
    assert yard.tree() == tree
    assert yard.tree(adopt=theirs) == tree


def test_undo_takes_off_our_marks_only(yard: Yard, theirs: str) -> None:
    before = yard.snapshot()
    _, made = yard.provision(adopt=theirs)
    assert yard.snapshot() != before or entry_at(Git(yard.root), theirs) is not None
    assert unprovision(made, yard.said.append)
    assert yard.snapshot() == before
    entry = entry_at(Git(yard.root), theirs)
    assert entry is not None
    assert entry.locked is None
    assert "half done" in text(f"{theirs}/app.py")


def test_somebody_elses_lock_reason_is_kept(yard: Yard, theirs: str) -> None:
    yard.world.git("worktree", "lock", "--reason", "an agent works here", theirs)
    _, made = yard.provision(adopt=theirs)
    assert unprovision(made, yard.said.append)
    entry = entry_at(Git(yard.root), theirs)
    assert entry is not None
    assert entry.locked == "an agent works here"


def hold(yard: Yard, id: str, path: str, ttl: int = 1800) -> None:
    """A held lock of another intent that names this worktree."""
    intent = yard.intent(id, "other")
    lock = {
        "type": "delivery",
        "owner_session": "their-session",
        "acquired_at": "2026-01-01T00:00:00Z",
        "ttl": ttl,
        "worktree": {"path": path, "provisioned": True},
    }
    with open(f"{intent.dir}/delivery.lock", "w") as file:
        json.dump(lock, file)
    held.add(yard.world.home, intent)


def test_another_intents_lock_names_it(yard: Yard, theirs: str) -> None:
    hold(yard, "2", theirs)
    with pytest.raises(Held) as caught:
        yard.provision(adopt=theirs)
    assert caught.value.exit == 3
    assert caught.value.who == "their-session"
    assert caught.value.run == "plastic-lock status 2"


def test_another_intents_stale_lock_still_names_it(yard: Yard, theirs: str) -> None:
    hold(yard, "2", theirs)
    yard.world.age(f"{yard.intent('2', 'other').dir}/delivery.lock", 4000)
    with pytest.raises(Stale):
        yard.provision(adopt=theirs)


@pytest.mark.parametrize("which", ["path", "reason"])
def test_the_worktree_of_another_intent(yard: Yard, theirs: str, which: str) -> None:
    if which == "path":
        theirs = yard.tree("2")["path"]
    else:
        yard.world.git("worktree", "lock", "--reason", "plastic 2 5", theirs)
    with pytest.raises(Refused) as caught:
        yard.provision(adopt=theirs)
    assert caught.value.code == "adopt-foreign"


@pytest.mark.parametrize("what", ["main", "none", "plain", "other-repository", "gone"])
def test_what_is_no_worktree_of_this_repository(yard: Yard, theirs: str, what: str) -> None:
    root = os.path.dirname(yard.root)
    if what == "other-repository":
        yard.world.make_repo(yard.world.root / "other-repository")
    if what == "plain":
        os.makedirs(f"{root}/plain")
    if what == "gone":
        yard.world.run("rm", "-rf", theirs)
    path = {"main": yard.root, "gone": theirs}.get(what, f"{root}/{what}")
    before = yard.snapshot()
    with pytest.raises(Refused) as caught:
        yard.provision(adopt=path)
    assert caught.value.code == "adopt-unknown"
    assert yard.world.run("sh", "-c", caught.value.run).rc == 0
    assert yard.snapshot() == before


def test_detached(yard: Yard, theirs: str) -> None:
    yard.world.git("checkout", "-q", "--detach", cwd=theirs)
    with pytest.raises(Refused) as caught:
        yard.provision(adopt=theirs)
    assert yard.world.run("sh", "-c", caught.value.run).rc == 0
    assert yard.tree(adopt=theirs)["branch"] == "plastic/1--add-tax"


def test_the_base_itself_is_no_branch_for_an_intent(yard: Yard, theirs: str) -> None:
    with pytest.raises(Refused) as caught:
        yard.provision(adopt=theirs, base="agent/one")
    assert caught.value.code == "adopt-base"
    assert yard.world.run("sh", "-c", caught.value.run).rc == 0
    assert yard.tree(adopt=theirs, base="agent/one")["branch"] == "plastic/1--add-tax"


def test_one_worktree_an_intent(yard: Yard, theirs: str) -> None:
    yard.tree()
    with pytest.raises(Refused) as caught:
        yard.provision(adopt=theirs)
    assert caught.value.code == "adopt-second"


def test_a_missing_adopted_worktree_comes_back_as_ours(yard: Yard, theirs: str) -> None:
    """The adopted branch and its commits stay; the directory is made again under our name."""
    yard.tree(adopt=theirs)
    yard.world.run("rm", "-rf", theirs)
    tree = yard.tree()
    assert tree["path"] == theirs
    assert tree["branch"] == "agent/one"
    assert tree["provisioned"] is True
