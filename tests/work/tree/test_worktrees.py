"""`plastic worktree`: everything explained, nothing removed without a proof (real git)."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.clock import iso
from plastic.rules.orphans import KINDS
from plastic.work.fence.ref import delete
from plastic.work.intent.index import set_section
from plastic.work.intent.intents import find
from tests.work.ends import B, Ready
from tests.work.yard import text

if TYPE_CHECKING:
    from plastic.disk.git import Git
    from plastic.disk.process import Out
    from tests.world import Done, World


def board(shop: World, title: str = "Add tax") -> dict[str, Any]:
    """An intent with a worktree, given back; the printed object."""
    found = shop.boarded(title, "O")
    shop.lock("release", found["id"], session="O")
    return found


def tree(found: dict[str, Any]) -> str:
    return str(found["worktree"]["path"])


def over(shop: World, found: dict[str, Any], section: str = "Completed") -> None:
    set_section(shop.home, find(shop.home, found["id"]), section)


def commit(shop: World, where: str, name: str = "tax.py") -> None:
    with open(f"{where}/{name}", "w") as file:
        file.write("TAX = 1\n")
    shop.git("add", name, cwd=where)
    shop.git("commit", "-q", "-m", name, cwd=where)


def rows(shop: World) -> list[dict[str, Any]]:
    done = shop.plastic("worktree", "list", "--json")
    assert done.rc == 0, done.err
    found: list[dict[str, Any]] = done.json["worktrees"]
    return found


def kinds(shop: World) -> list[str]:
    return [row["kind"] for row in rows(shop)]


def prune(shop: World, *words: str) -> dict[str, Any]:
    done = shop.plastic("worktree", "prune", "--json", *words)
    assert done.rc == 0, done.err
    found: dict[str, Any] = done.json
    return found


def refused(done: Done, rc: int, code: str) -> dict[str, Any]:
    error: dict[str, Any] = json.loads(done.out)["error"]
    assert (done.rc, error["code"]) == (rc, code)
    assert error["run"]
    return error


class TestList:
    def test_a_held_one(self, shop: World) -> None:
        found = shop.boarded("Add tax", "O")
        (row,) = rows(shop)
        assert (row["kind"], row["path"]) == ("held", tree(found))
        assert row["run"] == f"plastic-lock who {found['id']}"
        assert row["why"] == KINDS["held"]
        Path(tree(found), "loose.py").write_text("x = 1\n")
        assert "loose.py" in rows(shop)[0]["why"]
        shop.age(Path(found["dir"]) / "delivery.lock", 7200)
        assert "the lock is stale; " in rows(shop)[0]["why"]

    def test_every_kind_has_its_line(self, shop: World) -> None:
        open_ = board(shop)
        done = board(shop, "Second")
        over(shop, done)
        shop.git("worktree", "add", "-q", "-b", "mine", str(shop.root / "mine"))
        os.makedirs(f"{shop.repo}/.claude/worktrees/9--stray")
        shop.git("branch", "plastic/8--other-home")
        lost = board(shop, "Third")
        shop.run("rm", "-rf", tree(lost))
        branch = board(shop, "Fourth")
        shop.git("worktree", "remove", "-f", "-f", tree(branch))
        assert sorted(kinds(shop)) == [
            "branch",
            "directory",
            "done",
            "elsewhere",
            "foreign",
            "missing",
            "open",
        ]
        text_of = shop.plastic("worktree", "list").out
        assert text_of.count("run: ") == 7
        assert tree(open_) in text_of

    def test_moved_by_hand_and_the_command_that_mends_it(self, shop: World) -> None:
        found = board(shop)
        aside = f"{os.path.dirname(tree(found))}/elsewhere"
        os.rename(tree(found), aside)
        moved = next(row for row in rows(shop) if row["kind"] == "moved")
        assert moved["path"] == aside
        assert shop.run(*shlex.split(moved["run"])).rc == 0
        assert kinds(shop) == ["open"]

    def test_a_lost_dot_git_and_the_command_that_mends_it(self, shop: World) -> None:
        found = board(shop)
        os.remove(f"{tree(found)}/.git")
        (row,) = rows(shop)
        assert row["kind"] == "broken"
        shop.run(*shlex.split(row["run"]))
        assert kinds(shop) == ["open"]

    def test_adopted_and_half_made(self, shop: World) -> None:
        shop.git("worktree", "add", "-q", "-b", "mine", str(shop.root / "mine"))
        found = shop.start(shop.new("Add tax")["id"], "O", "--adopt", str(shop.root / "mine"))
        shop.lock("release", found["id"], session="O")
        other = board(shop, "Other")
        admin = shop.git("rev-parse", "--absolute-git-dir", cwd=tree(other))
        os.remove(f"{admin}/index")
        adopted, half = rows(shop)
        assert (adopted["kind"], adopted["adopted"]) == ("open", True)
        assert (half["kind"], half["run"]) == ("half-made", f"plastic start {other['id']}")

    def test_it_reads_only(self, shop: World) -> None:
        found = board(shop)
        over(shop, found)
        before = shop.git("for-each-ref"), shop.git("worktree", "list", "--porcelain")
        rows(shop)
        prune(shop, "--dry-run")
        assert before == (shop.git("for-each-ref"), shop.git("worktree", "list", "--porcelain"))
        assert os.path.isdir(tree(found))


class TestRemove:
    def remove(self, shop: World, what: str, session: str = "F") -> Done:
        return shop.plastic("worktree", "remove", what, "--json", session=session)

    def test_a_merged_one_goes_to_the_trash_and_its_branch_stays(self, shop: World) -> None:
        found = board(shop)
        commit(shop, tree(found))
        shop.git("merge", "-q", "--no-ff", "-m", "merge", found["worktree"]["branch"])
        with open(f"{tree(found)}/.env", "w") as file:
            file.write("SECRET")
        done = self.remove(shop, tree(found))
        assert done.rc == 0, done.out
        assert done.json["proof"]["how"] == "ancestor"
        assert text(f"{done.json['trash']}/.env") == "SECRET"
        assert found["worktree"]["branch"] in shop.git("branch", "--list", "plastic/*")
        assert kinds(shop) == ["branch", "trash"]

    def test_killed_in_the_middle_the_next_one_finishes(self, shop: World) -> None:
        found = board(shop)
        env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "trash.moved"}
        assert shop.plastic("worktree", "remove", found["id"], env=env).rc == -9
        assert kinds(shop) == ["missing", "trash"]
        done = self.remove(shop, found["id"])
        assert done.rc == 0, done.out
        assert sorted(os.listdir(done.json["trash"])) == [".gitignore", "app.py"]
        assert kinds(shop) == ["branch", "trash"]

    def test_from_inside_it_says_so(self, shop: World) -> None:
        """case 9.6/119"""
        found = board(shop)
        done = shop.plastic("worktree", "remove", found["id"], cwd=tree(found), env={})
        assert done.rc == 0, done.err
        assert "your shell stands in what is in the trash now" in done.err
        assert "stays" in done.out

    def test_by_its_intent(self, shop: World) -> None:
        found = board(shop)
        assert self.remove(shop, found["id"]).rc == 0
        refused(self.remove(shop, found["id"]), 6, "no-worktree")

    @pytest.mark.parametrize(
        ("session", "rc", "code"), [("O", 1, "worktree-held"), ("F", 3, "held")]
    )
    def test_held(self, shop: World, session: str, rc: int, code: str) -> None:
        found = shop.boarded("Add tax", "O")
        error = refused(self.remove(shop, found["id"], session), rc, code)
        assert error["who"] == "O"
        assert os.path.isdir(tree(found))

    def test_held_by_a_silent_session(self, shop: World) -> None:
        found = shop.boarded("Add tax", "O")
        shop.age(f"{found['dir']}/delivery.lock", 4000)
        assert "reclaim" in refused(self.remove(shop, found["id"]), 4, "stale")["run"]

    @pytest.mark.parametrize(
        ("what", "says"),
        [
            ("edit", "not committed"),
            ("new", "not tracked"),
            ("hidden", "hidden from git"),
            ("nested", "repositories lie inside"),
            ("ignored repository", "repositories lie inside"),
            ("merge", "a merge is under way"),
            ("detached", "detached HEAD"),
            ("commit", "not known to be merged"),
        ],
    )
    def test_nothing_that_is_only_there(self, shop: World, what: str, says: str) -> None:
        """case 9.6/114, reliability 3: 5-11"""
        found = board(shop)
        where = tree(found)
        _leave(shop, where, what)
        before = shop.git("status", "--porcelain", "--ignored", cwd=where)
        done = self.remove(shop, where)
        assert done.rc == 1
        assert says in done.json["error"]["reason"]
        assert shop.git("status", "--porcelain", "--ignored", cwd=where) == before

    def test_untracked_although_configured_away(self, shop: World) -> None:
        """reliability 3: 7"""
        found = board(shop)
        shop.git("config", "status.showUntrackedFiles", "no")
        _leave(shop, tree(found), "new")
        assert self.remove(shop, tree(found)).rc == 1

    def test_a_squash_in_the_base_is_a_proof(self, shop: World) -> None:
        """B21"""
        found = board(shop)
        commit(shop, tree(found))
        shop.git("merge", "-q", "--squash", found["worktree"]["branch"])
        shop.git("commit", "-q", "-m", "squashed")
        commit(shop, str(shop.repo), "other.py")
        done = self.remove(shop, tree(found))
        assert done.json["proof"]["how"] == "content"

    def test_of_another_tool(self, shop: World) -> None:
        shop.git("worktree", "add", "-q", "-b", "mine", str(shop.root / "mine"))
        refused(self.remove(shop, str(shop.root / "mine")), 1, "worktree-foreign")

    def test_a_directory_that_git_does_not_know(self, shop: World) -> None:
        stray = f"{shop.repo}/.claude/worktrees/9--stray"
        os.makedirs(stray)
        error = refused(self.remove(shop, stray), 1, "not-registered")
        assert shop.run("sh", "-c", error["run"]).rc == 0

    def test_nothing_of_that_name(self, shop: World) -> None:
        assert self.remove(shop, "77").rc == 6


def _leave(shop: World, where: str, what: str) -> None:
    """Something in a worktree that would be lost with it."""
    if what in ("edit", "hidden"):
        if what == "hidden":
            shop.git("update-index", "--assume-unchanged", "app.py", cwd=where)
        with open(f"{where}/app.py", "a") as file:
            file.write("TAX = 3\n")
    elif what == "new":
        with open(f"{where}/new.py", "w") as file:
            file.write("x")
    elif what in ("nested", "ignored repository"):
        inner = f"{where}/.env/inner" if what.startswith("ignored") else f"{where}/inner"
        os.makedirs(inner)
        shop.git("init", "-q", inner)
    elif what == "merge":
        head = shop.git("rev-parse", "HEAD")
        admin = shop.git("rev-parse", "--absolute-git-dir", cwd=where)
        with open(f"{admin}/MERGE_HEAD", "w") as file:
            file.write(head + "\n")
    elif what == "detached":
        shop.git("switch", "-q", "--detach", cwd=where)
        commit(shop, where)
    elif what == "commit":
        commit(shop, where)


class TestPrune:
    def test_only_what_is_over_and_proven(self, shop: World) -> None:
        done, open_ = board(shop), board(shop, "Open")
        unmerged = board(shop, "Unmerged")
        commit(shop, tree(unmerged))
        for one in (done, unmerged):
            over(shop, one)
        found = prune(shop)
        assert [one["path"] for one in found["pruned"]] == [tree(done)]
        assert sorted(one["kind"] for one in found["kept"]) == ["open", "waiting"]
        assert os.path.isdir(tree(open_))
        assert os.path.isdir(tree(unmerged))

    def test_again_takes_the_merged_branch_and_then_nothing(self, shop: World) -> None:
        found = board(shop)
        over(shop, found)
        prune(shop)
        (gone,) = prune(shop)["pruned"]
        assert (gone["kind"], gone["branch"]) == ("branch", found["worktree"]["branch"])
        assert shop.git("branch", "--list", "plastic/*") == ""
        assert prune(shop)["pruned"] == []

    @pytest.mark.parametrize("verified", [True, False])
    def test_a_branch_whose_fence_is_raised_meanwhile_stays(
        self, shop: World, monkeypatch: pytest.MonkeyPatch, verified: bool
    ) -> None:
        """Another home boards it between the look and the deletion: git itself says no.

        Without the fence in the same transaction the branch would go.
        """
        found = board(shop)
        over(shop, found)
        prune(shop)

        def late(git: Git, ref: str, old: str, barrier: tuple[str, str] | None) -> Out:
            assert barrier is not None
            shop.git("update-ref", barrier[0], shop.git("rev-parse", "HEAD"))
            return delete(git, ref, old, barrier if verified else None)

        monkeypatch.setattr("plastic.work.tree.worktrees.delete", late)
        assert (prune(shop)["pruned"] == []) is verified
        assert bool(shop.git("branch", "--list", "plastic/*")) is verified

    def test_commits_of_a_squashed_branch_are_kept_before_it_goes(self, shop: World) -> None:
        found = board(shop)
        commit(shop, tree(found))
        tip = shop.git("rev-parse", found["worktree"]["branch"])
        shop.git("merge", "-q", "--squash", found["worktree"]["branch"])
        shop.git("commit", "-q", "-m", "squashed")
        over(shop, found)
        prune(shop)
        (gone,) = prune(shop)["pruned"]
        assert gone["salvage"] == f"refs/plastic/salvage/{found['id']}/1"
        assert shop.git("rev-parse", gone["salvage"]) == tip

    def test_an_abandoned_one_keeps_its_branch(self, shop: World) -> None:
        """case 9.6/116"""
        found = board(shop)
        commit(shop, tree(found))
        over(shop, found, "Abandoned")
        assert len(prune(shop)["pruned"]) == 1
        assert prune(shop)["pruned"] == []
        assert found["worktree"]["branch"] in shop.git("branch", "--list", "plastic/*")

    def test_a_missing_one_is_forgotten_and_its_neighbours_are_not(self, shop: World) -> None:
        """reliability 3: never a bare prune"""
        shop.git("worktree", "add", "-q", "-b", "usb", str(shop.root / "usb"))
        os.rename(shop.root / "usb", shop.root / "unplugged")
        found = board(shop)
        shop.run("rm", "-rf", tree(found))
        over(shop, found)
        assert [one["kind"] for one in prune(shop)["pruned"]] == ["missing"]
        os.rename(shop.root / "unplugged", shop.root / "usb")
        assert shop.git("status", "--porcelain", cwd=shop.root / "usb") == ""

    def test_a_held_one_stays_although_it_is_over(self, shop: World) -> None:
        found = shop.boarded("Add tax", "O")
        over(shop, found)
        assert prune(shop)["pruned"] == []

    def test_other_homes_keep_theirs(self, shop: World) -> None:
        shop.git("branch", "plastic/8--other-home")
        assert prune(shop)["pruned"] == []

    def test_old_trash(self, shop: World) -> None:
        found = board(shop)
        over(shop, found)
        prune(shop)
        record = f"{shop.repo}/.git/plastic/trash/{found['id']}.1.json"
        with open(record) as file:
            said = json.load(file)
        with open(record, "w") as file:
            json.dump({**said, "buried_at": iso(0)}, file)
        assert "trash" in [one["kind"] for one in prune(shop)["pruned"]]
        assert os.listdir(f"{shop.repo}/.git/plastic/trash") == []

    @pytest.mark.parametrize("point", ["prune.kept", "prune.branch", "trash.moved"])
    def test_killed_and_run_again(self, shop: World, point: str) -> None:
        found = board(shop)
        commit(shop, tree(found))
        shop.git("merge", "-q", "--squash", found["worktree"]["branch"])
        shop.git("commit", "-q", "-m", "squashed")
        over(shop, found)
        env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point}
        words = ("worktree", "prune")
        codes = [shop.plastic(*words, env=env).rc for _ in range(2)]
        assert -9 in codes
        prune(shop)
        prune(shop)
        assert kinds(shop) == ["trash"]


def test_a_second_home_at_work_under_the_same_name(shop: World) -> None:
    """Its token is newer: what is over in this home is not over there."""
    env = {"PLASTIC_HOME": str(shop.root / "second")}
    assert shop.plastic("init", str(shop.repo), env=env).rc == 0
    assert shop.plastic("new", "Add tax", cwd=shop.repo, env=env).rc == 0
    assert shop.plastic("start", "1", session=B, cwd=shop.repo, env=env).rc == 0
    over = shop.root / "second/projects/shop/store/1--add-tax/outcome.md"
    over.write_text("---\ndisposition: abandoned\n---\n\n# Outcome\n\nNo.\n")
    assert shop.plastic("end", "1", "--abandoned", session=B, env=env).rc == 0
    shop.git("branch", "-q", "-D", "plastic/1--add-tax")
    one = Ready(shop)
    listed = shop.plastic("worktree", "list", "--json", session=B, env=env).json["worktrees"]
    assert [row["kind"] for row in listed] == ["elsewhere", "trash"]
    assert shop.plastic("worktree", "prune", session=B, env=env).rc == 0
    assert shop.plastic("worktree", "remove", str(one.tree), session=B, env=env).rc == 1
    assert one.tree.exists()
    assert one.has_branch()
