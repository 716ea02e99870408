"""A buried worktree: moved whole, forgotten by git, finished after a kill, deleted when old."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from plastic.disk.clock import iso, now
from plastic.disk.mounts import below_in
from plastic.words import Broken
from plastic.work.tree.trash import bury, empty, entries
from tests.work.yard import Yard, text

if TYPE_CHECKING:
    from tests.world import Done, World

POINTS = ("trash.recorded", "trash.moved", "trash.detached", "trash.unregistered")


@pytest.fixture
def yard(world: World) -> Yard:
    world.make_repo()
    made = Yard(world)
    made.tree()
    return made


def common(yard: Yard) -> str:
    return f"{yard.root}/.git"


def child(yard: Yard, point: str | None = None) -> Done:
    """The same burial in a process that a failpoint may kill."""
    code = "import sys; from plastic.work.tree.trash import bury; print(bury(*sys.argv[1:4], 1))"
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{point}:kill"} if point else {}
    return yard.world.run(sys.executable, "-c", code, common(yard), yard.path(), "1", env=env)


def fill(yard: Yard) -> None:
    """Edits, an untracked and an ignored file, and a link out of the worktree."""
    for name in ("app.py", "new.txt", ".env"):
        with open(f"{yard.path()}/{name}", "w") as file:
            file.write(f"{name} of the worktree\n")
    os.symlink(yard.root, f"{yard.path()}/way-out")


class TestBury:
    def test_everything_goes_along_and_git_forgets_it(self, yard: Yard) -> None:
        fill(yard)
        place = bury(common(yard), yard.path(), "1", 1)
        assert place == f"{common(yard)}/plastic/trash/1.1"
        assert sorted(os.listdir(place)) == [".env", ".gitignore", "app.py", "new.txt", "way-out"]
        assert text(f"{place}/.env") == ".env of the worktree\n"
        assert yard.worktrees() == [yard.root]
        assert not os.path.exists(yard.path())
        assert "plastic/1--add-tax" in yard.branches()

    def test_the_record_says_what_it_was(self, yard: Yard) -> None:
        head = yard.world.git("rev-parse", "HEAD")
        bury(common(yard), yard.path(), "1", 1)
        (entry,) = entries(common(yard))
        assert (entry.path, entry.intent, entry.token) == (yard.path(), "1", 1)
        assert (entry.branch, entry.head) == ("refs/heads/plastic/1--add-tax", head)
        assert entry.buried_at is not None

    def test_again_answers_the_same(self, yard: Yard) -> None:
        first = bury(common(yard), yard.path(), "1", 1)
        assert bury(common(yard), yard.path(), "1", 1) == first
        assert len(entries(common(yard))) == 1

    def test_a_second_worktree_of_the_same_token_gets_a_name_of_its_own(self, yard: Yard) -> None:
        first = bury(common(yard), yard.path(), "1", 1)
        yard.tree()
        second = bury(common(yard), yard.path(), "1", 1)
        assert first is not None
        assert second == f"{first}.2"

    def test_a_directory_that_was_deleted_by_hand(self, yard: Yard) -> None:
        """case 9.6/117"""
        yard.world.run("rm", "-rf", yard.path())
        assert bury(common(yard), yard.path(), "1", 1) is None
        assert yard.worktrees() == [yard.root]

    def test_a_directory_that_git_does_not_know(self, yard: Yard) -> None:
        os.makedirs(yard.path("2"))
        place = bury(common(yard), yard.path("2"), "2", 0)
        assert place == f"{common(yard)}/plastic/trash/2.0"

    def test_other_missing_worktrees_stay_registered(self, yard: Yard) -> None:
        yard.world.git("worktree", "add", "-q", f"{yard.root}/../usb", "-b", "usb")
        os.rename(f"{yard.root}/../usb", f"{yard.root}/../unplugged")
        bury(common(yard), yard.path(), "1", 1)
        assert len(yard.worktrees()) == 2

    def test_ours_that_was_unlocked(self, yard: Yard) -> None:
        yard.world.git("worktree", "unlock", yard.path())
        assert bury(common(yard), yard.path(), "1", 1) is not None
        assert yard.worktrees() == [yard.root]

    def test_submodules_keep_their_repositories(self, yard: Yard) -> None:
        """case 9.6/122"""
        other = yard.world.make_repo(yard.world.root / "lib")
        yard.world.git("submodule", "add", "-q", str(other), "lib", cwd=yard.path())
        bury(common(yard), yard.path(), "1", 1)
        assert os.path.isdir(f"{common(yard)}/plastic/trash/1.1.modules/lib/objects")


class TestRefused:
    def refused(self, yard: Yard, path: str, code: str, id: str = "1") -> None:
        before = yard.snapshot()
        with pytest.raises(Broken) as caught:
            bury(common(yard), path, id, 1)
        assert caught.value.code == code
        assert caught.value.run
        assert yard.snapshot() == before
        assert entries(common(yard)) == []

    def test_locked_by_somebody_else(self, yard: Yard) -> None:
        """case 9.6/118"""
        yard.world.git("worktree", "unlock", yard.path())
        yard.world.git("worktree", "lock", "--reason", "on a stick", yard.path())
        self.refused(yard, yard.path(), "worktree-foreign")

    def test_of_another_intent(self, yard: Yard) -> None:
        self.refused(yard, yard.path(), "worktree-foreign", "2")

    def test_the_main_checkout(self, yard: Yard) -> None:
        self.refused(yard, yard.root, "worktree-foreign")

    def test_a_repository_of_its_own(self, yard: Yard) -> None:
        yard.world.make_repo(yard.world.root / "shop/.claude/worktrees/2--other")
        self.refused(yard, yard.path("2", "other"), "trash-foreign", "2")

    def test_another_file_system(self, yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
        def elsewhere(source: str, goal: str) -> None:
            raise OSError(18, "Invalid cross-device link")

        monkeypatch.setattr("plastic.disk.trash.move", elsewhere)
        self.refused(yard, yard.path(), "trash-elsewhere")
        assert os.listdir(f"{common(yard)}/plastic/trash") == []

    def test_a_trash_that_is_a_link(self, yard: Yard) -> None:
        os.makedirs(f"{common(yard)}/plastic")
        os.symlink(str(yard.world.root), f"{common(yard)}/plastic/trash")
        with pytest.raises(Broken) as caught:
            bury(common(yard), yard.path(), "1", 1)
        assert caught.value.code == "trash-unusable"
        assert os.path.isdir(yard.path())


class TestKilled:
    @pytest.mark.parametrize("point", POINTS)
    def test_the_next_call_finishes_it(self, yard: Yard, point: str) -> None:
        fill(yard)
        assert child(yard, point).rc == -9
        done = child(yard)
        assert done.rc == 0, done.err
        place = f"{common(yard)}/plastic/trash/1.1"
        assert done.out.strip() == place
        assert sorted(os.listdir(place)) == [".env", ".gitignore", "app.py", "new.txt", "way-out"]
        assert sorted(os.listdir(f"{common(yard)}/plastic/trash")) == ["1.1", "1.1.json"]
        assert yard.worktrees() == [yard.root]

    @pytest.mark.parametrize("point", POINTS)
    def test_a_new_start_after_it_is_whole(self, yard: Yard, point: str) -> None:
        assert child(yard, point).rc == -9
        tree = yard.tree(token=2)
        assert text(f"{tree['path']}/app.py") == "TAX = 0.2\n"
        assert bury(common(yard), yard.path(), "1", 2) == f"{common(yard)}/plastic/trash/1.2"


class TestEmpty:
    def buried(self, yard: Yard, days: float | None) -> str:
        fill(yard)
        place = bury(common(yard), yard.path(), "1", 1)
        assert place is not None
        with open(f"{place}.json") as file:
            said = json.load(file)
        said["buried_at"] = None if days is None else iso(now() - days * 86400)
        with open(f"{place}.json", "w") as file:
            json.dump(said, file)
        return place

    @pytest.mark.parametrize(("days", "stays"), [(13.9, True), (14.1, False), (-3.0, True)])
    def test_by_the_time_of_the_burial(self, yard: Yard, days: float, stays: bool) -> None:
        place = self.buried(yard, days)
        os.utime(place, (0, 0))
        assert [one.place for one in empty(common(yard), 14)] == ([] if stays else [place])
        assert os.path.exists(place) is stays
        assert os.path.exists(f"{place}.json") is stays

    def test_links_are_not_followed(self, yard: Yard) -> None:
        self.buried(yard, 15)
        empty(common(yard), 14)
        assert text(f"{yard.root}/app.py") == "TAX = 0.2\n"

    def test_without_a_time_the_clock_starts_now(self, yard: Yard) -> None:
        place = self.buried(yard, None)
        assert empty(common(yard), 0.0001) == []
        assert entries(common(yard))[0].buried_at is not None
        os.remove(f"{place}.json")
        assert empty(common(yard), 0.0001) == []
        assert entries(common(yard))[0].token == 1

    @pytest.mark.usefixtures("permissions")
    def test_read_only_caches_go_too(self, yard: Yard) -> None:
        os.makedirs(f"{yard.path()}/cache/deep")
        with open(f"{yard.path()}/cache/deep/file", "w") as file:
            file.write("x")
        os.chmod(f"{yard.path()}/cache/deep", 0o555)
        os.chmod(f"{yard.path()}/cache", 0o555)
        place = self.buried(yard, 15)
        assert len(empty(common(yard), 14)) == 1
        assert not os.path.exists(place)

    def test_not_while_git_still_lists_it(self, yard: Yard) -> None:
        assert child(yard, "trash.moved").rc == -9
        path = f"{common(yard)}/plastic/trash/1.1.json"
        with open(path) as file:
            said = json.load(file)
        with open(path, "w") as file:
            json.dump({**said, "buried_at": iso(0)}, file)
        assert empty(common(yard), 14) == []
        child(yard)
        assert len(empty(common(yard), 14)) == 1

    def test_what_is_mounted_inside_is_not_deleted(
        self, yard: Yard, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A rename takes a mount along, and a delete would cross it."""
        place = self.buried(yard, 15)
        table = f"36 35 98:0 / {place}/my\\040data rw - ext4 /dev/sda1 rw\n"
        monkeypatch.setattr("plastic.disk.trash.mounted_below", lambda path: below_in(table, path))
        said: list[str] = []
        assert empty(common(yard), 14, said.append) == []
        assert os.path.exists(place)
        assert f"mounted at {place}/my data" in said[0]
        monkeypatch.undo()
        assert len(empty(common(yard), 14)) == 1
