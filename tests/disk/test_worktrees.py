"""Git's registrations and our note beside each: read exactly, removed one by one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from plastic.disk.checkout import drop_empty, has_leftovers, is_pristine
from plastic.disk.git import Git
from plastic.disk.worktrees import (
    Entry,
    Note,
    add,
    admin_dir,
    entry_at,
    exclude,
    has_index,
    listed,
    lock_reason,
    noted_for,
    owner_of,
    recall,
    remember,
    remove,
)
from plastic.words import Broken

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def root(world: World) -> str:
    return os.path.realpath(world.make_repo())


@pytest.fixture
def tree(root: str, world: World) -> str:
    """A registered worktree of intent 1, with nothing checked out."""
    world.git("branch", "plastic/1--a")
    path = f"{root}/.claude/worktrees/1--a"
    add(Git(root), path, "plastic/1--a", "plastic 1 3", registered=False)
    return path


def common(root: str) -> str:
    return f"{root}/.git"


def admin(root: str, path: str) -> str:
    found = admin_dir(common(root), path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("reason", "id"),
    [
        ("plastic 1 3", "1"),
        ("plastic 12ab 0", "12ab"),
        (None, None),
        ("", None),
        ("initializing", None),
        ("plastic 1", None),
        ("plastic 1 x", None),
        ("plastic 1 3 more", None),
        ("plastic  1 3", None),
        ("Plastic 1 3", None),
    ],
)
def test_whose_a_reason_is(reason: str | None, id: str | None) -> None:
    assert owner_of(reason) == id


def test_the_reason_is_read_back_as_written() -> None:
    assert owner_of(lock_reason("7", 12)) == "7"


class TestListed:
    def test_every_kind(self, root: str, world: World) -> None:
        head = world.git("rev-parse", "HEAD")
        top = os.path.dirname(root)
        world.git("worktree", "add", "-q", "-b", "x", "../on a\nbranch")
        world.git("worktree", "add", "-q", "--detach", "../detached")
        world.git("worktree", "add", "-q", "--lock", "--reason", "two\nlines", "-b", "y", "../lk")
        world.git("worktree", "add", "-q", "-b", "z", "../gone")
        world.run("rm", "-rf", f"{top}/gone")
        found = {entry.path.removeprefix(f"{top}/"): entry for entry in listed(Git(root))}
        assert listed(Git(root))[0].path == root
        assert found["shop"] == Entry(root, head, "refs/heads/main", None, None, False, False)
        assert found["on a\nbranch"].branch == "refs/heads/x"
        assert (found["detached"].detached, found["detached"].branch) == (True, None)
        assert found["lk"].locked == "two\nlines"
        assert found["gone"].prunable is not None

    def test_bare_and_unborn(self, world: World) -> None:
        world.git("init", "-q", "--bare", "-b", "main", "hub.git", cwd=world.root)
        entry = listed(Git(str(world.root / "hub.git")))[0]
        assert entry.bare
        assert entry.head is None

    def test_found_by_path_not_by_name(self, root: str, world: World) -> None:
        """reliability 3/55: git numbers directories of the same name."""
        for where in ("a", "b"):
            world.git("worktree", "add", "-q", "-b", where, f"../{where}/same")
        for where in ("a", "b"):
            path = f"{os.path.dirname(root)}/{where}/same"
            entry = entry_at(Git(root), path)
            assert entry is not None
            assert entry.branch == f"refs/heads/{where}"
            assert os.path.realpath(admin(root, path)) == Git(path).read(
                "rev-parse", "--absolute-git-dir"
            )


class TestAdd:
    def test_nothing_is_checked_out_yet(self, root: str, tree: str) -> None:
        assert os.listdir(tree) == [".git"]
        assert not has_index(admin(root, tree))
        assert not has_leftovers(tree)
        entry = entry_at(Git(root), tree)
        assert entry is not None
        assert (entry.branch, entry.locked) == ("refs/heads/plastic/1--a", "plastic 1 3")

    def test_danger_38_why_it_is_not_handed_out_yet(self, tree: str, world: World) -> None:
        """Non-vacuity: a commit in such a worktree commits an empty tree."""
        world.git("commit", "-q", "-a", "-m", "oops", cwd=tree)
        assert world.git("ls-tree", "HEAD", cwd=tree) == ""

    def test_a_missing_one_is_registered_anew(self, root: str, tree: str, world: World) -> None:
        world.run("rm", "-rf", tree)
        with pytest.raises(Broken):
            add(Git(root), tree, "plastic/1--a", "plastic 1 4", registered=False)
        add(Git(root), tree, "plastic/1--a", "plastic 1 4", registered=True)
        assert [entry.path for entry in listed(Git(root))] == [root, tree]


class TestRemove:
    def test_ours(self, root: str, tree: str) -> None:
        assert remove(Git(root), tree, "plastic 1 3")
        assert not os.path.exists(tree)
        assert not remove(Git(root), tree, "plastic 1 3")

    @pytest.mark.parametrize("reason", ["plastic 1 4", "plastic 2 3", "theirs", None])
    def test_whatever_has_another_reason_stays(
        self, root: str, tree: str, world: World, reason: str | None
    ) -> None:
        world.git("worktree", "unlock", tree)
        if reason is not None:
            world.git("worktree", "lock", "--reason", reason, tree)
        with pytest.raises(Broken) as caught:
            remove(Git(root), tree, "plastic 1 3")
        assert caught.value.code == "worktree-foreign"
        assert os.path.exists(f"{tree}/.git")

    def test_only_that_one(self, root: str, tree: str, world: World) -> None:
        other = f"{os.path.dirname(root)}/stick"
        world.git("worktree", "add", "-q", "-b", "x", other)
        os.rename(other, f"{other}.unmounted")
        remove(Git(root), tree, "plastic 1 3")
        assert entry_at(Git(root), other) is not None


class TestNote:
    NOTE = Note("1--a", "refs/heads/main", "0" * 40, prepared=True, adopted=False)

    def test_written_and_read(self, root: str, tree: str) -> None:
        remember(admin(root, tree), self.NOTE)
        assert recall(admin(root, tree)) == self.NOTE
        assert noted_for(common(root), "1--a") == tree
        assert noted_for(common(root), "2--a") is None

    @pytest.mark.parametrize(
        "text",
        ["", "{", "[]", "null", "{}", '{"intent": 1, "base": "x", "base_commit": "y"}', "\udcff"],
    )
    def test_what_is_no_note(self, root: str, tree: str, text: str) -> None:
        path = f"{admin(root, tree)}/plastic.json"
        with open(path, "w", errors="surrogateescape") as file:
            file.write(text)
        assert recall(admin(root, tree)) is None
        assert noted_for(common(root), "1--a") is None

    def test_none_at_all(self, root: str, tree: str) -> None:
        assert recall(None) is None
        assert recall(admin(root, tree)) is None

    def test_a_note_through_a_link_is_none(self, root: str, tree: str) -> None:
        os.symlink("/etc/hostname", f"{admin(root, tree)}/plastic.json")
        assert recall(admin(root, tree)) is None

    def test_half_removed_registrations_are_passed_over(self, root: str, tree: str) -> None:
        os.makedirs(f"{common(root)}/worktrees/0")
        assert admin_dir(common(root), tree) is not None


class TestExclude:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("", "/.claude/worktrees/\n"),
            ("*.o\n", "*.o\n/.claude/worktrees/\n"),
            ("*.o", "*.o\n/.claude/worktrees/\n"),
            ("/.claude/worktrees/\n*.o\n", "/.claude/worktrees/\n*.o\n"),
            ("  /.claude/worktrees/ \r\n", "  /.claude/worktrees/ \r\n"),
            ("#/.claude/worktrees/\n", "#/.claude/worktrees/\n/.claude/worktrees/\n"),
        ],
    )
    def test_case_9_6_109_once_and_not_glued(self, root: str, before: str, after: str) -> None:
        path = f"{common(root)}/info/exclude"
        with open(path, "w", newline="") as file:
            file.write(before)
        exclude(common(root))
        exclude(common(root))
        with open(path, newline="") as file:
            assert file.read() == after

    def test_a_file_that_is_a_link_is_kept_one(self, root: str, world: World) -> None:
        path = f"{common(root)}/info/exclude"
        (world.root / "shared").write_text("*.o\n")
        os.unlink(path)
        os.symlink(world.root / "shared", path)
        assert exclude(common(root))
        assert os.path.islink(path)
        assert (world.root / "shared").read_text() == "*.o\n/.claude/worktrees/\n"

    def test_bytes_that_are_no_text(self, root: str) -> None:
        path = f"{common(root)}/info/exclude"
        with open(path, "wb") as file:
            file.write(b"caf\xe9\n")
        exclude(common(root))
        with open(path, "rb") as file:
            assert file.read() == b"caf\xe9\n/.claude/worktrees/\n"


class TestHalfFilled:
    @pytest.mark.parametrize(
        ("files", "pristine"),
        [
            ({}, True),
            ({"app.py": "TAX = 0.2\n"}, True),
            ({"app.py": "TAX = 0."}, False),
            ({"other.py": "x"}, False),
            ({".env": "ignored, and still somebody's"}, False),
        ],
    )
    def test_what_a_checkout_may_write_over(
        self, root: str, tree: str, files: dict[str, str], pristine: bool
    ) -> None:
        for name, content in files.items():
            with open(f"{tree}/{name}", "w") as file:
                file.write(content)
        assert is_pristine(tree, admin(root, tree)) is pristine
        assert not has_index(admin(root, tree))
        assert sorted(os.listdir(tree)) == sorted([".git", *files])

    def test_only_empty_directories_are_dropped(self, root: str) -> None:
        os.makedirs(f"{root}/.claude/worktrees")
        drop_empty([f"{root}/.claude", f"{root}/.claude/worktrees"])
        assert not os.path.exists(f"{root}/.claude")
        os.makedirs(f"{root}/.claude/worktrees/x")
        drop_empty([f"{root}/.claude", f"{root}/.claude/worktrees"])
        assert os.path.exists(f"{root}/.claude/worktrees/x")
