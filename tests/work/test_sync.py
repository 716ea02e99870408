"""`plastic sync`: the base's commits reach the worktree, or nothing uncommitted is touched."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.work.yard import text

if TYPE_CHECKING:
    from tests.world import Done, World

A = "session-a"
B = "session-b"


class Shop:
    """A boarded intent and its worktree."""

    def __init__(self, world: World, *argv: str) -> None:
        self.world = world
        self.found = world.boarded("Add tax", A, *argv)
        self.id = str(self.found["id"])
        self.tree = Path(self.found["lock"]["worktree"]["path"])

    def sync(self, session: str = A, *argv: str) -> Done:
        return self.world.plastic("sync", self.id, *argv, session=session, cwd=self.world.root)

    def commit(self, where: Path, name: str, content: str) -> str:
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_text(content)
        self.world.git("add", "-f", name, cwd=where)
        self.world.git("commit", "-q", "-m", f"change {name}", cwd=where)
        return self.world.git("rev-parse", "HEAD", cwd=where)

    def head(self) -> str:
        return self.world.git("rev-parse", "HEAD", cwd=self.tree)

    def refused(self, code: str, session: str = A, exit: int = 1) -> dict[str, Any]:
        """A refusal that changes nothing in the tree; returns the printed error."""
        before = (self.head(), self.world.git("status", "--porcelain", cwd=self.tree))
        done = self.sync(session, "--json")
        assert done.rc == exit, done.out + done.err
        error: dict[str, Any] = done.json["error"]
        assert error["code"] == code
        after = (self.head(), self.world.git("status", "--porcelain", cwd=self.tree))
        assert after == before
        return error


@pytest.fixture
def mine(shop: World) -> Shop:
    return Shop(shop)


def test_up_to_date(mine: Shop) -> None:
    before = mine.head()
    done = mine.sync(A, "--json")
    assert done.rc == 0, done.err
    assert done.json == {
        "id": mine.id,
        "path": str(mine.tree),
        "branch": "plastic/1--add-tax",
        "base": "refs/heads/main",
        "base_tip": before,
        "head": before,
        "merged": False,
    }
    assert "already contains" in mine.sync().out


def test_the_bases_commits_arrive(mine: Shop) -> None:
    mine.commit(mine.tree, "mine.py", "mine\n")
    tip = mine.commit(mine.world.repo, "theirs.py", "theirs\n")
    done = mine.sync(A, "--json")
    assert done.rc == 0, done.err
    assert (done.json["base_tip"], done.json["merged"]) == (tip, True)
    assert text(f"{mine.tree}/theirs.py") == "theirs\n"
    assert mine.world.git("log", "-1", "--format=%s", cwd=mine.tree) == (
        "Merge main into plastic/1--add-tax"
    )
    assert mine.world.git("rev-parse", "main") == tip
    assert mine.sync(A, "--json").json["merged"] is False


def test_the_base_commit_of_the_lock_stays(mine: Shop) -> None:
    mine.commit(mine.world.repo, "theirs.py", "theirs\n")
    before = mine.found["lock"]["worktree"]
    assert mine.sync().rc == 0
    shown = mine.world.plastic("show", mine.id, "--json").json
    assert shown["lock"]["worktree"] == before


def test_a_user_who_only_fast_forwards_is_still_served(mine: Shop) -> None:
    mine.world.git("config", "merge.ff", "only")
    mine.commit(mine.tree, "mine.py", "mine\n")
    mine.commit(mine.world.repo, "theirs.py", "theirs\n")
    assert mine.sync().rc == 0


def test_without_an_intent_the_one_that_is_held(mine: Shop) -> None:
    assert mine.world.plastic("sync", session=A, cwd=mine.world.root).rc == 0


class TestWhoMay:
    def test_a_delegate(self, mine: Shop) -> None:
        assert mine.world.lock("delegate", mine.id, "--delegate", B, session=A).rc == 0
        mine.commit(mine.world.repo, "theirs.py", "theirs\n")
        assert mine.sync(B).rc == 0
        assert (mine.tree / "theirs.py").exists()

    def test_nobody_else(self, mine: Shop) -> None:
        mine.commit(mine.world.repo, "theirs.py", "theirs\n")
        error = mine.refused("held", B, 3)
        assert error["who"] == A
        assert error["since"]

    def test_nobody_else_on_a_stale_lock(self, mine: Shop) -> None:
        mine.world.age(f"{mine.found['dir']}/delivery.lock", 4000)
        error = mine.refused("stale", B, 4)
        assert error["run"].startswith("plastic-lock reclaim 1 --token")

    def test_without_a_lock(self, mine: Shop) -> None:
        assert mine.world.lock("release", mine.id, session=A).rc == 0
        error = mine.refused("no-lock")
        assert error["run"] == "plastic start 1"

    def test_an_intent_without_a_worktree(self, shop: World) -> None:
        shop.new("Think", "--global")
        shop.start("1", A)
        done = shop.plastic("sync", "1", "--json", session=A)
        assert done.rc == 1
        assert done.json["error"]["code"] == "no-worktree"
        assert "global store" in done.json["error"]["reason"]

    def test_an_unknown_intent(self, shop: World) -> None:
        assert shop.plastic("sync", "77", session=A).rc == 6


class TestConflict:
    @pytest.fixture
    def torn(self, mine: Shop) -> Shop:
        mine.commit(mine.tree, "app.py", "TAX = 0.3\n")
        mine.commit(mine.world.repo, "app.py", "TAX = 0.4\n")
        return mine

    def test_left_in_place_with_gits_next_commands(self, torn: Shop) -> None:
        done = torn.sync(A, "--json")
        assert done.rc == 1
        error = done.json["error"]
        assert error["code"] == "conflict"
        assert "app.py" in error["reason"]
        assert done.json["conflicts"] == ["app.py"]
        assert "<<<<<<<" in text(f"{torn.tree}/app.py")
        for command in ("add -- app.py", "commit --no-edit", "merge --abort"):
            assert f"git -C {torn.tree} {command}" in done.err
        assert torn.world.run("sh", "-c", error["run"]).rc == 0

    def test_the_printed_commands_finish_it(self, torn: Shop) -> None:
        lines = torn.sync().err.splitlines()
        (torn.tree / "app.py").write_text("TAX = 0.5\n")
        for line in lines:
            if line.startswith(("resolve, then:", "and:")):
                assert torn.world.run("sh", "-c", line.partition(":")[2]).rc == 0
        assert torn.sync(A, "--json").json["merged"] is False

    def test_the_printed_command_gives_it_up(self, torn: Shop) -> None:
        before = torn.head()
        torn.sync()
        done = torn.world.git("merge", "--abort", cwd=torn.tree)
        assert done == ""
        assert torn.head() == before
        assert text(f"{torn.tree}/app.py") == "TAX = 0.3\n"

    def test_a_second_sync_does_not_step_on_it(self, torn: Shop) -> None:
        torn.sync()
        error = torn.refused("under-way")
        assert "a merge is under way" in error["reason"]


class TestUncommitted:
    """reliability 3/20 to 23: refused only where the merge would write; the rest is kept."""

    def test_an_edit_that_the_merge_does_not_touch_is_kept(self, mine: Shop) -> None:
        (mine.tree / "app.py").write_text("edit\n")
        (mine.tree / "new.py").write_text("new\n")
        mine.commit(mine.world.repo, "theirs.py", "theirs\n")
        assert mine.sync().rc == 0
        assert text(f"{mine.tree}/app.py") == "edit\n"
        assert text(f"{mine.tree}/new.py") == "new\n"

    @pytest.mark.parametrize("stage", [False, True])
    def test_an_edit_in_a_file_of_the_merge(self, mine: Shop, stage: bool) -> None:
        (mine.tree / "app.py").write_text("edit\n")
        if stage:
            mine.world.git("add", "app.py", cwd=mine.tree)
        mine.commit(mine.world.repo, "app.py", "TAX = 0.4\n")
        error = mine.refused("dirty")
        assert "app.py" in error["reason"]
        assert text(f"{mine.tree}/app.py") == "edit\n"
        assert mine.world.run("sh", "-c", error["run"]).rc == 0
        assert mine.sync(A, "--json").json["error"]["code"] == "conflict"

    @pytest.mark.parametrize("name", [".env", "new.py", "deep/er/new.py"])
    def test_danger_21_untracked_and_ignored_files_in_the_way(self, mine: Shop, name: str) -> None:
        """A plain merge overwrites an ignored file without a word."""
        (mine.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (mine.tree / name).write_text("PRECIOUS\n")
        mine.commit(mine.world.repo, name, "theirs\n")
        error = mine.refused("in-the-way")
        assert name in error["reason"]
        assert text(f"{mine.tree}/{name}") == "PRECIOUS\n"
        assert mine.world.run("sh", "-c", error["run"]).rc == 0
        assert mine.sync().rc == 0
        assert text(f"{mine.tree}/{name}.aside") == "PRECIOUS\n"

    def test_a_file_where_the_merge_needs_a_directory(self, mine: Shop) -> None:
        (mine.tree / ".env").write_text("PRECIOUS\n")
        mine.commit(mine.world.repo, ".env/inside", "theirs\n")
        mine.refused("in-the-way")

    def test_a_directory_where_the_merge_needs_a_file(self, mine: Shop) -> None:
        (mine.tree / ".env").mkdir()
        (mine.tree / ".env" / "inside").write_text("PRECIOUS\n")
        mine.commit(mine.world.repo, ".env", "theirs\n")
        mine.refused("in-the-way")

    def test_a_tracked_file_that_becomes_a_directory_is_no_obstacle(self, mine: Shop) -> None:
        mine.world.git("rm", "-q", "app.py")
        mine.commit(mine.world.repo, "app.py/inside", "theirs\n")
        assert mine.sync().rc == 0
        assert text(f"{mine.tree}/app.py/inside") == "theirs\n"


class TestState:
    def test_detached_or_on_another_branch(self, mine: Shop) -> None:
        mine.world.git("checkout", "-q", "--detach", cwd=mine.tree)
        error = mine.refused("other-branch")
        assert mine.world.run("sh", "-c", error["run"]).rc == 0
        assert mine.sync().rc == 0

    def test_a_worktree_that_is_gone(self, mine: Shop) -> None:
        mine.world.run("rm", "-rf", str(mine.tree))
        done = mine.sync(A, "--json")
        assert done.rc == 5
        assert done.json["error"]["run"] == "plastic start 1"
        mine.world.start(mine.id, A)
        assert mine.sync().rc == 0

    def test_a_base_that_is_gone(self, shop: World) -> None:
        shop.git("branch", "release")
        mine = Shop(shop, "--base", "release")
        shop.git("branch", "-q", "-D", "release")
        assert mine.refused("base-missing", exit=5)

    def test_danger_57_nobody_to_commit_as(
        self, mine: Shop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mine.commit(mine.tree, "mine.py", "mine\n")
        mine.commit(mine.world.repo, "theirs.py", "theirs\n")
        mine.world.git("config", "user.useConfigOnly", "true")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        done = mine.sync(A, "--json")
        assert done.rc in (1, 5)
        assert mine.world.git("status", "--porcelain", "-uno", cwd=mine.tree) == ""

    def test_danger_44_a_hook_that_stops_the_merge(self, mine: Shop) -> None:
        hook = mine.world.repo / ".git" / "hooks" / "pre-merge-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\necho no merges today >&2\nexit 1\n")
        hook.chmod(0o755)
        mine.commit(mine.tree, "mine.py", "mine\n")
        mine.commit(mine.world.repo, "theirs.py", "theirs\n")
        done = mine.sync(A, "--json")
        assert done.rc == 1
        assert done.json["error"]["code"] == "merge-stopped"
        hook.unlink()
        assert mine.world.run("sh", "-c", done.json["error"]["run"]).rc == 0
        assert mine.sync(A, "--json").json["merged"] is False

    def test_a_hook_that_fails_after_a_perfect_merge(self, mine: Shop) -> None:
        hook = mine.world.repo / ".git" / "hooks" / "post-merge"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 3\n")
        hook.chmod(0o755)
        mine.commit(mine.tree, "mine.py", "mine\n")
        mine.commit(mine.world.repo, "theirs.py", "theirs\n")
        assert mine.sync().rc == 0
        assert (mine.tree / "theirs.py").exists()


class TestRemote:
    @pytest.fixture
    def cloned(self, world: World) -> Shop:
        world.make_repo(world.root / "upstream")
        world.git("clone", "-q", str(world.root / "upstream"), str(world.repo), cwd=world.root)
        world.init()
        return Shop(world, "--base", "origin/main")

    def test_fetched_first(self, cloned: Shop) -> None:
        tip = cloned.commit(cloned.world.root / "upstream", "theirs.py", "theirs\n")
        done = cloned.sync(A, "--json")
        assert done.rc == 0, done.err
        assert done.json["base_tip"] == tip
        assert cloned.world.git("rev-parse", "refs/remotes/origin/main") == tip
        assert not os.path.exists(f"{cloned.world.repo}/.git/FETCH_HEAD")

    def test_a_remote_that_does_not_answer(self, cloned: Shop) -> None:
        cloned.world.git("remote", "set-url", "origin", "/none/such")
        error = cloned.refused("git", exit=5)
        assert "fetch" in error["reason"]

    def test_nobody_is_asked_for_a_password(self, cloned: Shop) -> None:
        """A helper that would open a window gets an answer that ends it."""
        shown = cloned.world.root / "asked"
        cloned.world.git(
            "config",
            "core.sshCommand",
            f'echo "$SSH_ASKPASS_REQUIRE $GIT_TERMINAL_PROMPT" > {shown}; false',
        )
        cloned.world.git("remote", "set-url", "origin", "ssh://nobody@invalid.invalid/x")
        cloned.refused("git", exit=5)
        assert shown.read_text() == "never 0\n"

    def test_a_remote_with_a_slash_in_its_name(self, world: World) -> None:
        world.make_repo(world.root / "upstream")
        world.git("clone", "-q", str(world.root / "upstream"), str(world.repo), cwd=world.root)
        world.git("remote", "rename", "origin", "team/fork")
        world.init()
        mine = Shop(world, "--base", "team/fork/main")
        tip = mine.commit(world.root / "upstream", "theirs.py", "theirs\n")
        done = mine.sync(A, "--json")
        assert done.json["base_tip"] == tip


def made_before_homes_were_noted(mine: Shop) -> None:
    """Notes of older versions do not say whose they are: the fence alone decides."""
    world = mine.world
    (note,) = (world.repo / ".git/worktrees").glob("*/plastic.json")
    said = json.loads(note.read_text())
    note.write_text(json.dumps({key: said[key] for key in said if key not in ("home", "dir")}))
    ref = f"refs/plastic/fence/{mine.id}"
    fence = json.loads(world.git("cat-file", "blob", ref))
    blob = world.root / "fence"
    blob.write_text(json.dumps({key: fence[key] for key in ("token", "acq")}))
    world.git("update-ref", ref, world.git("hash-object", "-w", str(blob)))


def test_an_owner_past_whom_another_home_raised_the_token(mine: Shop) -> None:
    world = mine.world
    world.run("cp", "-a", world.home.root, f"{world.root}/copy")
    copy = {"PLASTIC_HOME": f"{world.root}/copy"}
    made_before_homes_were_noted(mine)
    assert world.lock("release", mine.id, session=A, env=copy).rc == 0
    assert world.plastic("start", mine.id, session=B, env=copy).rc == 0
    mine.commit(world.repo, "app.py", "TAX = 0.3\n")
    error = mine.refused("overtaken", exit=4)
    assert error["run"].split()[:3] == ["plastic", "start", mine.id]
    assert world.plastic(*error["run"].split()[1:], session=A).rc == 0
    assert mine.sync().rc == 0
    assert world.plastic("sync", mine.id, session=B, env=copy).rc == 4


def test_taken_over_between_the_look_and_the_merge(
    mine: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token is compared again under the guard: who lost the intent merges nothing."""
    from plastic.disk.session import Caller
    from plastic.words import Lost, Refusal
    from plastic.work import sync as module
    from plastic.work.intent.intents import find

    mine.commit(mine.world.repo, "theirs.py", "theirs\n")
    before = mine.head()
    intent = find(mine.world.home, mine.id)
    path = f"{intent.dir}/delivery.lock"

    def meanwhile(*_: object) -> None:
        old = text(path)
        with open(path, "w") as file:
            file.write(old.replace('"token": 1', '"token": 2'))

    monkeypatch.setattr(module, "fetch", meanwhile)
    with pytest.raises(Refusal) as caught:
        module.sync(mine.world.home, intent, Caller(A, "flag"), print)
    assert isinstance(caught.value, Lost)
    assert mine.head() == before


def test_a_submodule_that_the_base_turns_into_a_file(shop: World) -> None:
    """git deletes the whole folder to write the file, ignored files and unpushed commits in it."""
    away = shop.make_repo(shop.root / "away")
    shop.git("submodule", "add", "-q", str(away), "sub")
    shop.git("commit", "-q", "-m", "with a submodule")
    mine = Shop(shop)
    shop.git("submodule", "update", "-q", "--init", cwd=mine.tree)
    (mine.tree / "sub/.env").write_text("TOKEN=1\n")
    shop.git("rm", "-q", "-f", "sub")
    (shop.repo / "sub").write_text("now a file\n")
    shop.git("add", "sub")
    shop.git("commit", "-q", "-m", "no submodule any more")
    done = shop.plastic("sync", mine.id, "--json", session=A)
    assert done.rc == 1
    assert done.json["error"]["code"] == "in-the-way"
    assert shop.run("sh", "-c", done.json["error"]["run"]).rc == 0
    assert (mine.tree / "sub.aside/.env").read_text() == "TOKEN=1\n"
