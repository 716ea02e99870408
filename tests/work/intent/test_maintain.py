"""`plastic maintain`: on record, beside everybody's files, once, never while a lock is fresh."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from plastic.work.intent.index import section_of, set_section
from plastic.work.intent.intents import find
from tests.work.yard import text

if TYPE_CHECKING:
    from tests.world import Done, World

WHY = ("--why", "It did not belong there", "--rule", "stray-file")
POINTS = (
    "maintain.worktree",
    "maintain.staged",
    "maintain.committed",
    "maintain.written",
    "maintain.merged",
    "maintain.removed",
)


@pytest.fixture
def one(shop: World) -> dict[str, Any]:
    """An intent with a section and a file that do not belong to it, committed."""
    found: dict[str, Any] = shop.usual("one", lambda: shop.new("Add tax"))
    own = f"{found['dir']}/{found['id']}--add-tax.md"
    with open(own, "a") as file:
        file.write("\n## Notes\n\nold notes\n")
    with open(f"{found['dir']}/draft.txt", "w") as file:
        file.write("draft\n")
    return found


def home_git(shop: World, *words: str) -> str:
    return shop.git(*words, cwd=shop.home.root)


def maintain(shop: World, found: dict[str, Any], *words: str, **more: Any) -> Done:
    return shop.plastic("maintain", found["id"], *words, *WHY, "--json", **more)


def done(shop: World, found: dict[str, Any], *words: str) -> dict[str, Any]:
    seen = maintain(shop, found, *words)
    assert seen.rc == 0, seen.out
    made: dict[str, Any] = seen.json
    return made


def refused(seen: Done, rc: int, code: str) -> dict[str, Any]:
    error: dict[str, Any] = json.loads(seen.out)["error"]
    assert (seen.rc, error["code"]) == (rc, code), error
    assert error["run"]
    return error


def own(found: dict[str, Any]) -> str:
    return text(f"{found['dir']}/{found['id']}--add-tax.md")


def revisions(found: dict[str, Any]) -> str:
    return text(f"{found['dir']}/revisions.md")


def left_behind(shop: World, found: dict[str, Any]) -> None:
    """case 9.11/234: no lock, no branch, no worktree, nothing in the temporary folder."""
    assert "delivery.lock" not in os.listdir(found["dir"])
    assert os.path.getsize(f"{found['dir']}/delivery.write.lock") == 0
    assert home_git(shop, "branch", "--list", "maintain/*") == ""
    assert home_git(shop, "worktree", "list").count("\n") == 0
    folder = os.environ["PLASTIC_TMP"]
    assert [name for name in os.listdir(folder) if name.startswith("maintain")] == []


class TestChanges:
    def test_a_section_is_held_in_the_record(self, shop: World, one: dict[str, Any]) -> None:
        made = done(shop, one, "--move", "Notes")
        assert made["revision"] == "v1"
        assert "## Notes" not in own(one)
        assert "        old notes" in revisions(one)
        assert "[rule: stray-file]" in revisions(one)
        left_behind(shop, one)

    def test_a_stray_file_goes_to_resources(self, shop: World, one: dict[str, Any]) -> None:
        done(shop, one, "--move", "draft.txt")
        assert text(f"{one['dir']}/resources/draft.txt") == "draft\n"
        assert not os.path.exists(f"{one['dir']}/draft.txt")
        assert "`draft.txt` -> `resources/draft.txt`" in revisions(one)

    def test_a_file_that_is_too_large(
        self, shop: World, one: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One clear line, nothing changed, and a command that does the same by hand."""
        monkeypatch.setattr("plastic.disk.upkeep.LIMIT", 1 << 20)
        with open(f"{one['dir']}/big.bin", "wb") as file:
            file.truncate((1 << 20) + 1)
        head = home_git(shop, "rev-parse", "HEAD")
        seen = maintain(shop, one, "--move", "big.bin")
        error = refused(seen, 1, "too-large")
        assert "larger than 1 MB" in error["reason"]
        assert home_git(shop, "rev-parse", "HEAD") == head
        assert home_git(shop, "branch", "--list", "maintain/*") == ""
        assert shop.run("/bin/sh", "-c", error["run"]).rc == 0
        assert os.path.getsize(f"{one['dir']}/resources/big.bin") == (1 << 20) + 1

    def test_a_program_stays_one(self, shop: World, one: dict[str, Any]) -> None:
        with open(f"{one['dir']}/tool.sh", "w") as file:
            file.write("#!/bin/sh\n")
        os.chmod(f"{one['dir']}/tool.sh", 0o755)
        done(shop, one, "--move", "tool.sh")
        place = f"{one['dir']}/resources/tool.sh"
        assert os.access(place, os.X_OK)
        listed = shop.git("ls-files", "-s", "--", place, cwd=shop.home.root)
        assert listed.startswith("100755 ")
        assert shop.git("status", "--porcelain", "--", one["dir"], cwd=shop.home.root) == ""

    def test_the_entry_of_index(self, shop: World, one: dict[str, Any]) -> None:
        done(shop, one, "--move", "future")
        assert section_of(shop.home, find(shop.home, one["id"])) == "Future"

    def test_a_text(self, shop: World, one: dict[str, Any]) -> None:
        done(shop, one, "--replace", "old notes", "new notes")
        assert "new notes" in own(one)
        assert "`old notes` -> `new notes`" in revisions(one)

    def test_links(self, shop: World, one: dict[str, Any]) -> None:
        other = shop.new("Other")
        done(shop, one, "--replace", "sources: []", f"sources: ['{other['id']}']")
        done(shop, one, "--links")
        assert f"- Sources: [[{other['id']}]]" in own(one)
        assert "Revision v2" in revisions(one)

    def test_numbers_go_on_and_earlier_bytes_stay(self, shop: World, one: dict[str, Any]) -> None:
        """case 9.11/236"""
        for count in range(1, 4):
            done(shop, one, "--replace", "old notes", f"old notes {count}")
        before = revisions(one)
        assert done(shop, one, "--move", "Notes")["revision"] == "v4"
        assert revisions(one).startswith(before)


class TestHistory:
    def test_one_commit_with_its_entry_and_a_merge(self, shop: World, one: dict[str, Any]) -> None:
        made = done(shop, one, "--move", "Notes")
        parents = home_git(shop, "show", "-s", "--format=%P", made["commit"]).split()
        assert len(parents) == 2
        assert parents[0] == home_git(shop, "rev-parse", "HEAD~1")
        changed = home_git(shop, "show", "--format=", "--name-only", parents[1]).split("\n")
        assert sorted(name.rpartition("/")[2] for name in changed) == [
            f"{one['id']}--add-tax.md",
            "revisions.md",
        ]
        assert home_git(shop, "status", "--porcelain") == ""

    def test_without_an_identity_ours_stands_on_both(
        self, shop: World, one: dict[str, Any]
    ) -> None:
        """case 9.11/238"""
        empty = shop.root / "empty"
        empty.write_text("[user]\n\tuseConfigOnly = true\n")
        seen = maintain(shop, one, "--links", env={"GIT_CONFIG_GLOBAL": str(empty)})
        refused(seen, 1, "nothing-to-do")
        seen = maintain(shop, one, "--move", "Notes", env={"GIT_CONFIG_GLOBAL": str(empty)})
        assert seen.rc == 0, seen.out
        for commit in ("HEAD", "HEAD^2"):
            who = home_git(shop, "show", "-s", "--format=%an %ae|%cn %ce", commit)
            assert who == "plastic plastic@localhost|plastic plastic@localhost"

    def test_a_dirty_store_does_not_block_and_is_not_swept_up(
        self, shop: World, one: dict[str, Any]
    ) -> None:
        """case 9.11/237"""
        other = shop.new("Other")
        staged, dirty = f"{other['dir']}/spec.md", f"{other['dir']}/plan.md"
        for path in (staged, dirty):
            with open(path, "w") as file:
                file.write("half written\n")
        home_git(shop, "add", staged)
        before = home_git(shop, "status", "--porcelain", "--", other["dir"])
        branch = home_git(shop, "symbolic-ref", "HEAD")
        done(shop, one, "--move", "Notes")
        assert home_git(shop, "status", "--porcelain", "--", other["dir"]) == before
        assert home_git(shop, "symbolic-ref", "HEAD") == branch
        assert text(dirty) == "half written\n"

    def test_an_error_leaves_commit_branch_and_files(
        self, shop: World, one: dict[str, Any]
    ) -> None:
        """case 9.11/237"""
        done(shop, one, "--replace", "old notes", "old")
        head, status = home_git(shop, "rev-parse", "HEAD"), home_git(shop, "status", "--porcelain")
        blocked = shop.root / "blocked"
        blocked.write_text("no folder")
        seen = maintain(shop, one, "--move", "Notes", env={"PLASTIC_TMP": str(blocked)})
        refused(seen, 5, "tmp-unusable")
        assert home_git(shop, "rev-parse", "HEAD") == head
        assert home_git(shop, "status", "--porcelain") == status
        assert home_git(shop, "branch", "--list", "maintain/*") == ""


class TestLock:
    @pytest.mark.parametrize("session", ["O", "F"])
    def test_a_fresh_lock_defers(self, shop: World, one: dict[str, Any], session: str) -> None:
        """case 9.11/233: whoever asks; INDEX is not consulted"""
        shop.start(one["id"], "O")
        set_section(shop.home, find(shop.home, one["id"]), "Completed")
        before = own(one), home_git(shop, "rev-parse", "HEAD")
        seen = maintain(shop, one, "--move", "Notes", session=session)
        assert refused(seen, 3, "maintain-held")["who"] == "O"
        assert (own(one), home_git(shop, "rev-parse", "HEAD")) == before

    def test_a_stale_or_no_lock_does_not(self, shop: World, one: dict[str, Any]) -> None:
        """case 9.11/233"""
        shop.start(one["id"], "O")
        shop.age(f"{one['dir']}/delivery.lock", 4000)
        lock = text(f"{one['dir']}/delivery.lock")
        done(shop, one, "--move", "Notes")
        assert text(f"{one['dir']}/delivery.lock") == lock

    def test_an_unreadable_lock_is_held_by_unknown(self, shop: World, one: dict[str, Any]) -> None:
        with open(f"{one['dir']}/delivery.lock", "w") as file:
            file.write("{")
        refused(maintain(shop, one, "--move", "Notes"), 4, "corrupt")

    def test_taken_between_check_and_write(
        self, shop: World, one: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """case 9.11/239"""
        from plastic.work.intent import maintain as module
        from plastic.work.lock import verb as lock

        real, looks = lock.seen, []

        def after_the_first(intent: Any) -> Any:
            looks.append(intent)
            if len(looks) == 2:
                shop.lock("arm", one["id"], session="F", env={})
            return real(intent)

        monkeypatch.setattr(
            module, "intent_guard", lambda _: __import__("contextlib").nullcontext()
        )
        monkeypatch.setattr(module, "seen", after_the_first)
        refused(maintain(shop, one, "--move", "Notes"), 3, "maintain-held")
        assert "## Notes" in own(one)


class TestRefused:
    @pytest.mark.parametrize(
        ("words", "rc", "code"),
        [
            (("--move", "Intent"), 1, "sanctioned"),
            (("--move", "Nothing"), 6, "no-such-part"),
            (("--move", "spec.md"), 1, "not-stray"),
            (("--move", "savepoint.md"), 1, "not-stray"),
            (("--move", "Completed"), 1, "end-only"),
            (("--move", "Active"), 1, "nothing-to-do"),
            (("--replace", "no such text", "x"), 6, "no-match"),
            (("--replace", "id:", "di:"), 1, "create"),
            (("--replace", "What", "x", "--in", "savepoint.md"), 1, "not-yours"),
            (("--replace", "a", "b", "--in", "../../x"), 1, "not-yours"),
            (("--replace", "a", "b", "--in", "none.md"), 6, "no-file"),
            (("--links", "--move", "x"), 2, "maintain"),
            ((), 2, "maintain"),
        ],
    )
    def test_with_nothing_changed(
        self, shop: World, one: dict[str, Any], words: tuple[str, ...], rc: int, code: str
    ) -> None:
        head = home_git(shop, "rev-parse", "HEAD")
        refused(maintain(shop, one, *words), rc, code)
        assert home_git(shop, "rev-parse", "HEAD") == head
        assert not os.path.exists(f"{one['dir']}/revisions.md")

    def test_what_is_over_is_never_opened_again(self, shop: World, one: dict[str, Any]) -> None:
        """case 9.10/217"""
        set_section(shop.home, find(shop.home, one["id"]), "Completed")
        refused(maintain(shop, one, "--move", "Active"), 1, "end-only")

    def test_without_a_reason(self, shop: World, one: dict[str, Any]) -> None:
        seen = shop.plastic("maintain", one["id"], "--links", "--json")
        refused(seen, 2, "maintain")


class TestKilled:
    @pytest.mark.parametrize("point", [*POINTS, "maintain.written:2"])
    @pytest.mark.parametrize("what", ["Notes", "draft.txt", "Future"])
    def test_the_same_again_converges(
        self, shop: World, one: dict[str, Any], point: str, what: str
    ) -> None:
        env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point}
        assert maintain(shop, one, "--move", what, env=env).rc == -9
        assert done(shop, one, "--move", what)["revision"] == "v1"
        assert revisions(one).count("## Revision") == 1
        assert home_git(shop, "status", "--porcelain") == ""
        merges = home_git(shop, "log", "--merges", "--format=%H", "HEAD").split()
        assert len(merges) == 1
        left_behind(shop, one)

    def test_another_change_after_it_finishes_the_first(
        self, shop: World, one: dict[str, Any]
    ) -> None:
        env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "maintain.written"}
        assert maintain(shop, one, "--move", "Notes", env=env).rc == -9
        assert done(shop, one, "--move", "draft.txt")["revision"] == "v2"
        assert "## Notes" not in own(one)

    def test_a_session_that_boards_in_between_keeps_both_together(
        self, shop: World, one: dict[str, Any]
    ) -> None:
        env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "maintain.merged"}
        assert maintain(shop, one, "--move", "Notes", env=env).rc == -9
        shop.start(one["id"], "O")
        shop.lock("release", one["id"], session="O")
        assert done(shop, one, "--move", "Notes")["revision"] == "v1"
        assert home_git(
            shop, "show", f"HEAD:./{one['dir'][len(shop.home.root) + 1 :]}/revisions.md"
        )
