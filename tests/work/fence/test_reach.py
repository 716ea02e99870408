"""The table of references/security.md, row by row: real git as a superseded session, real gate."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from plastic.rules.fence.hooks import JUDGED
from plastic.rules.fence.reach import INDEX, KEPT, PASSES, REACH, REFUSES, WRITTEN, Reach
from tests.work.fence.stage import A, B, Stage, board
from tests.work.fence.test_gate import denied

if TYPE_CHECKING:
    from tests.world import World

# What git runs as a hook is named by git where the hook's own word is not.
ABORTED = "ref updates aborted by hook"


def prepare(world: World) -> dict[str, str]:
    """B took it over from A; a branch, a patch and a remote to work with."""
    far = world.repo / ".git/far.git"
    world.git("init", "-q", "--bare", str(far))
    made = board(world)
    world.git("checkout", "-q", "-b", "side")
    (world.repo / "side.py").write_text("SIDE = 1\n")
    world.git("add", "side.py")
    world.git("commit", "-q", "-m", "side")
    world.git("format-patch", "-q", "-1", "-o", str(world.repo / ".git"))
    world.git("checkout", "-q", "main")
    world.git("push", "-q", str(far), "main")
    (made.tree / "untracked.py").write_text("x\n")
    made.documents(open_boxes=1)
    made.takeover()
    return {"id": made.id}


@pytest.fixture
def superseded(shop: World) -> Stage:
    found = shop.usual("superseded", lambda: prepare(shop))
    return Stage(shop, id=found["id"], session=B)


def index_of(stage: Stage) -> str:
    return stage.world.git("ls-files", "-s", cwd=stage.tree)


def remote(stage: Stage) -> str:
    return stage.world.git("for-each-ref", cwd=stage.world.repo / ".git/far.git")


@pytest.mark.parametrize("row", REACH, ids=[one.command for one in REACH])
def test_row(superseded: Stage, row: Reach) -> None:
    stage, repo = superseded, superseded.world.repo
    names = {"far": repo / ".git/far.git", "patch": repo / ".git/0001-side.patch"}
    command = row.command.format(**names)
    assert (denied(stage, A, command) is not None) is (row.gate == REFUSES)
    assert denied(stage, B, command) is None, "the owner may"
    if command == "git rebase side":  # it asks for a clean tree before it asks any hook
        assert stage.git(B, "checkout", "-q", "app.py").rc == 0
    before = (stage.refs(), stage.files(), index_of(stage), remote(stage))
    done = stage.git(A, *shlex.split(command)[1:])
    if row.hook:
        assert done.rc != 0
        assert f"held by: {B} since " in done.err
        assert (ABORTED in done.err) is (row.hook == "reference-transaction")
        assert (stage.refs(), remote(stage)) == (before[0], before[3])
    else:
        assert done.rc == 0, done.err
        assert "plastic:" not in done.err
    if not stage.tree.exists():
        assert row.files == WRITTEN
        return
    untouched = (stage.files() == before[1], index_of(stage) == before[2])
    wanted = {KEPT: (True, True), INDEX: (True, False)}
    assert untouched == wanted.get(row.files, untouched)
    assert (untouched[0] is False) is (row.files == WRITTEN)


def test_every_hook_that_judges_has_its_row() -> None:
    assert {row.hook for row in REACH} - {""} == set(JUDGED)


def test_what_no_layer_refuses_changes_nothing_of_the_work() -> None:
    assert {row.files for row in REACH if row.gate == PASSES and not row.hook} == {KEPT}
