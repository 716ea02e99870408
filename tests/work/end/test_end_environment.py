"""An End in an odd place: a home that cannot take its record, a worktree behind a link."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest

from plastic.disk.git import Git
from plastic.words import Broken
from tests.work.ends import Ready, everything
from tests.world import World


@pytest.fixture
def one(shop: World) -> Ready:
    made = Ready(shop).documents()
    made.commit()
    return made


@pytest.mark.parametrize("what", ["repository", "savepoint.md", ".end.json"])
def test_a_home_that_cannot_take_the_record_refuses_before_the_merge(one: Ready, what: str) -> None:
    place = one.dir / what
    if what == "repository":
        shutil.move(Path(one.world.home.root) / ".git", one.world.repo.parent / "aside")
    else:
        place.unlink(missing_ok=True)
        place.mkdir()
    before = everything(one.dir, one.world.repo)
    done = one.end()
    assert done.rc == 5
    assert everything(one.dir, one.world.repo) == before
    assert done.json["error"]["run"].startswith("git init" if what == "repository" else "ls -ld")


def test_a_worktree_behind_a_link_is_ended(one: Ready, tmp_path: Path) -> None:
    """Moved to another disk, with a link at its old place: git lists the link."""
    away = tmp_path / "another disk"
    shutil.move(one.tree, away)
    one.tree.symlink_to(away)
    done = one.end()
    assert done.rc == 0, done.out
    one.ended()
    assert not os.path.lexists(one.tree)
    assert one.world.git("worktree", "list", "--porcelain").count("worktree ") == 1
    assert (Path(done.json["trash"]) / "tax.py").read_text() == "TAX = 1\n"


def test_a_repository_in_the_worktree_is_not_to_be_added(one: Ready) -> None:
    """`git add` of it would put a link into the work, and none of its files."""
    one.world.make_repo(one.tree / "vendor")
    assert one.blocked() == ["nested"]
    assert one.blocked("--discard-worktree-changes") == ["nested"]
    (one.tree / "loose.py").write_text("x = 1\n")
    assert one.blocked() == ["untracked", "nested"]


def test_a_hook_that_refuses_without_a_word(one: Ready) -> None:
    hook = one.world.repo / ".git/hooks/commit-msg"
    hook.write_text("#!/bin/sh\nexit 3\n")
    hook.chmod(0o755)
    reason = one.end().json["error"]["reason"]
    assert reason.endswith("refuses the merge message: it ended with 3")


def test_a_command_that_was_fed_is_not_printed_for_pasting(one: Ready) -> None:
    """Pasted, `git update-ref --stdin` waits for ever for what we gave it."""
    with pytest.raises(Broken) as caught:
        Git(str(one.world.repo)).run("update-ref", "--stdin", stdin="nonsense\n")
    assert "--stdin" in caught.value.reason
    assert "--stdin" not in shlex.split(caught.value.run or "")


@pytest.mark.parametrize(
    ("name", "blocked"),
    [("loose.py", ["untracked"]), ("tax.py", ["dirty"]), (".env", []), ("shut/x", ["unreadable"])],
)
def test_what_nobody_may_read(one: Ready, permissions: None, name: str, blocked: list[str]) -> None:
    """A file without rights counts as any other; what lies in a folder without, nobody has seen."""
    path = one.tree / name
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        path.write_text("line\n")
    shut = one.tree / name.partition("/")[0]
    shut.chmod(0)
    assert one.blocked() == blocked
    done = one.end(*(["--discard-worktree-changes"] if blocked else []))
    assert done.rc == (5 if blocked == ["unreadable"] else 0), done.out
    place = one.tree if done.rc else Path(done.json["trash"])
    (place / shut.name).chmod(0o700)
    assert (place / name).read_text() in ("line\n", "TAX = 1\n")
