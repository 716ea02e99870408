"""The repository's own hooks run in a fenced worktree exactly as they do without the fence."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.rules.fence.hooks import PLACED
from tests.work.fence.stage import A, B

if TYPE_CHECKING:
    from tests.work.fence.stage import Stage

# What a hook tells of its call: name, words, input, directory, and what git put in its environment.
TELL = """#!/bin/sh
{{ echo "call $0 <$*> in $PWD"; env | sed -n '/^GIT_/p' | sort; cat; echo end; }} >>'{log}'
exit {code}
"""
PLACES = {
    "default": None,
    "absolute": "{root}/own hooks",
    "relative": ".husky/_",
    "home": "~/own-hooks",
    "empty": "",
}


def place(stage: Stage, kind: str) -> Path:
    """Give the repository hooks of its own, in the way of this kind."""
    value = PLACES[kind]
    world = stage.world
    if value is None:
        return world.repo / ".git/hooks"
    value = value.format(root=world.root)
    world.git("config", "core.hooksPath", value)
    if kind == "relative":
        return stage.tree / value
    return Path(os.path.expanduser(value)) if value else world.repo / ".git/hooks"


def own(folder: Path, name: str, log: Path, code: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(TELL.format(log=log, code=code))
    (folder / name).chmod(0o755)


def without_fence(stage: Stage) -> tuple[bytes, str]:
    """The configuration without our lines; what git would do is seen with it."""
    kept = stage.config.read_bytes()
    return kept, kept.decode().partition("[includeIf")[0]


COMMANDS = [
    ("commit", "-q", "--allow-empty", "-m", "more"),
    ("commit", "-q", "--amend", "--allow-empty", "-m", "amended"),
    ("branch", "side"),
    ("checkout", "-q", "-b", "more"),
    ("rebase", "-q", "--onto", "HEAD~1", "HEAD~1"),
    ("push", "-q", "{far}", "HEAD:refs/heads/x"),
]


def told(log: Path) -> list[str]:
    """The calls in the log; object ids and the time-dependent parts taken out."""
    text = log.read_text() if log.exists() else ""
    log.unlink(missing_ok=True)
    return re.sub(r"\b[0-9a-f]{40}\b|@[0-9]+ ", "ID", text).splitlines()


@pytest.mark.parametrize("kind", PLACES)
def test_calls_words_input_and_environment_are_the_same(stage: Stage, kind: str) -> None:
    """Each command twice from the same state: with the fence, and with its lines taken out."""
    world, log = stage.world, stage.world.root / "calls"
    stage.git(A, "checkout", "-q", "app.py")
    folder = place(stage, kind)
    for name in PLACED:
        own(folder, name, log)
    far = world.root / "far.git"
    base = stage.git(A, "rev-parse", "HEAD").out.strip()
    for words in COMMANDS if kind == "default" else COMMANDS[:1]:
        seen = []
        for fenced in (True, False):
            world.run("rm", "-rf", str(far))
            world.git("init", "-q", "--bare", str(far))
            stage.git(A, "-c", "core.hooksPath=/dev/null", "checkout", "-q", stage.branch)
            stage.git(A, "-c", "core.hooksPath=/dev/null", "reset", "-q", "--hard", base)
            for ref in ("side", "more"):
                stage.git(A, "-c", "core.hooksPath=/dev/null", "branch", "-q", "-D", ref)
            kept, bare = without_fence(stage)
            stage.config.write_bytes(kept if fenced else bare.encode())
            done = stage.git(A, *(one.format(far=far) for one in words))
            stage.config.write_bytes(kept)
            seen.append((done.rc, done.err, told(log)))
        assert seen[0] == seen[1], words
        if kind != "empty":
            assert any(line.startswith("call") for line in seen[0][2]) or words[0] == "rebase"


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg", "reference-transaction", "pre-push"])
def test_a_refusal_of_the_own_hook_stays_one(stage: Stage, name: str) -> None:
    log = stage.world.root / "calls"
    own(place(stage, "default"), name, log, code=7)
    far = stage.world.root / "far.git"
    stage.world.git("init", "-q", "--bare", str(far))
    head = stage.git(A, "rev-parse", "HEAD").out
    if name == "pre-push":
        assert stage.git(A, "push", "-q", str(far), "HEAD:refs/heads/x").rc == 1
    else:
        assert stage.git(A, "commit", "--allow-empty", "-m", "x").rc in (1, 128)
        assert stage.git(A, "rev-parse", "HEAD").out == head
    # A person is advised, and then the own hook decides all the same.
    told(log)
    assert stage.git(None, "commit", "--allow-empty", "-m", "x").rc != (
        0 if name != "pre-push" else 1
    )


def test_a_person_s_transaction_reaches_the_own_hook_whole(stage: Stage) -> None:
    """More lines than the shell reads by itself."""
    log = stage.world.root / "calls"
    own(place(stage, "default"), "reference-transaction", log)
    head = stage.git(A, "rev-parse", "HEAD").out.strip()
    text = "".join(f"create refs/heads/n{n} {head}\n" for n in range(30))
    for who in (None, A):
        told(log)
        env = {"CLAUDE_CODE_SESSION_ID": who} if who else {}
        words = ("git", "update-ref", "--stdin")
        done = stage.world.run(*words, cwd=stage.tree, stdin=text.encode(), env=env)
        assert done.rc == 0
        lines = [line for line in told(log) if line.startswith("ID ID refs/heads/n")]
        assert len(lines) == 60, "prepared and committed"
        names = [f"n{n}" for n in range(30)]
        stage.git(A, "-c", "core.hooksPath=/dev/null", "branch", "-q", "-D", *names)


def test_hooks_that_come_go_and_move_are_seen(stage: Stage) -> None:
    """What is known of the configuration is younger than it, or asked again."""
    world, log = stage.world, stage.world.root / "calls"
    commit = ("commit", "-q", "--allow-empty", "-m", "more")
    stage.git(A, *commit)
    for kind in ("default", "absolute", "home", "default"):
        world.run("git", "config", "--unset", "core.hooksPath", cwd=world.repo)
        folder = place(stage, kind)
        own(folder, "post-commit", log)
        told(log)
        stage.git(A, *commit)
        assert len([line for line in told(log) if line.startswith("call")]) == 1, kind
        (folder / "post-commit").unlink()
        stage.git(A, *commit)
        assert told(log) == []
    # Another configuration of the user, named by the environment.
    (world.root / "other").write_text(f"[core]\n\thooksPath = {world.root}/others\n")
    own(world.root / "others", "post-commit", log)
    env = {"GIT_CONFIG_GLOBAL": str(world.root / "other"), "GIT_AUTHOR_NAME": "x",
           "GIT_AUTHOR_EMAIL": "x@y", "GIT_COMMITTER_NAME": "x",
           "GIT_COMMITTER_EMAIL": "x@y"}  # fmt: skip
    stage.git(A, *commit, **env)
    assert len([line for line in told(log) if line.startswith("call")]) == 1


def test_a_hook_that_may_not_be_run_is_passed_over(stage: Stage) -> None:
    folder = place(stage, "default")
    own(folder, "pre-commit", stage.world.root / "calls", code=1)
    (folder / "pre-commit").chmod(0o644)
    assert stage.git(A, "commit", "-q", "--allow-empty", "-m", "x").rc == 0


def test_hooks_that_change_git_by_being_there_are_there_when_they_are(stage: Stage) -> None:
    log = stage.world.root / "calls"
    own(place(stage, "default"), "post-index-change", log)
    stage.git(A, "commit", "-q", "--allow-empty", "-m", "x")
    told(log)
    (stage.tree / "new").write_text("x")
    stage.git(A, "add", "new")
    assert any("post-index-change" in line for line in told(log))
    (stage.world.repo / ".git/hooks/post-index-change").unlink()
    stage.git(A, "commit", "-q", "-m", "x")
    assert not (stage.hooks / "post-index-change").exists()


def test_a_push_into_the_worktree_meets_its_receiving_hooks(stage: Stage) -> None:
    """A clone that pushes to the worktree's path is judged there, and the own hooks run."""
    world, log = stage.world, stage.world.root / "calls"
    own(place(stage, "default"), "pre-receive", log)
    world.git("clone", "-q", str(world.repo), str(world.root / "clone"))
    words = ("git", "push", "-q", str(stage.tree), "HEAD:refs/heads/side")
    env = {"CLAUDE_CODE_SESSION_ID": A}
    assert world.run(*words, cwd=world.root / "clone", env=env).rc == 0
    assert any("pre-receive" in line for line in told(log))
    stage.takeover(B)
    done = world.run(*words[:-1], "HEAD:refs/heads/other", cwd=world.root / "clone", env=env)
    assert done.rc != 0
    assert B in done.err
