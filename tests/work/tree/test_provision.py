"""Provisioning on real git: the rules of where and what, the refusals, and that failures undo."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.worktrees import admin_dir, entry_at, recall
from plastic.words import Broken, Missing, Refusal, Refused, Usage
from plastic.work.tree.provision import provision, unprovision
from tests.work.yard import Yard, text, touch

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def yard(world: World) -> Yard:
    world.make_repo()
    return Yard(world)


def refusal(yard: Yard, **more: Any) -> Refusal:
    """The refusal of one start, which must leave everything as it was."""
    before = yard.snapshot()
    with pytest.raises(Refusal) as caught:
        yard.provision(**more)
    assert yard.snapshot() == before
    assert "\n" not in caught.value.reason
    assert caught.value.run
    return caught.value


class TestMade:
    def test_case_9_6_101_path_branch_and_base(
        self, yard: Yard, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir("/")
        tree = yard.tree()
        assert tree == {
            "repo": yard.root,
            "path": yard.path(),
            "branch": "plastic/1--add-tax",
            "base": "refs/heads/main",
            "base_commit": yard.head(),
            "provisioned": True,
            "reason": None,
        }
        assert yard.world.git("branch", "--show-current", cwd=yard.path()) == tree["branch"]
        assert yard.world.git("status", "--porcelain", cwd=yard.path()) == ""
        assert sorted(os.listdir(yard.path())) == [".git", ".gitignore", "app.py"]

    def test_it_is_locked_with_our_reason(self, yard: Yard) -> None:
        yard.tree(token=7)
        entry = entry_at(yard_git(yard), yard.path())
        assert entry is not None
        assert entry.locked == "plastic 1 7"

    def test_no_upstream_is_written(self, yard: Yard) -> None:
        """prototypes 4: writing the upstream is what parallel adds fail on."""
        config = text(f"{yard.root}/.git/config")
        yard.world.git("config", "branch.autoSetupMerge", "always")
        yard.tree()
        assert "plastic/" not in text(f"{yard.root}/.git/config")
        yard.world.git("config", "--unset", "branch.autoSetupMerge")
        assert "merge =" not in config

    def test_case_9_6_102_again_changes_nothing(self, yard: Yard) -> None:
        first = yard.tree()
        with open(f"{yard.path()}/app.py", "a") as file:
            file.write("# my edit\n")
        before = (yard.snapshot(), stamps(f"{yard.root}/.git"))
        assert yard.tree(token=2) == first
        assert (yard.snapshot(), stamps(f"{yard.root}/.git")) == before

    def test_again_keeps_the_base_that_was_recorded(self, yard: Yard) -> None:
        yard.world.git("branch", "release")
        first = yard.tree(base="release")
        assert first["base"] == "refs/heads/release"
        yard.world.git("commit", "-q", "--allow-empty", "-m", "later")
        assert yard.tree() == first
        assert yard.tree(base="release") == first
        with pytest.raises(Refused) as caught:
            yard.tree(base="main")
        assert caught.value.code == "base-differs"

    def test_case_9_6_109_the_exclude_entry(self, yard: Yard) -> None:
        exclude = f"{yard.root}/.git/info/exclude"
        with open(exclude, "w") as file:
            file.write("*.swp\nlast-without-newline")
        yard.tree()
        yard.tree("2")
        assert text(exclude) == "*.swp\nlast-without-newline\n/.claude/worktrees/\n"
        assert yard.world.git("status", "--porcelain") == ""
        yard.world.git("add", "-A")
        assert yard.world.git("diff", "--cached", "--name-only") == ""

    def test_no_info_directory(self, yard: Yard) -> None:
        os.unlink(f"{yard.root}/.git/info/exclude")
        os.rmdir(f"{yard.root}/.git/info")
        yard.tree()
        assert yard.world.git("status", "--porcelain") == ""

    def test_it_is_prepared_once(self, yard: Yard) -> None:
        project = yard.project(setup=["echo run >> ../../../.git/ran"])
        yard.tree(project=project)
        yard.tree(project=project)
        assert text(f"{yard.root}/.git/ran") == "run\n"

    def test_files_of_one_tree_do_not_reach_another(self, yard: Yard) -> None:
        yard.tree("1")
        yard.tree("2")
        with open(f"{yard.path('1')}/new.py", "w") as file:
            file.write("x")
        assert not os.path.exists(f"{yard.path('2')}/new.py")
        assert not os.path.exists(f"{yard.root}/new.py")

    def test_a_user_who_checks_out_with_one_worker_keeps_that(self, yard: Yard) -> None:
        yard.world.git("config", "checkout.workers", "1")
        assert yard.tree()["provisioned"] is True


def yard_git(yard: Yard) -> Any:
    from plastic.disk.git import Git

    return Git(yard.root)


def stamps(top: str) -> dict[str, tuple[int, int]]:
    """Inode and mtime of every file below git's directory, our guard and nothing else aside."""
    found = {}
    for directory, _, files in os.walk(top):
        for name in files:
            path = os.path.join(directory, name)
            seen = os.lstat(path)
            if name != "plastic.guard":
                found[path] = (seen.st_ino, seen.st_mtime_ns)
    return found


class TestLockOnly:
    """Design 8: exactly three cases, each with its reason; cases 9.6/103 and 104."""

    def test_case_9_6_104_the_global_store(self, yard: Yard) -> None:
        intent = yard.intent(project=None)
        tree, made = provision(yard.world.home, intent, None, 1)
        assert tree["provisioned"] is False
        assert tree["path"] is None
        assert "global store" in tree["reason"]
        assert unprovision(made, yard.said.append)

    def test_case_9_6_103_a_slug_that_nobody_registered(self, yard: Yard) -> None:
        tree, _ = provision(yard.world.home, yard.intent(), None, 1)
        assert tree["provisioned"] is False
        assert "project shop is not in projects.yml" in tree["reason"]

    @pytest.mark.parametrize(
        ("path", "said"),
        [("", "has no repository"), ("/none/such", "no directory"), ("plain", "not a git")],
    )
    def test_case_9_6_103_paths_that_are_no_work_tree(
        self, yard: Yard, path: str, said: str
    ) -> None:
        (yard.world.root / "plain").mkdir()
        if path == "plain":
            path = str(yard.world.root / "plain")
        tree = yard.tree(project=yard.project(path))
        assert tree["provisioned"] is False
        assert said in tree["reason"]
        assert "shop" in tree["reason"]

    def test_the_reason_is_journalled(self, yard: Yard) -> None:
        yard.tree(project=yard.project(""))
        assert "lock-only" in text(yard.world.home.log)

    def test_nothing_to_adopt(self, yard: Yard) -> None:
        with pytest.raises(Refused, match="nothing to adopt"):
            yard.tree(project=yard.project(""), adopt=yard.root)


class TestRefused:
    """Case 9.6/106 to 108 and the git dangers 27 to 37: one clear line, nothing left behind."""

    def test_case_9_6_106_a_plain_directory_squats(self, yard: Yard) -> None:
        os.makedirs(yard.path())
        with open(f"{yard.path()}/precious", "w") as file:
            file.write("x")
        seen = refusal(yard)
        assert (seen.exit, seen.code) == (5, "worktree-squatted")
        assert yard.world.run("sh", "-c", seen.run).rc == 0
        assert yard.tree()["provisioned"] is True
        assert os.path.exists(f"{yard.path()}.aside/precious")

    def test_an_empty_directory_is_no_obstacle(self, yard: Yard) -> None:
        os.makedirs(yard.path())
        assert yard.tree()["provisioned"] is True

    @pytest.mark.parametrize("kind", ["file", "link", "dangling"])
    def test_other_things_at_the_path(self, yard: Yard, kind: str) -> None:
        os.makedirs(os.path.dirname(yard.path()))
        if kind == "file":
            touch(yard.path())
        else:
            os.symlink(str(yard.world.root) if kind == "link" else "/none", yard.path())
        assert refusal(yard).code == "worktree-squatted"

    @pytest.mark.parametrize("part", [".claude", ".claude/worktrees"])
    @pytest.mark.parametrize("kind", ["link", "file"])
    def test_danger_34_parents_that_lead_elsewhere(self, yard: Yard, part: str, kind: str) -> None:
        (yard.world.root / "elsewhere").mkdir()
        os.makedirs(os.path.dirname(f"{yard.root}/{part}"), exist_ok=True)
        if kind == "link":
            os.symlink(yard.world.root / "elsewhere", f"{yard.root}/{part}")
        else:
            touch(f"{yard.root}/{part}")
        seen = refusal(yard)
        assert (seen.exit, seen.code) == (5, "worktree-parent")
        assert os.listdir(yard.world.root / "elsewhere") == []
        assert yard.world.run("sh", "-c", seen.run).rc == 0
        assert yard.tree()["provisioned"] is True

    @pytest.mark.parametrize("slug", ["../../evil", "a/b", "-x", "x.lock", "a..b", ""])
    def test_danger_33_names_that_traverse(self, yard: Yard, slug: str) -> None:
        from plastic.words import Intent

        intent = Intent("1", slug, yard.world.home.root, "shop")
        before = yard.snapshot()
        with pytest.raises(Broken) as caught:
            provision(yard.world.home, intent, yard.project(), 1)
        assert caught.value.code == "intent-name"
        assert yard.snapshot() == before

    def test_case_9_6_107_no_commit_yet(self, world: World) -> None:
        world.repo.mkdir()
        world.git("init", "-q", "-b", "main")
        yard = Yard(world)
        for project in (yard.project(), yard.project(base="main")):
            seen = refusal(yard, project=project)
            assert (seen.exit, seen.code) == (1, "base-unborn")
        assert world.run("sh", "-c", seen.run).rc == 0
        assert yard.tree()["base"] == "refs/heads/main"

    def test_detached(self, yard: Yard) -> None:
        yard.world.git("checkout", "-q", "--detach")
        seen = refusal(yard)
        assert (seen.exit, seen.code) == (1, "base-detached")
        assert seen.run == "plastic start 1 --base main"
        assert yard.tree(base="main")["base"] == "refs/heads/main"

    def test_case_9_6_107_a_bare_repository(self, yard: Yard) -> None:
        yard.world.git("clone", "-q", "--bare", ".", "../bare.git")
        seen = refusal(yard, project=yard.project(str(yard.world.root / "bare.git")))
        assert (seen.exit, seen.code) == (5, "bare-repository")
        assert "bare" in seen.reason

    def test_case_9_6_107_a_branch_called_plastic(self, yard: Yard) -> None:
        yard.world.git("branch", "plastic")
        seen = refusal(yard)
        assert (seen.exit, seen.code) == (5, "branch-conflict")
        assert "a branch named `plastic` exists" in seen.reason
        assert yard.world.run("sh", "-c", seen.run).rc == 0
        assert yard.tree()["provisioned"] is True

    def test_danger_30_also_when_it_is_packed(self, yard: Yard) -> None:
        yard.world.git("branch", "plastic")
        yard.world.git("pack-refs", "--all")
        assert refusal(yard).code == "branch-conflict"

    def test_the_branch_is_checked_out_elsewhere(self, yard: Yard) -> None:
        other = os.path.realpath(yard.world.root) + "/other"
        yard.world.git("worktree", "add", "-q", "-b", "plastic/1--add-tax", other)
        seen = refusal(yard)
        assert seen.code == "branch-elsewhere"
        assert other in seen.reason
        assert seen.run == f"plastic start 1 --adopt {other}"
        assert yard.tree(adopt=other)["path"] == other

    def test_the_branch_is_checked_out_in_the_main_checkout(self, yard: Yard) -> None:
        yard.world.git("switch", "-q", "-c", "plastic/1--add-tax")
        seen = refusal(yard, base="main")
        assert seen.code == "branch-elsewhere"
        assert yard.world.run("sh", "-c", seen.run).rc == 0
        assert yard.tree(base="main")["provisioned"] is True

    def test_somebody_elses_worktree_at_our_path(self, yard: Yard) -> None:
        yard.world.git("worktree", "add", "-q", "-b", "theirs", yard.path())
        seen = refusal(yard)
        assert seen.code == "worktree-foreign"
        assert f"--adopt {yard.path()}" in seen.run
        assert yard.tree(adopt=yard.path())["branch"] == "theirs"

    def test_danger_37_a_worktree_without_its_git_file(self, yard: Yard) -> None:
        first = yard.tree()
        os.unlink(f"{yard.path()}/.git")
        seen = refusal(yard)
        assert (seen.exit, seen.code) == (5, "worktree-broken")
        yard.world.run("sh", "-c", seen.run)
        assert yard.tree() == first

    def test_git_is_too_old(self, yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
        tools = yard.world.root / "tools"
        tools.mkdir()
        (tools / "git").write_text("#!/bin/sh\necho git version 2.30.0\n")
        (tools / "git").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
        with pytest.raises(Broken) as caught:
            yard.provision()
        assert caught.value.code == "git-version"


class TestEnvironmentFails:
    """Everything else is exit 5, and what the call made is gone again."""

    @pytest.mark.usefixtures("permissions")
    def test_danger_59_a_repository_that_cannot_be_written(self, yard: Yard) -> None:
        os.chmod(f"{yard.root}/.git", 0o555)
        try:
            seen = refusal(yard)
        finally:
            os.chmod(f"{yard.root}/.git", 0o755)
        assert seen.exit == 5

    @pytest.mark.usefixtures("permissions")
    def test_a_root_that_cannot_be_written(self, yard: Yard) -> None:
        os.chmod(yard.root, 0o555)
        try:
            seen = refusal(yard)
        finally:
            os.chmod(yard.root, 0o755)
        assert seen.exit == 5

    @pytest.mark.usefixtures("permissions")
    def test_refs_that_cannot_be_written(self, yard: Yard) -> None:
        os.chmod(f"{yard.root}/.git/refs/heads", 0o555)
        try:
            seen = refusal(yard)
        finally:
            os.chmod(f"{yard.root}/.git/refs/heads", 0o755)
        assert seen.exit == 5
        assert "cannot lock ref" in seen.reason

    def test_danger_50_a_filter_that_fails(self, yard: Yard) -> None:
        """What LFS does without its objects; the branch of a plain add would stay behind."""
        (yard.world.repo / ".gitattributes").write_text("*.bin filter=lfs\n")
        (yard.world.repo / "a.bin").write_text("x")
        yard.world.git("add", "-A")
        yard.world.git("commit", "-q", "-m", "binary")
        yard.world.git("config", "filter.lfs.smudge", "echo no objects >&2; exit 1")
        yard.world.git("config", "filter.lfs.clean", "cat")
        yard.world.git("config", "filter.lfs.required", "true")
        seen = refusal(yard)
        assert (seen.exit, seen.code) == (5, "git")
        assert "smudge filter lfs failed" in seen.reason

    @pytest.mark.parametrize("ending", ["exit 3", "kill -9 $$"])
    def test_danger_43_a_hook_that_fails_after_a_perfect_checkout(
        self, yard: Yard, ending: str
    ) -> None:
        hook(yard, "post-checkout", f'echo "$1 $3" > {yard.root}/.git/told; {ending}')
        assert yard.tree()["provisioned"] is True
        assert any("post-checkout" in line for line in yard.said)
        assert text(f"{yard.root}/.git/told") == f"{'0' * 40} 1\n"

    def test_danger_45_a_hook_that_forbids_the_branch(self, yard: Yard) -> None:
        hook(yard, "reference-transaction", '[ "$1" != prepared ] || exit 1')
        seen = refusal(yard)
        assert seen.exit == 5
        assert "hook" in seen.reason

    def test_setup_that_fails(self, yard: Yard) -> None:
        project = yard.project(setup=["true", "echo cannot resolve >&2; touch left; exit 4"])
        seen = refusal(yard, project=project)
        assert (seen.exit, seen.code) == (5, "setup-failed")
        assert "ended with 4" in seen.reason
        assert "cannot resolve" in seen.reason

    def test_setup_that_fails_in_a_reused_worktree_keeps_it(self, yard: Yard) -> None:
        done = yard.child(env={"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "provision.checked_out"})
        assert done.rc == -9
        with pytest.raises(Broken, match="ended with 1"):
            yard.provision(project=yard.project(setup=["exit 1"]))
        assert os.path.exists(f"{yard.path()}/app.py")
        tree = yard.tree(project=yard.project(setup=["touch .env"]))
        assert os.path.exists(f"{tree['path']}/.env")

    @pytest.mark.parametrize(
        "where", ["begun", "branch", "added", "checked_out", "copied", "set_up"]
    )
    @pytest.mark.parametrize("how", ["raise", "errno=ENOSPC"])
    def test_a_fault_anywhere_is_undone(
        self, yard: Yard, monkeypatch: pytest.MonkeyPatch, where: str, how: str
    ) -> None:
        from plastic.disk.failpoints import _passed

        _passed.clear()
        before = yard.snapshot()
        monkeypatch.setenv("PLASTIC_TEST", "1")
        monkeypatch.setenv("PLASTIC_FAILPOINT", f"provision.{where}:{how}")
        with pytest.raises(RuntimeError if how == "raise" else Broken):
            yard.provision()
        assert yard.snapshot() == before

    def test_an_interrupt_is_undone(self, yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("plastic.work.tree.provision.copy_files", interrupt)
        before = yard.snapshot()
        with pytest.raises(KeyboardInterrupt):
            yard.provision()
        assert yard.snapshot() == before


def hook(yard: Yard, name: str, script: str) -> None:
    path = f"{yard.root}/.git/hooks/{name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o755)


class TestUndo:
    def test_everything_this_call_made(self, yard: Yard) -> None:
        before = yard.snapshot()
        _, made = yard.provision(project=yard.project(setup=["touch visible"]))
        assert unprovision(made, yard.said.append)
        assert yard.snapshot() == before
        assert unprovision(made, yard.said.append)

    def test_nothing_of_an_earlier_call(self, yard: Yard) -> None:
        yard.provision()
        before = yard.snapshot()
        _, made = yard.provision()
        assert unprovision(made, yard.said.append)
        assert yard.snapshot() == before

    def test_a_branch_that_was_there_stays(self, yard: Yard) -> None:
        yard.world.git("branch", "plastic/1--add-tax")
        _, made = yard.provision()
        assert unprovision(made, yard.said.append)
        assert "plastic/1--add-tax" in yard.branches()
        assert yard.worktrees() == [yard.root]

    @pytest.mark.parametrize("work", ["untracked", "edit", "commit"])
    def test_work_that_began_meanwhile_is_never_removed(self, yard: Yard, work: str) -> None:
        """A second start of the same owner may have handed the same tree to an agent."""
        _, made = yard.provision()
        name = "new.py" if work == "untracked" else "app.py"
        with open(f"{yard.path()}/{name}", "a") as file:
            file.write("work\n")
        if work == "commit":
            yard.world.git("commit", "-q", "-am", "work", cwd=yard.path())
        assert not unprovision(made, yard.said.append)
        assert "work" in text(f"{yard.path()}/{name}")
        assert any("stays" in line for line in yard.said)

    def test_a_lock_reason_that_is_no_longer_ours_protects(self, yard: Yard) -> None:
        _, made = yard.provision()
        yard.world.git("worktree", "unlock", yard.path())
        yard.world.git("worktree", "lock", "--reason", "mine now", yard.path())
        assert not unprovision(made, yard.said.append)
        assert os.path.exists(f"{yard.path()}/app.py")


class TestBase:
    @pytest.fixture
    def clone(self, world: World) -> Yard:
        world.make_repo(world.root / "upstream")
        world.git("clone", "-q", str(world.root / "upstream"), str(world.repo), cwd=world.root)
        world.git("switch", "-q", "-c", "mine")
        return Yard(world)

    @pytest.mark.parametrize(
        ("named", "own", "expected"),
        [
            (None, {}, "refs/heads/main"),
            ("mine", {}, "refs/heads/mine"),
            ("mine", {"base": "main"}, "refs/heads/mine"),
            (None, {"base": "mine"}, "refs/heads/mine"),
            ("HEAD", {}, "refs/heads/mine"),
            ("origin/main", {}, "refs/remotes/origin/main"),
            ("origin/HEAD", {}, "refs/remotes/origin/main"),
            ("refs/heads/mine", {}, "refs/heads/mine"),
            ("refs/remotes/origin/main", {}, "refs/remotes/origin/main"),
            (None, {"merge": "pr"}, "refs/remotes/origin/main"),
            ("main", {"merge": "pr"}, "refs/remotes/origin/main"),
            ("origin/main", {"merge": "pr"}, "refs/remotes/origin/main"),
            (None, {"base": "main", "merge": "pr"}, "refs/remotes/origin/main"),
            (None, {"remote": "none"}, "refs/heads/mine"),
        ],
    )
    def test_order(
        self, clone: Yard, named: str | None, own: dict[str, Any], expected: str
    ) -> None:
        assert clone.tree(project=clone.project(**own), base=named)["base"] == expected

    def test_the_remotes_branch_where_there_is_no_local_one(self, clone: Yard) -> None:
        clone.world.git("branch", "-q", "-D", "main")
        assert clone.tree()["base"] == "refs/remotes/origin/main"

    def test_danger_31_a_tag_with_the_branchs_name(self, yard: Yard) -> None:
        first = yard.head()
        yard.world.git("tag", "main")
        yard.world.git("commit", "-q", "--allow-empty", "-m", "second")
        tree = yard.tree(base="main")
        assert tree["base"] == "refs/heads/main"
        assert tree["base_commit"] == yard.head() != first

    def test_danger_31_a_tag_with_our_branchs_name(self, yard: Yard) -> None:
        yard.world.git("tag", "plastic/1--add-tax")
        yard.world.git("commit", "-q", "--allow-empty", "-m", "second")
        yard.tree()
        assert yard.head(yard.path()) == yard.head()

    @pytest.mark.parametrize(
        ("named", "error", "code"),
        [
            ("none", Missing, "base-missing"),
            ("--help", Missing, "base-missing"),
            ("v1", Usage, "base-kind"),
            ("HEAD~0", Usage, "base-kind"),
        ],
    )
    def test_names_that_are_no_branch(
        self, yard: Yard, named: str, error: type[Refusal], code: str
    ) -> None:
        yard.world.git("tag", "v1")
        seen = refusal(yard, base=named)
        assert isinstance(seen, error)
        assert seen.code == code
        assert yard.world.run("sh", "-c", seen.run).rc == 0

    def test_a_configured_base_that_is_gone(self, yard: Yard) -> None:
        seen = refusal(yard, project=yard.project(base="gone"))
        assert (seen.exit, seen.code) == (5, "base-missing")
        assert "`base: gone`" in seen.reason

    def test_with_pull_requests_the_base_is_the_remotes(self, yard: Yard) -> None:
        seen = refusal(yard, project=yard.project(base="main", merge="pr"))
        assert "on the remote origin" in seen.reason


class TestFound:
    """States that earlier starts, people and other tools can leave."""

    def test_danger_39_deleted_by_hand_is_made_again(self, yard: Yard) -> None:
        first = yard.tree()
        with open(f"{yard.path()}/app.py", "a") as file:
            file.write("# kept\n")
        yard.world.git("commit", "-q", "-am", "kept", cwd=yard.path())
        yard.world.git("commit", "-q", "--allow-empty", "-m", "base moves")
        yard.world.run("rm", "-rf", yard.path())
        assert yard.tree(token=2) == first
        assert "# kept" in text(f"{yard.path()}/app.py")
        assert yard.worktrees() == [yard.root, yard.path()]
        entry = entry_at(yard_git(yard), yard.path())
        assert entry is not None
        assert entry.locked == "plastic 1 2"

    def test_deleted_by_hand_and_locked_by_somebody_else(self, yard: Yard) -> None:
        yard.tree()
        yard.world.git("worktree", "unlock", yard.path())
        yard.world.git("worktree", "lock", "--reason", "on a stick", yard.path())
        yard.world.run("rm", "-rf", yard.path())
        seen = refusal(yard)
        assert seen.code == "worktree-missing"
        assert yard.world.run("sh", "-c", seen.run).rc == 0
        assert yard.tree()["provisioned"] is True

    def test_other_missing_worktrees_are_left_alone(self, yard: Yard) -> None:
        """No bare prune: a worktree on an unmounted disk looks like a deleted one."""
        other = os.path.realpath(yard.world.root) + "/stick"
        yard.world.git("worktree", "add", "-q", "-b", "theirs", other)
        os.rename(other, f"{other}.unmounted")
        yard.tree()
        yard.world.run("rm", "-rf", yard.path())
        yard.tree()
        os.rename(f"{other}.unmounted", other)
        assert yard.world.git("status", "--porcelain", cwd=other) == ""

    def test_branch_there_directory_gone_is_attached_again(self, yard: Yard) -> None:
        yard.tree()
        with open(f"{yard.path()}/app.py", "a") as file:
            file.write("# kept\n")
        yard.world.git("commit", "-q", "-am", "kept", cwd=yard.path())
        tip, base = yard.head(yard.path()), yard.head()
        yard.world.git("worktree", "remove", "-f", "-f", yard.path())
        tree = yard.tree()
        assert yard.head(yard.path()) == tip
        assert tree["base_commit"] == base

    def test_in_the_middle_of_a_rebase(self, yard: Yard) -> None:
        first = yard.tree()
        yard.world.git("checkout", "-q", "--detach", cwd=yard.path())
        assert yard.tree() == first
        assert any("detached HEAD" in line for line in yard.said)

    def test_on_a_branch_without_a_commit(self, yard: Yard) -> None:
        first = yard.tree()
        yard.world.git("checkout", "-q", "--orphan", "fresh", cwd=yard.path())
        assert yard.tree() == first

    def test_a_worktree_that_was_moved_is_found(self, yard: Yard) -> None:
        first = yard.tree()
        new = os.path.realpath(yard.world.root) + "/moved"
        yard.world.git("worktree", "move", "-f", "-f", yard.path(), new)
        assert yard.tree() == {**first, "path": new}

    def test_one_that_an_older_tool_made_is_ours_by_name(self, yard: Yard) -> None:
        yard.world.git("worktree", "add", "-q", "-b", "plastic/1--add-tax", yard.path())
        before = yard.unfenced()
        tree = yard.tree(project=yard.project(setup=["touch setup-ran"]))
        assert yard.unfenced() == before
        assert tree["base_commit"] == yard.head()
        assert not os.path.exists(f"{yard.path()}/setup-ran")

    def test_the_note_goes_away_with_the_worktree(self, yard: Yard) -> None:
        yard.tree()
        admin = admin_dir(f"{yard.root}/.git", yard.path())
        assert admin is not None
        note = recall(admin)
        assert note is not None
        assert note.prepared
        yard.world.git("worktree", "remove", "-f", "-f", yard.path())
        assert not os.path.exists(admin)
