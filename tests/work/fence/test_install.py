"""The fence comes and goes with a worktree; killed anywhere, the next step makes it whole."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import gitconfig
from plastic.rules.fence.include import added, block
from plastic.words import Broken
from plastic.work.fence import facts
from plastic.work.fence.install import is_ours, left
from tests.work.ends import Ready
from tests.work.fence.stage import A, B, Stage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

CONFIGS = {
    "plain": "",
    "no last newline": "[user]\n\tname = x",
    "own section of that kind": '[includeIf "gitdir:./worktrees/9--x"]\n\tpath = mine\n',
}


@pytest.mark.parametrize(
    ("how", "more"),
    [("delivered", ""), *(("abandoned", more) for more in CONFIGS.values())],
    ids=["delivered", *CONFIGS],
)
def test_end_gives_back_the_configuration_byte_for_byte(shop: World, how: str, more: str) -> None:
    config = shop.repo / ".git/config"
    with config.open("a", newline="") as file:
        file.write(more)
    config.chmod(0o640)
    before = config.read_bytes()
    made = Ready(shop)
    made.commit()
    assert config.read_bytes() != before
    made.documents(how)
    assert made.end(f"--{how}").rc == 0
    assert config.read_bytes() == before
    assert config.stat().st_mode & 0o777 == 0o640


def test_what_git_writes_in_between_stays(stage: Stage) -> None:
    world = stage.world
    before = stage.config.read_bytes().replace(block(stage.name) + b"\n", b"")
    world.git("config", "user.nickname", "x")
    second = Ready(world, "Another")
    third = Ready(world, "A third")
    stage.git(A, "checkout", "-q", "app.py")
    for made in (second, stage, third):
        made.documents("abandoned")
        assert made.end("--abandoned").rc == 0
    world.git("config", "--unset", "user.nickname")
    assert stage.config.read_bytes() == before


def test_an_adopted_worktree_is_given_back_without(shop: World) -> None:
    config = shop.repo / ".git/config"
    before = config.read_bytes()
    shop.git("worktree", "add", "-q", "-b", "own", str(shop.root / "own"))
    id = shop.new("Adopt it")["id"]
    shop.start(id, A, "--adopt", str(shop.root / "own"))
    env = {"CLAUDE_CODE_SESSION_ID": B}
    commit = ("git", "commit", "-q", "--allow-empty", "-m", "x")
    assert shop.run(*commit, cwd=shop.root / "own", env=env).rc != 0
    made = Stage(shop, id=id)
    made.documents("abandoned")
    assert made.end("--abandoned").rc == 0
    assert config.read_bytes() == before
    assert shop.run(*commit, cwd=shop.root / "own", env=env).rc == 0
    left_there = os.listdir(shop.repo / ".git/worktrees/own")
    assert [name for name in left_there if "fence" in name or "config" in name] == []


def test_a_start_that_failed_leaves_no_line(shop: World) -> None:
    config = shop.repo / ".git/config"
    before = config.read_bytes()
    id = shop.new("Fails")["id"]
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "provision.checked_out:raise"}
    assert shop.plastic("start", id, session=A, cwd=shop.repo, env=env).rc != 0
    assert config.read_bytes() == before


@pytest.mark.parametrize("point", ["fence.told", "fence.placed", "fence.locked", "fence.included"])
def test_killed_and_started_again(shop: World, point: str) -> None:
    id = shop.new("Killed")["id"]
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point}
    words = ("start", id)
    killed = shop.plastic(*words, session=A, cwd=shop.repo, env=env)
    assert killed.rc == -signal.SIGKILL
    stage = Stage(shop, id=id)
    assert not os.path.lexists(f"{stage.config}.lock")
    assert stage.git(A, "commit", "-q", "--allow-empty", "-m", "x").err == ""
    assert stage.git(B, "commit", "-q", "--allow-empty", "-m", "x").rc != 0
    assert shop.git("config", "user.name")  # the configuration is whole


def test_killed_with_the_lock_of_the_configuration_and_another_starts(shop: World) -> None:
    first, second = shop.new("First")["id"], shop.new("Second")["id"]
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "fence.locked"}
    shop.plastic("start", first, session=A, cwd=shop.repo, env=env)
    assert os.path.lexists(shop.repo / ".git/config.lock")
    shop.start(second, B)
    assert not os.path.lexists(shop.repo / ".git/config.lock")
    shop.git("config", "user.nickname", "x")


@pytest.mark.parametrize("point", ["trash.unregistered", "fence.locked", "fence.excluded"])
def test_killed_while_it_is_taken_away(stage: Stage, point: str) -> None:
    before = stage.config.read_bytes().replace(block(stage.name) + b"\n", b"")
    stage.git(A, "checkout", "-q", "app.py")
    stage.documents("abandoned")
    done = stage.end("--abandoned", env={"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point})
    assert done.rc == -signal.SIGKILL
    assert stage.end("--abandoned").rc == 0
    assert stage.config.read_bytes() == before
    assert left(str(stage.world.repo / ".git")) == []


@pytest.mark.parametrize("verb", ["reclaim", "transfer"])
def test_killed_before_the_hooks_are_told(stage: Stage, verb: str) -> None:
    """The lock is with B: A is refused, B passes, whatever the hooks were told."""
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{verb}.replaced"}
    if verb == "reclaim":
        stage.world.age(stage.dir / "delivery.lock", 5000)
        killed = stage.world.lock("reclaim", stage.id, "--despite-evidence", session=B, env=env)
    else:
        killed = stage.world.lock("transfer", stage.id, "--to", B, session=A, env=env)
    assert killed.rc == -signal.SIGKILL
    commit = ("commit", "-q", "--allow-empty", "-m", "x")
    assert stage.git(A, *commit).rc != 0
    assert stage.git(B, *commit).rc == 0
    known = facts.read(str(stage.admin))
    assert known is not None
    assert known.token == stage.token + 1


def test_whoever_shares_the_repository_may_read_it(shop: World) -> None:
    """git dies of an included file that it may not read, and passes over such a hook."""
    shop.git("config", "core.sharedRepository", "0664")
    before = os.umask(0o077)
    try:
        stage = Stage(shop)
    finally:
        os.umask(before)
    modes = {
        name: (stage.admin / name).stat().st_mode & 0o777
        for name in ("HEAD", "plastic.config", "plastic.fence", "plastic-hooks/pre-commit")
    }
    assert modes == {
        "HEAD": 0o664,
        "plastic.config": 0o664,
        "plastic.fence": 0o664,
        "plastic-hooks/pre-commit": 0o775,
    }
    assert stage.hooks.stat().st_mode & 0o777 == 0o775


class TestDamage:
    def damages(self, stage: Stage) -> list[Path]:
        return [
            stage.hooks / "reference-transaction",
            stage.hooks / "post-merge",
            stage.admin / "plastic.config",
            stage.admin / "plastic.fence",
        ]

    def test_doctor_finds_and_mends_it(self, stage: Stage) -> None:
        assert self.doctor(stage)["state"] == "ok"
        for path in self.damages(stage):
            path.write_text("#!/bin/sh\n")
        found = self.doctor(stage)
        assert found["state"] == "trouble"
        assert "lacks plastic.fence, reference-transaction, post-merge and more" in str(found)
        assert self.doctor(stage, "--fix")["state"] == "healed"
        for path in self.damages(stage):
            path.unlink()
        assert self.doctor(stage, "--fix")["state"] == "healed"
        text = stage.config.read_bytes()
        stage.config.write_bytes(text.replace(block(stage.name) + b"\n", b""))
        assert self.doctor(stage, "--fix")["state"] == "healed"
        assert stage.config.read_bytes() == text
        assert self.doctor(stage)["state"] == "ok"

    def test_and_a_line_for_what_is_gone(self, stage: Stage) -> None:
        text = stage.config.read_bytes()
        stage.config.write_bytes(added(text, "99--gone"))
        assert self.doctor(stage, "--fix")["state"] == "healed"
        assert stage.config.read_bytes() == text

    def test_and_a_hooks_path_that_comes_behind_it(self, stage: Stage) -> None:
        with stage.config.open("a") as file:
            file.write("[core]\n\thooksPath = /elsewhere\n")
        found = self.doctor(stage)
        assert found["state"] == "trouble"
        assert "/elsewhere" in found["findings"][0]["what"]
        run = found["findings"][0]["run"]
        assert "/elsewhere" in stage.world.run("sh", "-c", run).out

    def doctor(self, stage: Stage, *flags: str) -> dict[str, Any]:
        checks = stage.world.plastic("doctor", "--json", *flags).json["checks"]
        found: dict[str, Any] = next(one for one in checks if one["check"] == "fences")
        return found

    def test_fix_mends_it(self, stage: Stage) -> None:
        for path in self.damages(stage):
            path.unlink()
        done = stage.world.lock("fix", stage.id, session=A)
        assert "fence put up" in done.out
        assert "fence put up" not in stage.world.lock("fix", stage.id, session=A).out

    def test_a_tool_that_puts_its_own_hook_in_the_place(self, stage: Stage) -> None:
        """As lefthook does: the ref is fenced by the hook that no such tool has."""
        (stage.hooks / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
        refs = stage.refs()
        assert stage.git(B, "commit", "-q", "--allow-empty", "-m", "x").rc != 0
        assert stage.refs() == refs


class TestLock:
    """git's own lock on the configuration."""

    def test_of_somebody_else_is_waited_for_and_left_alone(
        self, shop: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        common = str(shop.repo / ".git")
        lock = shop.repo / ".git/config.lock"
        lock.write_text("[user]\n\tname = in flight\n")
        before = (shop.repo / ".git/config").read_bytes()
        monkeypatch.setattr(gitconfig, "WAIT", 0.05)
        with pytest.raises(Broken) as broken:
            gitconfig.rewrite(common, lambda text: added(text, "1--x"), is_ours)
        assert broken.value.code == "config-locked"
        assert shop.run("sh", "-c", broken.value.run).rc == 0
        assert (lock.read_text(), (shop.repo / ".git/config").read_bytes()) == (
            "[user]\n\tname = in flight\n",
            before,
        )
        # A start goes on without: the worktree is one, and says what it lacks.
        id = shop.new("No fence")["id"]
        done = shop.plastic("start", id, session=A, cwd=shop.repo)
        assert done.rc == 0
        assert "doctor --fix" in done.err
        lock.unlink()
        shop.start(id, A)
        assert added(before, f"{id}--no-fence") == (shop.repo / ".git/config").read_bytes()

    def test_no_change_of_somebody_else_is_lost(self, shop: World) -> None:
        """Thirty `git config` beside thirty of ours."""
        common = str(shop.repo / ".git")
        script = (
            "i=0; while [ $i -lt 30 ]; do git config user.n$i x && i=$((i+1)); done 2>/dev/null"
        )
        with subprocess.Popen(["sh", "-c", script], cwd=shop.repo) as other:
            for number in range(30):
                gitconfig.rewrite(common, functools.partial(added, name=f"{number}--x"), is_ours)
            assert other.wait(60) == 0
        names = shop.git("config", "--name-only", "--list", "--local").splitlines()
        assert sum(name.startswith("user.n") for name in names) == 30
        assert sum(name.startswith("includeif") for name in names) == 30

    def test_a_link_is_followed_as_git_does(self, shop: World) -> None:
        config = shop.repo / ".git/config"
        config.rename(shop.root / "elsewhere")
        config.symlink_to(shop.root / "elsewhere")
        gitconfig.rewrite(str(shop.repo / ".git"), lambda text: added(text, "1--x"), is_ours)
        assert config.is_symlink()
        assert block("1--x") in (shop.root / "elsewhere").read_bytes()
