"""Scoped commits: exactly the named paths, whatever other people have staged (design 4)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from plastic.disk.commit import scoped_commit
from plastic.disk.home import Home
from plastic.words import Broken

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

STORE = "projects/shop/store/1--x"


@pytest.fixture
def bare(world: World) -> World:
    """A home made by hand: an unborn git repository with one intent's documents."""
    root = world.root / "home"
    (root / STORE / "actions").mkdir(parents=True)
    world.git("init", "-q", "-b", "main", cwd=root)
    (root / ".gitignore").write_text("delivery.lock\n.delivery.*\n.claims/\n.home.guard\n")
    (root / STORE / "spec.md").write_text("spec\n")
    (root / STORE / "delivery.lock").write_text("{}\n")
    (root / "projects/shop/INDEX.md").write_text("## Active\r\n")
    return world


def home_git(world: World, *argv: str) -> str:
    return world.git(*argv, cwd=world.home.root)


def commit(world: World, *paths: str, message: str = "Change") -> str | None:
    root = world.home.root
    return scoped_commit(world.home, [f"{root}/{path}" for path in paths], message)


def files_of(world: World, rev: str = "HEAD") -> list[str]:
    return home_git(world, "ls-tree", "-r", "--name-only", rev).split("\n")


def test_the_first_commit_of_an_unborn_head(bare: World) -> None:
    made = commit(bare, STORE, "projects/shop/INDEX.md", message="First")
    assert made == home_git(bare, "rev-parse", "HEAD")
    assert files_of(bare) == ["projects/shop/INDEX.md", f"{STORE}/spec.md"]
    assert home_git(bare, "log", "--format=%s") == "First"
    assert home_git(bare, "status", "--short") == "?? .gitignore"
    assert not os.path.exists(f"{bare.home.root}/.git/plastic.index")


def test_nothing_to_commit_is_none(bare: World) -> None:
    assert commit(bare, "projects/nothing-here") is None
    assert commit(bare, STORE) is not None
    before = home_git(bare, "rev-parse", "HEAD")
    assert commit(bare, STORE) is None
    assert home_git(bare, "rev-parse", "HEAD") == before


def test_other_peoples_staged_and_dirty_files_stay_as_they_are(bare: World) -> None:
    root = bare.root / "home"
    (root / "staged.md").write_text("old\n")
    (root / "dirty.md").write_text("old\n")
    (root / "gone.md").write_text("old\n")
    home_git(bare, "add", "staged.md", "dirty.md", "gone.md", ".gitignore")
    home_git(bare, "commit", "-q", "-m", "theirs")
    (root / "staged.md").write_text("staged\n")
    home_git(bare, "add", "staged.md")
    (root / "staged.md").write_text("staged, then changed\n")
    (root / "dirty.md").write_text("dirty\n")
    (root / "new.md").write_text("untracked\n")
    home_git(bare, "rm", "-q", "--cached", "gone.md")
    before = home_git(bare, "status", "--porcelain", "--", "*.md", f":!{STORE}")
    assert commit(bare, STORE) is not None
    assert home_git(bare, "show", "HEAD:staged.md") == "old"
    assert home_git(bare, "show", ":staged.md") == "staged"
    after = home_git(bare, "status", "--porcelain", "--", "*.md", f":!{STORE}")
    assert after == before
    assert home_git(bare, "diff", "--name-only", "HEAD~1", "HEAD") == f"{STORE}/spec.md"
    assert home_git(bare, "status", "--porcelain", STORE) == ""


def test_removed_and_renamed_documents_are_committed(bare: World) -> None:
    commit(bare, STORE)
    root = bare.root / "home" / STORE
    (root / "spec.md").rename(root / "räum auf.md")
    assert commit(bare, STORE) is not None
    assert home_git(bare, "-c", "core.quotePath=false", "ls-files", STORE) == f"{STORE}/räum auf.md"
    assert home_git(bare, "status", "--porcelain", STORE) == ""


def test_what_is_ignored_is_never_committed(bare: World) -> None:
    root = bare.root / "home"
    for name in (".delivery.birth", ".end.json", "delivery.token", "delivery.write.lock"):
        (root / STORE / name).write_text("x")
    (root / STORE / ".claims").mkdir()
    (root / STORE / ".claims" / "spec.md.claim").write_text("x")
    (root / ".gitignore").write_text("")  # somebody emptied it
    assert commit(bare, STORE, f"{STORE}/delivery.lock") is not None
    assert files_of(bare) == [f"{STORE}/spec.md"]
    # Tracked by mistake: its old state stays, its new one is not taken.
    home_git(bare, "add", "-f", f"{STORE}/delivery.lock")
    home_git(bare, "commit", "-q", "-m", "mistake")
    (root / STORE / "delivery.lock").write_text("changed")
    assert commit(bare, STORE) is None


def test_a_persons_global_ignore_file_hides_no_document(bare: World) -> None:
    ignore = bare.root / "ignore"
    ignore.write_text("*.md\n")
    home_git(bare, "config", "core.excludesFile", str(ignore))
    assert commit(bare, STORE) is not None
    assert files_of(bare) == [f"{STORE}/spec.md"]


def test_bytes_are_kept_and_hooks_and_signing_are_off(bare: World) -> None:
    home_git(bare, "config", "core.autocrlf", "true")
    home_git(bare, "config", "commit.gpgsign", "true")
    hooks = bare.root / "home/.git/hooks"
    for name in ("pre-commit", "reference-transaction", "post-commit"):
        (hooks / name).write_text("#!/bin/sh\ntouch ../ran; exit 1\n")
        (hooks / name).chmod(0o755)
    assert commit(bare, "projects/shop/INDEX.md") is not None
    done = subprocess.run(
        ["git", "cat-file", "blob", "HEAD:projects/shop/INDEX.md"],
        cwd=bare.home.root,
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"## Active\r\n"
    assert not (bare.root / "ran").exists()


def test_the_home_reached_by_a_link(bare: World) -> None:
    link = bare.root / "link"
    link.symlink_to(bare.home.root)
    made = scoped_commit(bare.home, [f"{link}/{STORE}"], "By link")
    assert made is not None
    assert files_of(bare) == [f"{STORE}/spec.md"]


@pytest.mark.parametrize("path", ["/etc", "{root}", "{root}/../elsewhere"])
def test_paths_outside_are_refused(bare: World, path: str) -> None:
    with pytest.raises(Broken):
        scoped_commit(bare.home, [path.format(root=bare.home.root)], "No")


def test_a_home_inside_another_repository_is_not_committed_there(world: World) -> None:
    outer = world.make_repo()
    inner = outer / "home"
    (inner / "store").mkdir(parents=True)
    assert world.git("status", "--short") == ""
    with pytest.raises(Broken) as refused:
        scoped_commit(Home(os.path.realpath(inner)), [str(inner / "store")], "No")
    assert refused.value.run == f"git init -q -b main {os.path.realpath(inner)}"
    assert world.git("status", "--short") == ""
    assert os.listdir(inner) == ["store"]


def test_detached_head_and_no_identity(bare: World, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(bare, STORE)
    home_git(bare, "checkout", "-q", "--detach")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    home_git(bare, "config", "user.useConfigOnly", "true")
    (bare.root / "home" / STORE / "plan.md").write_text("plan\n")
    made = commit(bare, STORE)
    assert made is not None
    assert home_git(bare, "rev-parse", "HEAD") == made
    assert home_git(bare, "log", "-1", "--format=%an <%ae>") == "plastic <plastic@localhost>"
    assert home_git(bare, "rev-parse", "main") != made


def test_a_nested_repository_is_left_out(bare: World) -> None:
    clone = bare.root / "home" / STORE / "resources" / "clone"
    bare.make_repo(clone)
    assert commit(bare, STORE) is not None
    assert files_of(bare) == [f"{STORE}/spec.md"]


def test_an_index_lock_of_somebody_delays_only_the_refresh(bare: World) -> None:
    commit(bare, STORE)
    lock = bare.root / "home/.git/index.lock"
    lock.write_text("")
    (bare.root / "home" / STORE / "spec.md").write_text("changed\n")
    timer = threading.Timer(0.3, lock.unlink)
    timer.start()
    assert commit(bare, STORE) is not None
    timer.join()
    assert home_git(bare, "status", "--porcelain", STORE) == ""


def test_an_index_lock_that_stays_is_healed_by_the_next_commit(bare: World) -> None:
    commit(bare, STORE)
    lock = bare.root / "home/.git/index.lock"
    lock.write_text("")
    spec = bare.root / "home" / STORE / "spec.md"
    spec.write_text("changed\n")
    assert commit(bare, STORE) is not None, "the commit itself does not need the real index"
    lock.unlink()
    assert home_git(bare, "status", "--porcelain", STORE) != ""
    assert commit(bare, STORE) is None
    assert home_git(bare, "status", "--porcelain", STORE) == ""


CODE = """
import sys
from plastic.disk.home import Home
from plastic.disk.commit import scoped_commit
root, name = sys.argv[1:]
for number in range(4):
    path = f"{root}/store/{name}--x"
    with open(f"{path}/{number}.md", "w") as file:
        file.write(name)
    assert scoped_commit(Home(root), [path], f"{name} {number}")
"""


def test_racing_commits_of_four_processes_and_a_person_lose_nothing(bare: World) -> None:
    root = bare.home.root
    names = [str(number) for number in range(1, 5)]
    for name in names:
        os.makedirs(f"{root}/store/{name}--x")
    running = [subprocess.Popen([sys.executable, "-c", CODE, root, name]) for name in names]
    for number in range(10):  # a person commits meanwhile, with the real index
        bare.run("git", "commit", "-q", "--allow-empty", "-m", f"person {number}", cwd=root)
    assert [one.wait() for one in running] == [0] * 4
    subjects = home_git(bare, "log", "--format=%s").split("\n")
    for name in names:
        for number in range(4):
            assert f"{name} {number}" in subjects
            assert f"store/{name}--x/{number}.md" in files_of(bare)
    assert home_git(bare, "status", "--porcelain", "store") == ""
    home_git(bare, "fsck", "--strict")


def test_a_document_that_cannot_be_read_is_one_clear_line(
    bare: World, permissions: None, tmp_path: Path
) -> None:
    spec = bare.root / "home" / STORE / "spec.md"
    spec.chmod(0)
    with pytest.raises(Broken) as refused:
        commit(bare, STORE)
    assert "spec.md" in refused.value.reason
    assert "\n" not in refused.value.reason


def test_a_home_of_another_user_is_not_taken_for_none(
    bare: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`git init` would help nothing there."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(Broken) as caught:
        commit(bare, STORE)
    assert caught.value.code == "git-ownership"
    assert "safe.directory" in (caught.value.run or "")
