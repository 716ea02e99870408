"""An item is delivered by an intent: one number for both, from the claim to the completion."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.failpoints import NAMES
from plastic.rules.backlog.answers import Actor, Fence
from plastic.rules.backlog.items import Route
from plastic.rules.intent.intentfile import item_of
from tests.backlog.desk import ROUTE, Desk

if TYPE_CHECKING:
    from tests.world import Done

A, B = "ana-1", "bo-2"
POINTS = [
    *("item.claimed", "lock.counted", "lock.published", "item.armed", "item.bound"),
    "fence.told",
]
DOCUMENTS = {
    "spec.md": "# Spec\n\nWhat.\n",
    "plan.md": "# Plan\n\nHow.\n",
    "actions/ACTION_1.md": "# Action\n\nDo.\n",
    "checklist.md": "- [x] done\n",
}


class Street(Desk):
    """A desk at which items are started and ended."""

    def start(self, *argv: str, session: str | None = A, **more: Any) -> Done:
        repo = self.world.repo
        return self.world.plastic("start", *argv, "--json", session=session, cwd=repo, **more)

    def begun(self, item: str, *argv: str, session: str | None = A) -> Any:
        done = self.start("--item", item, *argv, session=session)
        assert done.rc == 0, done.err + done.out
        return done.json

    def write(self, intent: Any, disposition: str = "delivered") -> None:
        outcome = f"---\ndisposition: {disposition}\n---\n\n# Outcome\n\nIt is there.\n"
        for name, text in {**DOCUMENTS, "outcome.md": outcome}.items():
            Path(intent["dir"], name).write_text(text)

    def work(self, intent: Any) -> None:
        tree = Path(intent["lock"]["worktree"]["path"])
        (tree / "tax.py").write_text(f"TAX = {time.time_ns()}\n")
        self.world.git("add", "-A", cwd=tree)
        self.world.git("commit", "-q", "-m", "work", cwd=tree)

    def end(self, intent: Any, *argv: str, session: str = A) -> Done:
        words = ("end", intent["id"], *(argv or ("--delivered",)), "--json")
        return self.world.plastic(*words, session=session, cwd=self.world.repo)

    def lock(self, *argv: str, session: str | None = A) -> Done:
        return self.world.lock(*argv, "--json", session=session, cwd=self.world.repo)

    def even(self, intent: Any, item: str) -> int:
        """The number that lock, counter and item share."""
        raw = json.loads(Path(intent["dir"], "delivery.lock").read_text())
        claim = self("status", item)
        counter = int(Path(intent["dir"], "delivery.token").read_text().split()[0])
        assert raw["token"] == counter == claim["fencing_token"]
        assert (raw["item"], raw["owner_session"]) == (item, claim["owner"])
        assert claim["held"]
        return counter

    def kinds(self, item: str) -> list[str]:
        return [one["kind"] for one in self("show", item)["grants"]]


@pytest.fixture
def desk(world: Any, monkeypatch: pytest.MonkeyPatch) -> Street:
    return Street(world, monkeypatch)


def test_from_item_to_what_is_ready_next(desk: Street) -> None:
    """Claimed, worked on, merged, completed under the token, and the next one told."""
    one = desk.add("Compute tax")
    two = desk.add("Print tax", "--blocked-by", one)
    intent = desk.begun(one)
    assert intent["title"] == "Compute tax"
    assert intent["lock"]["worktree"]["base"] == "refs/heads/main"
    assert desk.even(intent, one) == 1
    assert desk.ready() == []
    desk.write(intent)
    desk.work(intent)
    plan = desk.end(intent, "--delivered", "--dry-run").json
    assert [step["text"] for step in plan["steps"] if step["number"] == 4] == [
        f"complete {one} under token 1"
    ]
    done = desk.end(intent)
    assert done.rc == 0, done.err
    assert done.json["item"] == {"id": one, "state": "complete", "ready": [two]}
    assert desk("show", one)["state"] == "complete"
    assert desk.ready() == [two]
    text = desk.world.plastic("end", intent["id"], "--delivered", session=A, cwd=desk.world.repo)
    assert text.rc == 0, "an End that is over is over"


def test_the_same_item_is_the_same_intent(desk: Street) -> None:
    item = desk.add("Compute tax")
    intent = desk.begun(item)
    assert desk.begun(item)["id"] == intent["id"]
    assert desk.even(intent, item) == 1
    assert desk.lock("release", intent["id"]).rc == 0
    assert desk("status", item)["state"] == "released"
    again = desk.begun(item, session=B)
    assert again["id"] == intent["id"]
    assert desk.even(again, item) == 2
    assert desk.kinds(item) == ["work", "work"]


@pytest.mark.parametrize("words", [("start",), ("lock", "arm"), ("lock", "fix")])
def test_an_intent_that_names_its_item_needs_no_flag(desk: Street, words: tuple[str, ...]) -> None:
    item = desk.add("Compute tax")
    intent = desk.begun(item)
    assert re.search(
        rf'^item: "{item}"$',
        Path(intent["dir"], f"{intent['id']}--compute-tax.md").read_text(),
        re.M,
    )
    desk.lock("release", intent["id"])
    done = desk.world.plastic(*words, intent["id"], "--json", session=A, cwd=desk.world.repo)
    assert done.rc == 0, done.err
    desk.even(intent, item)


def test_both_begin_above_the_higher_of_the_two(desk: Street) -> None:
    """An intent that has had three owners and an item that has had two."""
    item = desk.add("Compute tax")
    intent = desk.world.new("Tax")
    for session in (A, B, A):
        assert desk.start(intent["id"], session=session).rc == 0
        desk.lock("release", intent["id"], session=session)
    for owner in ("o1", "o2"):
        token = desk.claim(item, owner)["fencing_token"]
        desk("release", item, "--token", str(token))
    found = desk.begun(item, intent["id"])
    assert desk.even(found, item) == 4


def test_a_held_lock_takes_its_item_along(desk: Street) -> None:
    item = desk.add("Compute tax")
    intent = desk.world.new("Tax")
    desk.start(intent["id"])
    found = desk.begun(item, intent["id"])
    assert desk.even(found, item) == 1
    other = desk.add("Other")
    done = desk.start(intent["id"], "--item", other)
    assert (done.rc, done.json["error"]["code"]) == (1, "other-item")
    assert desk("status", other)["state"] == "never"


def test_what_the_session_has_claimed_is_what_it_starts(desk: Street) -> None:
    desk.add("Compute tax")
    taken = desk("claim", "--next", session=A)
    found = desk.begun(taken["id"])
    desk.even(found, taken["id"])
    assert desk.kinds(taken["id"])[0] == "work"
    assert desk("show", taken["id"])["attempts"] == 1


@pytest.mark.parametrize("session", [A, None])
def test_a_refused_item_leaves_no_intent_behind(desk: Street, session: str | None) -> None:
    one = desk.add("One")
    two = desk.add("Two", "--blocked-by", one)
    desk.claim(one, "somebody")
    gated = desk("add", "Gated", session=B)["id"]
    held = Path(desk.world.home.held)
    before = {path.name for path in Path(desk.world.home.store("shop")).glob("*")}
    for item, rc, code in (
        (one, 3, "contended"),
        (two, 1, "waiting"),
        (gated, 1, "not-admitted"),
        ("local-99", 6, "item-missing"),
    ):
        done = desk.start("--item", item, session=session)
        assert (done.rc, done.json["error"]["code"]) == (rc, code), done.json
        name, *words = shlex.split(done.json["error"]["run"])
        assert name == "plastic"
        assert desk.world.plastic(*words, cwd=desk.world.repo).rc == 0
    assert {path.name for path in Path(desk.world.home.store("shop")).glob("*")} == before
    assert not held.exists() or not [one for one in held.iterdir() if one.name != ".complete"]


def test_a_failed_worktree_gives_the_claim_back(desk: Street) -> None:
    item = desk.add("Compute tax")
    (desk.world.repo / ".claude").write_text("in the way\n")
    done = desk.start("--item", item)
    assert done.rc == 5, done.out
    claim = desk("status", item)
    assert (claim["state"], claim["fencing_token"]) == ("released", 1)
    (desk.world.repo / ".claude").unlink()
    assert desk.even(desk.begun(item), item) == 2


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_start_is_finished_by_the_same_command(desk: Street, point: str) -> None:
    assert point in NAMES
    item = desk.add("Compute tax")
    fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{point}:kill"}
    killed = desk.start("--item", item, env=fault)
    assert killed.rc == -9
    rival = desk.start("--item", item, session=B)
    assert rival.rc == 3, rival.out
    intent = desk.begun(item)
    desk.even(intent, item)
    assert desk("show", item)["attempts"] == 1


def test_a_killed_binding_of_an_intent_that_is_there(desk: Street) -> None:
    item = desk.add("Compute tax")
    intent = desk.world.new("Tax")
    fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "item.named:kill"}
    assert desk.start(intent["id"], "--item", item, env=fault).rc == -9
    assert desk.even(desk.begun(item), item) == 1


class TestCustody:
    def test_a_transfer_moves_both(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        assert desk.lock("transfer", intent["id"], "--to", B).rc == 0
        assert desk.even(intent, item) == 2
        assert desk("status", item)["owner"] == B
        assert desk.kinds(item) == ["work", "transfer"]
        assert desk("show", item)["attempts"] == 1

    def test_a_takeover_waits_for_the_item_as_well(self, desk: Street) -> None:
        """One more lease and an hour without a sign decide for lock and item."""
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        path = Path(intent["dir"], "delivery.lock")
        desk.world.age(path, 2000)
        done = desk.lock("reclaim", intent["id"], session=B)
        assert (done.rc, done.json["error"]["code"]) == (4, "item-quarantine")
        assert re.match(r"sleep \d+ && plastic-lock reclaim", done.json["error"]["run"])
        assert desk("status", item)["owner"] == A
        desk.later(4000)
        done = desk.lock("reclaim", intent["id"], session=B)
        assert done.rc == 0, done.err + done.out
        assert desk.even(intent, item) == 2
        assert desk.kinds(item) == ["work", "takeover"]
        assert desk("show", item)["attempts"] == 2

    @pytest.mark.parametrize("kind", ["transfer", "takeover"])
    @pytest.mark.parametrize("then", ["start", "again", "release", "end"])
    def test_what_was_killed_before_the_item_followed_is_brought_up(
        self, desk: Street, kind: str, then: str
    ) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.write(intent)
        desk.work(intent)
        words: tuple[str, ...] = ("transfer", intent["id"], "--to", B)
        session = A
        if kind == "takeover":
            words, session = ("reclaim", intent["id"], "--despite-evidence"), B
            desk.world.age(Path(intent["dir"], "delivery.lock"), 9000)
        name = "reclaim" if kind == "takeover" else kind
        fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{name}.replaced:kill"}
        assert desk.world.lock(*words, session=session, env=fault).rc == -9
        assert desk("status", item)["fencing_token"] == 1
        if then == "end":
            assert desk.end(intent, session=B).rc == 0
            assert desk("show", item)["state"] == "complete"
        elif then == "release":
            assert desk.lock("release", intent["id"], session=B).rc == 0
            assert desk("status", item)["state"] == "released"
        else:
            done = desk.start(intent["id"], session=B) if then == "start" else desk.lock(*words)
            if then == "again" and kind == "takeover":
                done = desk.lock(*words, session=B)
            assert done.rc == 0, done.out
            assert desk.even(intent, item) == 2
        assert desk.kinds(item) == ["work", kind]

    @pytest.mark.parametrize("point", ["reclaim.counted", "reclaim.claims"])
    def test_a_killed_takeover_is_taken_up(self, desk: Street, point: str) -> None:
        """Killed with the number raised and the lock not, or with both and the item behind."""
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        lock = Path(intent["dir"], "delivery.lock")
        desk.world.age(lock, 9000)
        fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{point}:kill"}
        words = ("reclaim", intent["id"], "--despite-evidence")
        assert desk.world.lock(*words, session=B, env=fault).rc == -9
        assert desk.lock(*words, session=B).rc == 0
        assert desk.even(intent, item) == (3 if point == "reclaim.counted" else 2)
        assert desk("status", item)["owner"] == B
        assert desk.kinds(item) == ["work", "takeover"]

    def test_a_heartbeat_keeps_the_item_alive(self, desk: Street) -> None:
        """Nobody asks for two hours; the owner's hooks touch the lock and no database."""
        item = desk.add("Compute tax")
        desk.begun(item)
        desk.later(1700)  # the lock was heard just now: on the wall clock it is as fresh as ever
        assert desk("status", item)["held"]

    def test_nobody_claims_past_the_lock(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        rival = desk.refused("claim", item, rc=3, session=B)["error"]
        assert rival["run"] == f"plastic start {intent['id']} --wait"
        own = desk.refused("claim", item, rc=1, session=A)["error"]
        assert (own["code"], own["run"]) == ("bound", f"plastic start {intent['id']}")
        path = Path(intent["dir"], "delivery.lock")
        desk.world.age(path, 9000)
        late = desk.refused("claim", item, rc=4, session=B)["error"]
        assert late["run"].startswith("plastic-lock reclaim")

    def test_a_lock_whose_item_went_on_is_late(self, desk: Street) -> None:
        """Another program has claimed in the database itself."""
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.write(intent)
        desk.work(intent)
        with desk.open() as store:
            store.follow(item, 7, "o9", "takeover")
        done = desk.end(intent)
        assert (done.rc, done.json["error"]["code"]) == (1, "item")
        assert "token 1" in done.json["error"]["reason"]
        assert desk.world.git("rev-list", "--count", "main") == "1", "nothing was merged"
        done = desk.start(intent["id"])
        assert (done.rc, done.json["error"]["code"]) == (3, "superseded")

    def test_a_token_that_nobody_checks_is_caught(
        self, desk: Street, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Non-vacuity of the test above: without the check the late End merges."""
        monkeypatch.setattr("plastic.store.sqlite.SqliteStore.check", lambda *_: False)
        monkeypatch.setattr("plastic.rules.backlog.grants.write", lambda *_: "")
        monkeypatch.setattr("plastic.work.backlog.ending.settle", lambda *_: None)
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.write(intent)
        desk.work(intent)
        with desk.open() as store:
            store.follow(item, 7, "o9", "takeover")
        assert desk.end(intent).rc == 0

    @pytest.mark.parametrize("verb", ["release", "complete", "park"])
    def test_a_token_without_the_lock_ends_nothing(self, desk: Street, verb: str) -> None:
        """The number is no secret: whoever ends what an intent delivers holds its lock."""
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        more = ROUTE if verb == "park" else ()
        before = desk("show", item)
        found = desk.refused(verb, item, "--token", "1", *more, rc=3, session=B)["error"]
        assert (found["code"], found["who"]) == ("held", A)
        assert desk("show", item) == before
        assert desk.even(intent, item) == 1

    def test_its_end_completes_it(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        desk.even(desk.begun(item), item)
        words = ("complete", item, "--token", "1", "--evidence", "HEAD", "--session", A)
        found = desk.refused(*words, rc=1)["error"]
        assert found["code"] == "delivered-by-end"
        assert found["run"] == f"plastic end 1 --delivered --dry-run --session {A}"
        assert desk("show", item)["state"] == "live"

    def test_signs_of_work_protect_for_an_hour(self, desk: Street) -> None:
        """Not for the five minutes of an intent without an item."""
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.work(intent)
        desk.world.age(Path(intent["dir"], "delivery.lock"), 9000)
        desk.later(9000)
        found = desk.lock("reclaim", intent["id"], session=B).json["error"]
        assert found["code"] == "quarantine"
        seconds = int(found["run"].split()[1])
        assert 3300 < seconds < 3700


class TestEnds:
    def test_a_base_that_is_not_the_items_is_told_before_the_merge(self, desk: Street) -> None:
        desk.world.git("branch", "other")
        item = desk.add("Compute tax")
        intent = desk.begun(item, "--base", "other")
        desk.write(intent)
        desk.work(intent)
        tip = desk.world.git("rev-parse", "other")
        done = desk.end(intent)
        assert (done.rc, done.json["error"]["code"]) == (1, "item")
        assert "the merge into other is not proven to be in main" in done.json["error"]["reason"]
        assert desk.world.git("rev-parse", "other") == tip
        # Who starts it again names no base, and gets the one that it has.
        assert desk.start(intent["id"]).rc == 0
        # What the author meant is what the item says: then it ends.
        desk("edit", item, "--base", "other", "--token", "1", session=A)
        done = desk.end(intent)
        assert done.rc == 0, done.err + done.out
        assert done.json["item"]["state"] == "complete"

    def test_research_in_a_worktree_that_was_there(self, desk: Street) -> None:
        item = desk.add("Which rate?", "--phase", "research")
        intent = desk.world.new("Rates")
        desk.start(intent["id"])
        found = desk.begun(item, intent["id"])
        assert found["lock"]["worktree"]["provisioned"]
        desk.write(found)
        desk.work(found)
        done = desk.end(found)
        assert done.rc == 0, done.err + done.out
        assert done.json["item"]["state"] == "complete"

    def test_release_leaves_a_resume_block(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.write(intent)
        Path(intent["dir"], "checklist.md").write_text("- [x] one\n- [ ] two\n")
        Path(intent["dir"], "outcome.md").write_text("")
        assert desk.lock("release", intent["id"]).rc == 0
        shown = desk("show", item)
        assert shown["location"] == f"plastic/{intent['id']}--compute-tax"
        assert "1 open box in checklist.md" in shown["note"]

    @pytest.mark.parametrize("point", ["item.released", "release.claims", "release.unlocked"])
    def test_a_killed_release_is_finished(self, desk: Street, point: str) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{point}:kill"}
        desk.world.lock("release", intent["id"], session=A, env=fault)
        if point == "item.released":
            # Who goes on instead of releasing has a number of its own again.
            assert desk.even(desk.begun(item), item) == 2
        assert desk.lock("release", intent["id"]).rc == 0
        assert desk("status", item)["state"] == "released"

    @pytest.mark.parametrize("how", ["park", "release"])
    def test_what_is_given_back_takes_its_lock_along(self, desk: Street, how: str) -> None:
        """A parked item waits for a person: nobody holds its intent meanwhile."""
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        if how == "park":
            desk("park", item, *ROUTE, session=A)
        else:
            desk("release", item, "--token", "1", "--note", "half of it", session=A)
            assert desk("show", item)["note"] == "half of it"
        assert not Path(intent["dir"], "delivery.lock").exists()
        assert not desk("status", item)["held"]
        done = desk.start(intent["id"], session=B)
        assert done.rc == (1 if how == "park" else 0), done.out

    def test_an_abandoned_intent_gives_its_item_back(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.write(intent, "abandoned")
        done = desk.end(intent, "--abandoned")
        assert done.rc == 0, done.err
        assert done.json["item"]["state"] == "released"
        assert desk.ready() == [item]
        assert "abandoned as" in desk("show", item)["note"]
        assert desk.begun(item)["id"] != intent["id"], "another try is another intent"

    @pytest.mark.parametrize("point", ["end.committed", "item.ended", "end.unlocked"])
    def test_a_killed_end_completes_once(self, desk: Street, point: str) -> None:
        """And the same command tells what became ready: before the kill nobody was told."""
        item = desk.add("Compute tax")
        after = desk.add("Print tax", "--blocked-by", item)
        intent = desk.begun(item)
        desk.write(intent)
        desk.work(intent)
        fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{point}:kill"}
        words = ("end", intent["id"], "--delivered")
        assert desk.world.plastic(*words, session=A, cwd=desk.world.repo, env=fault).rc == -9
        done = desk.end(intent)
        assert done.rc == 0, done.err
        assert done.json["item"] == {"id": item, "state": "complete", "ready": [after]}
        assert desk("show", item)["state"] == "complete"
        ends = [one for one in desk("show", item)["grants"] if one["ended_by"] == "complete"]
        assert len(ends) == 1

    def test_research_has_no_worktree_and_ends_with_its_outcome(self, desk: Street) -> None:
        item = desk.add("Which rate?", "--phase", "research")
        intent = desk.begun(item)
        tree = intent["lock"]["worktree"]
        assert (tree["provisioned"], tree["reason"]) == (False, "a research item has no code")
        desk.write(intent)
        done = desk.end(intent)
        assert done.rc == 0, done.err + done.out
        assert done.json["item"]["state"] == "complete"

    def test_what_may_not_be_completed_is_found_before_the_merge(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.write(intent)
        desk.work(intent)
        with desk.open() as store:  # as another program would
            store.park(item, Fence(1), Actor("pm"), Route("pm", "tax", "which?", "issue 7", "two"))
        done = desk.end(intent)
        assert done.rc == 1
        assert done.json["error"]["code"] == "item"
        plan = desk.end(intent, "--delivered", "--dry-run").json
        run = next(one["run"] for one in plan["obstacles"] if one["name"] == "item")
        assert desk.world.plastic(*shlex.split(run)[1:], cwd=desk.world.repo).rc == 0
        assert desk.world.git("rev-list", "--count", "main") == "1"

    def test_an_integration_item_ends_where_its_criteria_are_run(self, desk: Street) -> None:
        """Without `verify:` nobody has run them on the merged whole: told before the merge."""
        desk.world.git("branch", "feat/epic/tax")
        epic = desk.add("Tax", "--grouping", "--base", "feat/epic/tax")
        item = desk.add("Join", "--integrates", epic, "--phase", "integration")
        after = desk.add("Sell", "--blocked-by", epic)
        intent = desk.begun(item)
        desk.write(intent)
        desk.work(intent)
        done = desk.end(intent)
        assert (done.rc, done.json["error"]["code"]) == (1, "item")
        assert "`verify:` of the project runs them" in done.json["error"]["reason"]
        assert desk.world.git("rev-list", "--count", "feat/epic/tax") == "1"
        config = Path(desk.world.home.projects_yml)
        config.write_text(config.read_text() + "    verify: ['true']\n")
        done = desk.end(intent)
        assert done.rc == 0, done.err + done.out
        assert done.json["item"] == {"id": item, "state": "complete", "ready": [after]}

    def test_an_item_that_is_gone_holds_nobody_up(self, desk: Street) -> None:
        item = desk.add("Compute tax")
        intent = desk.begun(item)
        desk.lock("release", intent["id"])
        desk("forget", item)
        assert desk.start(intent["id"]).rc == 0
        desk.write(intent)
        desk.work(intent)
        done = desk.end(intent)
        assert done.rc == 0, done.err
        assert done.json["item"] is None


def test_the_name_of_the_item_is_read_as_it_was_written() -> None:
    assert item_of('---\nid: "1"\nitem: "issue-12"\n---\n') == "issue-12"
    assert item_of("---\nid: 1\n---\n") is None
