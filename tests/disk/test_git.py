"""The one door to git: environment, errors, deadlines and what a repository answers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from plastic.disk import git as door
from plastic.disk.git import (
    Git,
    common_dir,
    current_branch,
    default_branch,
    identity,
    is_root,
    oid,
    require_git,
    toplevel,
    valid_ref,
    whereabouts,
)
from plastic.disk.gitenv import LOCAL_VARIABLES, clean_environment, dropped
from plastic.words import Broken

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World


@pytest.fixture
def repo(world: World) -> str:
    return os.path.realpath(world.make_repo())


def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A `git` of the test's making, alone in front of PATH."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").write_text(f"#!/bin/sh\n{script}\n")
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")


class TestRun:
    def test_output(self, repo: str) -> None:
        assert Git(repo).run("rev-parse", "--is-bare-repository").out == "false\n"
        assert Git(repo).read("rev-parse", "--is-bare-repository") == "false"

    def test_other_exit_codes_are_named(self, repo: str) -> None:
        with pytest.raises(Broken) as caught:
            Git(repo).run("rev-parse", "--verify", "refs/heads/none")
        assert caught.value.code == "git"
        assert caught.value.exit == 5
        assert "rc 128" in caught.value.reason
        assert "fatal: Needed a single revision" in caught.value.reason
        assert "\n" not in caught.value.reason

    def test_the_printed_command_repeats_the_failure(self, repo: str, world: World) -> None:
        with pytest.raises(Broken) as caught:
            Git(repo).run("cat-file", "-e", "name with space")
        done = world.run("sh", "-c", caught.value.run, cwd="/")
        assert done.rc == 128

    def test_any_exit_code_can_be_an_answer(self, repo: str) -> None:
        assert Git(repo).run("rev-parse", "--verify", "x", ok=None).rc == 128
        assert Git(repo).run("diff", "--quiet", ok=(0, 1)).rc == 0
        assert Git(repo).says("rev-parse", "--verify", "x") is None

    def test_stdin_bytes_and_text(self, repo: str) -> None:
        text = Git(repo).run("hash-object", "--stdin", stdin="abc").out
        assert Git(repo).run("hash-object", "--stdin", stdin=b"abc").out == text

    def test_raw_bytes(self, repo: str) -> None:
        with open(f"{repo}/\udcff.txt", "w") as file:
            file.write("x")
        seen = Git(repo).raw("status", "--porcelain", "-z")
        assert seen == b"?? \xff.txt\0"

    @pytest.mark.parametrize("name", ["a $HOME b", "~", "it's", "-x", "new\nline"])
    def test_odd_directories(self, world: World, name: str) -> None:
        made = world.make_repo(world.root / name)
        assert Git(str(made)).read("rev-parse", "--is-inside-work-tree") == "true"

    def test_a_deleted_cwd_of_ours_does_not_matter(self, repo: str, world: World) -> None:
        (world.root / "gone").mkdir()
        code = (
            f"import os; os.chdir('{world.root}/gone'); os.rmdir('{world.root}/gone')\n"
            "from plastic.disk.git import Git\n"
            f"print(Git('{repo}').read('rev-parse', '--is-bare-repository'))"
        )
        assert world.run(sys.executable, "-c", code).out == "false\n"

    def test_a_deadline_ends_git_and_its_children(self, repo: str) -> None:
        with pytest.raises(Broken) as caught:
            Git(repo).run("-c", "alias.hang=!sleep 300 & wait", "hang", timeout=0.5)
        assert caught.value.code == "git-timeout"


class TestEnvironment:
    def test_the_list_is_gits_own(self) -> None:
        """Newer gits may know more names; every one that this git lists is dropped."""
        listed = subprocess.run(
            ["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True
        )
        assert set(listed.stdout.split()) <= set(LOCAL_VARIABLES)

    def test_danger_15_a_hooks_environment_does_not_leak(
        self, repo: str, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """reliability 3/15: inside a hook GIT_DIR points at the repository of the hook."""
        other = world.make_repo(world.root / "other")
        monkeypatch.setenv("GIT_DIR", f"{other}/.git")
        monkeypatch.setenv("GIT_INDEX_FILE", f"{other}/.git/index")
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.bare")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
        monkeypatch.setenv("GIT_TRACE", "1")
        assert toplevel(repo) == repo
        assert Git(repo).run("rev-parse", "--is-bare-repository").err == ""

    def test_what_we_set_ourselves_is_not_dropped(
        self, world: World, repo: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Inside a hook, a private index must not turn into the index of the person."""
        monkeypatch.setenv("GIT_INDEX_FILE", f"{repo}/.git/index")
        private = {"GIT_INDEX_FILE": str(world.root / "private")}
        Git(repo).run("read-tree", "--empty", env=private)
        assert Git(repo).read("ls-files") != ""
        assert Git(repo).run("ls-files", env=private).out == ""

    def test_what_is_dropped_and_what_is_kept(self) -> None:
        env = {
            "GIT_DIR": "x",
            "GIT_CEILING_DIRECTORIES": "x",
            "GIT_EXTERNAL_DIFF": "x",
            "GIT_TRACE2_EVENT": "x",
            "GIT_CONFIG_GLOBAL": "mine",
            "GIT_SSH_COMMAND": "mine",
            "GIT_AUTHOR_NAME": "mine",
            "HOME": "mine",
        }
        assert set(clean_environment(env).values()) == {"mine"}
        assert set(dropped(env)) == {name for name, value in env.items() if value == "x"}

    def test_what_is_set(self, repo: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        monkeypatch.setenv("GIT_EDITOR", "vi")
        shown = "echo $LC_ALL,$GIT_TERMINAL_PROMPT,$GIT_EDITOR,$GIT_OPTIONAL_LOCKS"
        ask = ("-c", f"alias.vars=!{shown}", "vars")
        assert Git(repo).run(*ask).out == "C,0,true,\n"
        assert Git(repo).read(*ask) == "C,0,true,0"
        assert Git(repo).run(*ask, env={"GIT_EDITOR": "ed"}).out == "C,0,ed,\n"

    def test_nothing_can_ask_at_the_terminal(self, repo: str) -> None:
        probe = "-c", "alias.tty=!(exec < /dev/tty) 2> /dev/null && echo asked || echo alone", "tty"
        assert Git(repo).run(*probe).out == "alone\n"

    def test_looking_takes_no_lock(self, repo: str) -> None:
        """reliability 3/52: a plain `status` rewrites the index, and collides with a commit."""
        os.utime(f"{repo}/app.py")
        before = os.stat(f"{repo}/.git/index").st_mtime_ns
        Git(repo).read("status", "--porcelain")
        assert os.stat(f"{repo}/.git/index").st_mtime_ns == before


class TestVersion:
    @pytest.mark.parametrize(
        ("script", "said"),
        [
            ("echo git version 2.37.9", "git 2.37 is too old"),
            ("echo git version 1.99", "git 1.99 is too old"),
            ("echo broken >&2; exit 3", "`git version` failed: broken"),
        ],
    )
    def test_refused_clearly(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
    ) -> None:
        fake_git(tmp_path, monkeypatch, script)
        with pytest.raises(Broken) as caught:
            Git("/").run("status")
        assert caught.value.code == "git-version"
        assert said in caught.value.reason
        assert "2.38" in caught.value.reason

    def test_no_git(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(Broken, match="not on PATH") as caught:
            require_git()
        assert caught.value.code == "git-version"

    @pytest.mark.parametrize("script", ["exit 1", "kill -9 $$", "echo nonsense"])
    def test_a_git_that_does_not_work_is_no_bug_of_ours(
        self, shop: World, monkeypatch: pytest.MonkeyPatch, script: str
    ) -> None:
        fake_git(shop.root, monkeypatch, script)
        code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
        done = shop.run(sys.executable, "-c", code, "init", str(shop.repo))
        assert done.rc == 5
        assert "plastic needs git 2.38" in done.err

    def test_newer_is_fine(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        fake_git(tmp_path, monkeypatch, "echo git version 3.0.1.windows.2")
        require_git()

    def test_the_door_is_cheap_to_look_at(self, world: World) -> None:
        """Commands import it at the top; the library behind it only when git runs."""
        code = (
            "import sys, plastic.disk.git\n"
            "print([m for m in ('git', 'subprocess') if m in sys.modules])"
        )
        plain = world.run(sys.executable, "-S", "-c", code, env={"PYTHONPATH": _package()})
        assert plain.out == "[]\n", plain.err


def _package() -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(door.__file__)))


class TestRepository:
    def test_danger_47_dubious_ownership_is_explained(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """reliability 3/47"""
        fake_git(
            tmp_path,
            monkeypatch,
            'case "$1" in version) echo git version 2.39.5;; *)\n'
            "echo \"fatal: detected dubious ownership in repository at '/x'\" >&2; exit 128;; esac",
        )
        with pytest.raises(Broken) as caught:
            common_dir("/x y")
        assert caught.value.code == "git-ownership"
        assert caught.value.run == "git config --global --add safe.directory '/x y'"

    def test_where_things_are(self, repo: str, world: World) -> None:
        os.makedirs(f"{repo}/src/deep")
        os.symlink(repo, world.root / "link")
        for path in (repo, f"{repo}/src/deep", str(world.root / "link")):
            assert toplevel(path) == repo
            assert common_dir(path) == f"{repo}/.git"
        assert is_root(repo)
        assert is_root(str(world.root / "link"))
        assert not is_root(f"{repo}/src/deep")
        assert not is_root(f"{repo}/none")

    def test_danger_37_a_directory_that_lost_its_git_file(self, repo: str, world: World) -> None:
        """reliability 3/37: git answers with the repository around it; the comparison sees it."""
        world.git("worktree", "add", "-q", "inside", "-b", "x")
        assert is_root(f"{repo}/inside")
        os.unlink(f"{repo}/inside/.git")
        assert toplevel(f"{repo}/inside") == repo
        assert not is_root(f"{repo}/inside")

    def test_a_linked_worktree_has_the_same_common_directory(self, repo: str, world: World) -> None:
        world.git("worktree", "add", "-q", str(world.root / "wt"), "-b", "x")
        assert common_dir(str(world.root / "wt")) == f"{repo}/.git"
        assert toplevel(str(world.root / "wt")) == os.path.realpath(world.root / "wt")

    def test_whereabouts(self, repo: str, world: World) -> None:
        assert whereabouts(repo) == (repo, f"{repo}/.git", "refs/heads/main")
        world.git("checkout", "-q", "--detach")
        assert whereabouts(repo) == (repo, f"{repo}/.git", None)
        world.git("checkout", "-q", "--orphan", "fresh")
        assert whereabouts(repo) == (repo, f"{repo}/.git", "refs/heads/fresh")
        assert whereabouts(str(world.root)) is None
        odd = os.path.realpath(world.make_repo(world.root / "new\nline"))
        assert whereabouts(odd) == (odd, f"{odd}/.git", "refs/heads/main")

    def test_outside_and_bare(self, world: World) -> None:
        assert common_dir(str(world.root)) is None
        assert toplevel(str(world.root)) is None
        world.git("init", "-q", "--bare", "bare.git", cwd=world.root)
        assert toplevel(str(world.root / "bare.git")) is None
        assert common_dir(str(world.root / "bare.git")) is not None

    def test_a_broken_repository_is_no_directory_without_one(self, repo: str) -> None:
        with open(f"{repo}/.git/config", "a") as file:
            file.write("[broken\n")
        with pytest.raises(Broken, match="bad config"):
            common_dir(repo)

    def test_refs(self, repo: str, world: World) -> None:
        git = Git(repo)
        head = world.git("rev-parse", "HEAD")
        assert oid(git, "refs/heads/main") == head
        assert oid(git, "refs/heads/none") is None
        assert oid(git, "--help") is None
        assert current_branch(git) == "refs/heads/main"
        world.git("tag", "main", "HEAD")
        assert current_branch(git) == "refs/heads/main"
        world.git("checkout", "-q", "--detach")
        assert current_branch(git) is None
        world.git("checkout", "-q", "--orphan", "fresh")
        assert current_branch(git) == "refs/heads/fresh"

    def test_the_remotes_default_branch(self, repo: str, world: World) -> None:
        world.git("clone", "-q", repo, "copy", cwd=world.root)
        git = Git(str(world.root / "copy"))
        assert default_branch(git, "origin") == "refs/remotes/origin/main"
        assert default_branch(git, "none") is None
        assert default_branch(git, "bad..name") is None
        assert default_branch(Git(repo), "origin") is None
        git.run("update-ref", "-d", "refs/remotes/origin/main")
        assert default_branch(git, "origin") is None

    @pytest.mark.parametrize(
        ("ref", "good"),
        [
            ("refs/heads/plastic/1--a", True),
            ("refs/heads/plastic/a..b", False),
            ("refs/heads/x.lock", False),
            ("refs/heads/a b", False),
            ("refs/heads/a~1", False),
            ("refs/heads/a/", False),
        ],
    )
    def test_case_9_6_108_names(self, repo: str, ref: str, good: bool) -> None:
        assert valid_ref(Git(repo), ref) is good

    def test_an_identity_where_the_user_has_none(
        self, repo: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert identity(Git(repo)) == ()
        with open(f"{repo}/.git/config", "a") as file:
            file.write("[user]\n\tuseConfigOnly = true\n")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        given = identity(Git(repo))
        Git(repo).run(*given, "commit", "--allow-empty", "-q", "-m", "x")
        assert Git(repo).read("log", "-1", "--format=%an <%ae>") == "plastic <plastic@localhost>"
