"""Who passes the hooks of a worktree, and what the others are told: real git, real hooks."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.session import VARIABLES
from plastic.rules.fence.hooks import JUDGED, PLACED
from tests.work.fence.stage import A, B

if TYPE_CHECKING:
    from tests.work.fence.stage import Stage

COMMIT = ("commit", "-q", "--allow-empty", "-m", "more")


def rows(stage: Stage) -> list[dict[str, Any]]:
    """What the journal says of the fence."""
    text = Path(stage.world.home.log).read_text()
    found = [json.loads(line) for line in text.splitlines()]
    return [one for one in found if one["event"].startswith("fence-")]


class TestPass:
    def test_the_owner_and_nobody_asks_python(self, stage: Stage) -> None:
        facts = stage.admin / "plastic.fence"
        facts.write_text(re.sub("pf_python=.*", "pf_python=/bin/false", facts.read_text()))
        done = stage.git(A, *COMMIT)
        assert (done.rc, done.err) == (0, "")

    @pytest.mark.parametrize("name", VARIABLES)
    def test_whatever_harness_names_it(self, stage: Stage, name: str) -> None:
        done = stage.git(None, *COMMIT, **{name: A})
        assert (done.rc, done.err) == (0, "")
        assert stage.git(None, *COMMIT, **{name: B}).rc != 0

    def test_a_delegate(self, stage: Stage) -> None:
        for who in ("helper-1", "helper-2"):
            stage.world.lock("delegate", stage.id, "--agent", who, session=A)
            assert stage.world.lock("delegate", stage.id, who, session=A).rc == 0
        for who in ("helper-1", "helper-2"):
            done = stage.git(who, *COMMIT)
            assert (done.rc, done.err) == (0, "")
        assert stage.git("helper", *COMMIT).rc != 0

    def test_nobody_when_nobody_holds_it(self, stage: Stage) -> None:
        assert stage.world.lock("release", stage.id, session=A).rc == 0
        assert stage.git(B, *COMMIT).rc == 0

    def test_a_session_whose_lock_the_hooks_were_not_told_of(self, stage: Stage) -> None:
        """Whoever handed it on was killed before: the lock is believed, and the facts follow."""
        stage.takeover()
        facts = stage.admin / "plastic.fence"
        now = facts.read_text()
        facts.write_text(re.sub("pf_token='.*'", "pf_token='1'", now))
        assert stage.git(B, *COMMIT).rc == 0
        assert facts.read_text() == now
        assert stage.git(A, *COMMIT).rc != 0

    def test_what_cannot_judge_lets_git_go_on_and_says_so(self, stage: Stage) -> None:
        facts = stage.admin / "plastic.fence"
        whole = facts.read_text()
        for broken in ("", "pf_id='1'\n", re.sub("pf_python=.*", "pf_python=/nowhere", whole)):
            facts.write_text(broken)
            done = stage.git(B, *COMMIT)
            assert done.rc == 0
            assert "plastic doctor" in done.err

    def test_and_a_package_that_is_gone(self, stage: Stage) -> None:
        facts = stage.admin / "plastic.fence"
        facts.write_text(re.sub("pf_package=.*", "pf_package=/nowhere", facts.read_text()))
        done = stage.git(B, *COMMIT)
        assert done.rc == 0
        assert "nothing can judge this pre-commit" in done.err


class TestPerson:
    def test_is_advised_once_and_noted(self, stage: Stage) -> None:
        done = stage.git(None, *COMMIT)
        assert done.rc == 0
        assert done.err.count("plastic:") == 1
        assert A in done.err
        assert [(one["event"], one["hook"]) for one in rows(stage)][-1:] == [
            ("fence-advised", "pre-commit")
        ]
        before = len(rows(stage))
        assert stage.git(None, "reset", "-q", "--soft", "HEAD~1").rc == 0
        assert len(rows(stage)) == before + 1

    def test_of_one_with_a_derived_key_nothing_is_said(self, stage: Stage) -> None:
        text = (stage.dir / "delivery.lock").read_text()
        (stage.dir / "delivery.lock").write_text(text.replace(f'"{A}"', '"auto-0123456789"'))
        done = stage.git(None, *COMMIT)
        assert (done.rc, done.err) == (0, "")


class TestRefused:
    def test_with_the_new_owner_since_when_and_one_command(self, stage: Stage) -> None:
        stage.takeover()
        refs = stage.refs()
        done = stage.git(A, *COMMIT)
        assert done.rc != 0
        assert stage.refs() == refs
        lock = json.loads((stage.dir / "delivery.lock").read_text())
        assert f"held by: {B} since {lock['acquired_at']}" in done.err
        assert done.err.count("run: ") == 1
        assert f"run: plastic start {stage.id} --wait" in done.err
        assert rows(stage)[-1] | {"at": ""} == {
            "at": "",
            "event": "fence-refused",
            "intent": stage.id,
            "hook": "pre-commit",
            "code": "held",
            "session": A,
        }

    def test_stale_and_its_command_resolves_it(self, stage: Stage) -> None:
        stage.world.age(stage.dir / "delivery.lock", 5000)
        done = stage.git(B, *COMMIT)
        assert done.rc != 0
        run = re.findall(r"^run: plastic-lock (.*)$", done.err, re.M)
        assert stage.world.lock(*run[0].split(), "--despite-evidence", session=B).rc == 0
        assert stage.git(B, *COMMIT).rc == 0

    def test_unreadable_and_its_command_resolves_it(self, stage: Stage) -> None:
        (stage.dir / "delivery.lock").write_text("{")
        stage.world.age(stage.dir / "delivery.lock", 60)
        done = stage.git(A, *COMMIT)
        assert done.rc != 0
        run = re.findall(r"^run: plastic-lock (.*)$", done.err, re.M)
        assert stage.world.lock(*run[0].split(), session=A).rc == 0
        assert stage.git(A, *COMMIT).rc == 0

    def test_under_an_older_token(self, stage: Stage) -> None:
        """The same session lost it and has it again: what it started before is of the past."""
        stage.takeover(B)
        stage.takeover(A)
        token = json.loads((stage.dir / "delivery.lock").read_text())["token"]
        assert stage.git(A, *COMMIT, PLASTIC_TOKEN=f"{stage.id}:{token}").rc == 0
        done = stage.git(A, *COMMIT, PLASTIC_TOKEN=f"{stage.id}:{token - 1}")
        assert done.rc != 0
        assert f"under token {token - 1}" in done.err
        assert stage.git(A, *COMMIT, PLASTIC_TOKEN=f"99{stage.id}:{token - 1}").rc == 0

    def test_a_push(self, stage: Stage, tmp_path: Path) -> None:
        stage.world.git("init", "-q", "--bare", str(tmp_path / "far.git"))
        words = ("push", "-q", str(tmp_path / "far.git"), "HEAD:refs/heads/x")
        stage.takeover()
        done = stage.git(A, *words)
        assert done.rc != 0
        assert B in done.err
        assert stage.world.git("for-each-ref", cwd=tmp_path / "far.git") == ""
        assert stage.git(B, *words).rc == 0


class TestOnlyHere:
    def test_the_main_checkout_and_other_worktrees_hear_nothing(self, stage: Stage) -> None:
        stage.takeover()
        env = {"CLAUDE_CODE_SESSION_ID": A}
        world = stage.world
        world.git("worktree", "add", "-q", "-b", "own", str(world.root / "own"))
        for place in (world.repo, world.root / "own"):
            done = world.run("git", *COMMIT, cwd=place, env=env)
            assert (done.rc, done.err) == (0, "")

    def test_a_worktree_made_from_inside_has_no_fence(self, stage: Stage) -> None:
        assert stage.git(A, "worktree", "add", "-q", "-b", "in", "../in").rc == 0
        done = stage.world.run(
            "git", *COMMIT, cwd=stage.tree.parent / "in", env={"CLAUDE_CODE_SESSION_ID": B}
        )
        assert (done.rc, done.err) == (0, "")

    def test_no_extension_is_set(self, stage: Stage) -> None:
        """extensions.worktreeConfig shuts older libgit2 and dulwich out of the whole repository."""
        assert "extensions" not in stage.config.read_text()

    def test_it_holds_where_the_worktree_was_moved_or_is_reached_by_a_link(
        self, stage: Stage
    ) -> None:
        world = stage.world
        os.symlink(stage.tree, world.root / "link")
        assert world.run("git", *COMMIT, cwd=world.root / "link",
                         env={"CLAUDE_CODE_SESSION_ID": B}).rc != 0  # fmt: skip
        world.git("worktree", "move", "-f", "-f", str(stage.tree), str(world.root / "moved"))
        assert world.run("git", *COMMIT, cwd=world.root / "moved",
                         env={"CLAUDE_CODE_SESSION_ID": B}).rc != 0  # fmt: skip

    def test_every_hook_is_a_file_of_its_own(self, stage: Stage) -> None:
        """git-lfs writes over a hook through a link, and would break all the others."""
        found = sorted(os.listdir(stage.hooks))
        assert found == sorted(PLACED)
        for name in found:
            seen = os.lstat(stage.hooks / name)
            assert stat.S_ISREG(seen.st_mode)
            assert seen.st_nlink == 1
            assert seen.st_mode & 0o100


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox"])
def test_every_shell_reads_it(stage: Stage, shell: str) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"no {shell} here")
    word = f"{found} sh" if shell == "busybox" else found
    for name in JUDGED:
        path = stage.hooks / name
        path.write_text(path.read_text().replace("#!/bin/sh", f"#!{word}"))
    assert stage.git(A, *COMMIT).err == ""
    done = stage.git(B, "commit", "--no-verify", "-q", "--allow-empty", "-m", "no")
    assert "ref updates aborted by hook" in done.err
