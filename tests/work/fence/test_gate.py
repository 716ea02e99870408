"""The shell gate in and around a worktree that another session delivers: what hooks cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plastic.harness import claude
from plastic.rules.gates.table import DOORS
from plastic.work.gate.judge import judge
from tests.work.fence.stage import A, B, Stage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World


def denied(stage: Stage, session: str, command: str, cwd: Path | None = None) -> str | None:
    """Why the gate denies a command of this session; None when it may run."""
    payload = {
        "session_id": session,
        "transcript_path": "/home/ana/.claude/projects/shop/x.jsonl",
        "cwd": str(cwd or stage.tree),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{hash((session, command, cwd)) % 10**12}",
        "tool_input": {"command": command},
    }
    verdict = judge(stage.world.home, claude.read(payload), DOORS["gate"])
    return f"{verdict.code}: {verdict.who}" if verdict.kind == "deny" else None


HERE = [
    "git commit -m x",
    "git commit --no-verify -m x",
    "git commit --amend --no-edit",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git -c core.hooksPath= commit -m x",
    "git --config-env=core.hooksPath=NONE commit -m x",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit",
    "GIT_CONFIG_PARAMETERS=\"'core.hookspath'='/dev/null'\" git commit -m x",
    "export GIT_CONFIG_GLOBAL=/tmp/x; git commit -m x",
    "git add -A",
    "git reset --soft HEAD~1",
    "git reset --hard",
    "git checkout -- app.py",
    "git checkout main",
    "git switch main",
    "git restore app.py",
    "git clean -fdx",
    "git stash",
    "git stash drop",
    "git push origin HEAD",
    "git push --no-verify origin HEAD",
    "git merge main",
    "git rebase main",
    "git cherry-pick main",
    "git revert HEAD",
    "git am x.patch",
    "git tag v1",
    "git update-ref HEAD main",
    "git symbolic-ref HEAD refs/heads/main",
    "git update-index --assume-unchanged app.py",
]
ANYWHERE = [
    "git -C {tree} commit -m x",
    "git --git-dir={admin} --work-tree={tree} commit -m x",
    "GIT_DIR={admin} git commit -m x",
    "git update-ref refs/heads/{branch} main",
    "git branch -D {branch}",
    "git branch -f {branch} main",
    "git branch -m {branch} mine",
    "git push . main:{branch}",
    "git push --no-verify origin {branch}",
    "git fetch . main:{branch}",
    "git worktree remove --force {tree}",
    "git worktree move {tree} /tmp/x",
    "rm -rf {admin}/plastic-hooks",
    "echo main > {repo}/.git/refs/heads/{branch}",
    "truncate -s0 {admin}/index",
]
READS = [
    "git status",
    "git log --oneline",
    "git diff main...HEAD",
    "git show HEAD:app.py",
    "git fetch",
    "git gc",
    "git pack-refs --all",
    "git stash list",
    "git branch --list",
    "git config user.name",
]


def filled(stage: Stage, command: str) -> str:
    return command.format(
        tree=stage.tree, admin=stage.admin, branch=stage.branch, repo=stage.world.repo
    )


def test_a_superseded_session_and_the_owner_in_the_worktree(stage: Stage) -> None:
    stage.documents(open_boxes=1)
    stage.takeover()
    refused = {one: denied(stage, A, one) for one in HERE}
    assert [one for one, why in refused.items() if why is None] == []
    assert all(B in str(why) for why in refused.values())
    assert {one: why for one in HERE if (why := denied(stage, B, one)) is not None} == {}


def test_from_the_main_checkout(stage: Stage) -> None:
    stage.documents(open_boxes=1)
    stage.takeover()
    root = stage.world.repo
    refused = {one: denied(stage, A, filled(stage, one), root) for one in ANYWHERE}
    assert [one for one, why in refused.items() if why is None] == []
    assert {
        one: why
        for one in ANYWHERE
        if (why := denied(stage, B, filled(stage, one), root)) is not None
    } == {}


@pytest.mark.parametrize("place", ["worktree", "main"])
def test_reads_are_nobody_s_business(stage: Stage, place: str) -> None:
    cwd = stage.tree if place == "worktree" else stage.world.repo
    for session in (A, B):
        assert {one: why for one in READS if (why := denied(stage, session, one, cwd))} == {}


def test_who_works_in_a_worktree_of_the_harness_is_not_refused(stage: Stage) -> None:
    """Its own commits there are no edit outside of the intent's worktree."""
    place = stage.world.root / "agent-1"
    stage.world.git("worktree", "add", "-q", "-b", "agent-1", str(place))
    for session in (A, B):
        assert denied(stage, session, "git commit --allow-empty -m x", place) is None
        assert denied(stage, session, "git push origin agent-1", place) is None


def test_an_adopted_worktree_is_known_by_git_s_directory_of_it(shop: World) -> None:
    """Its name there is not the intent's."""
    shop.git("worktree", "add", "-q", "-b", "own", str(shop.root / "own"))
    id = shop.new("Adopt it")["id"]
    shop.start(id, A, "--adopt", str(shop.root / "own"))
    command = f"rm -rf {shop.repo}/.git/worktrees/own/plastic-hooks"
    assert denied(Stage(shop, id=id), B, command, shop.root) is not None
