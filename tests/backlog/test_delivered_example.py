"""The worked example with its delivery: each item is started as an intent and ended by its End."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.backlog.desk import Desk
from tests.backlog.test_example import BASE, EPIC, JOIN, POLL, SEAM, epic
from tests.work.ends import A, B, Ready

if TYPE_CHECKING:
    from tests.world import Done

__all__ = ["epic"]


def start(desk: Desk, item: str, *words: str, session: str = A) -> Done:
    """`plastic start --item`."""
    argv = ("start", "--item", item, *words, "--json")
    return desk.world.plastic(*argv, session=session, cwd=desk.world.repo)


def started(desk: Desk, item: str, *words: str, session: str = A) -> dict[str, Any]:
    done = start(desk, item, *words, session=session)
    assert done.rc == 0, done.err + done.out
    found: dict[str, Any] = done.json
    return found


def under_way(desk: Desk, item: str, session: str = A) -> Ready:
    """An item that is started, worked on, and ready to end."""
    one = Ready(desk.world, session=session, id=started(desk, item, session=session)["id"])
    one.documents()
    one.commit(f"{item}.py", f"NAME = '{item}'\n")
    return one


def one_number(desk: Desk, one: Ready, item: str) -> int:
    """Lock, counter and item have the same token and owner; the token."""
    lock = json.loads((one.dir / "delivery.lock").read_text())
    status = desk("status", item)
    counter = int((one.dir / "delivery.token").read_text())
    assert lock["item"] == item
    assert (status["held"], status["owner"]) == (True, lock["owner_session"])
    assert status["fencing_token"] == lock["token"] == counter
    return counter


def test_the_example_is_delivered_item_by_item(epic: Desk) -> None:
    """What was started is held; what its End completes says what became ready, up to the join."""
    desk = epic
    seam = under_way(desk, SEAM)
    one_number(desk, seam, SEAM)
    assert (desk.ready(), desk("why", SEAM)["why"][0]["code"]) == ([], "held")
    lock = json.loads((seam.dir / "delivery.lock").read_text())
    assert lock["worktree"]["base"] == f"refs/heads/{BASE}"
    assert started(desk, SEAM)["id"] == seam.id, "a second start boards the same intent"
    done = seam.end()
    assert done.rc == 0, done.err + done.out
    assert POLL in done.out
    assert desk("show", SEAM)["state"] == "complete"
    assert desk.ready() == [POLL]
    poll = under_way(desk, POLL, session=B)
    assert poll.end(session=B).rc == 0
    assert desk.ready() == [JOIN]
    assert desk("why", EPIC)["why"][0]["code"] == "grouping"
    for item, owner in ((SEAM, A), (POLL, B)):
        assert [(row["kind"], row["owner"]) for row in desk("show", item)["grants"]] == [
            ("work", owner)
        ]
    assert desk("audit")["sound"]


def test_an_item_that_waits_cannot_be_started_and_leaves_no_trace(epic: Desk) -> None:
    """The claim's refusal comes first: no intent, no branch, no token."""
    desk = epic
    before = sorted(os.listdir(desk.world.home.store("shop")))
    done = start(desk, POLL)
    assert done.rc == 1
    assert done.json["error"]["code"] == "waiting"
    assert done.json["error"]["run"] == f"plastic backlog why {POLL}"
    assert sorted(os.listdir(desk.world.home.store("shop"))) == before
    assert desk.world.git("for-each-ref", "refs/heads/plastic", "refs/plastic") == ""
    assert desk("status", POLL)["state"] == "never"
    assert desk.paste(done.json["error"]["run"]).rc == 0


def test_the_second_session_is_told_who_works_on_the_item(epic: Desk) -> None:
    """Cases 28 and 61, of a started item."""
    desk = epic
    first = started(desk, SEAM)
    before = desk("status", SEAM)
    done = start(desk, SEAM, session=B)
    assert done.rc == 3, done.out
    assert done.json["error"]["who"] == A
    assert desk("status", SEAM) == before
    assert desk.refused("claim", SEAM, "--owner", B, rc=3)["error"]["run"]
    assert len(os.listdir(desk.world.home.store("shop"))) == 1, first


def test_a_start_that_is_given_back_leaves_a_resume_block(epic: Desk) -> None:
    """Release writes the block; whoever starts next boards the same intent, one attempt more."""
    desk = epic
    one = under_way(desk, SEAM)
    token = one_number(desk, one, SEAM)
    assert desk.world.lock("release", one.id, session=A).rc == 0
    item = desk("show", SEAM)
    assert (item["claim"]["state"], item["location"]) == ("released", one.branch)
    assert item["note"]
    assert desk.ready() == [SEAM]
    assert started(desk, SEAM, session=B)["id"] == one.id
    assert one_number(desk, one, SEAM) == token + 1
    assert desk("status", SEAM)["attempts"] == 2


def test_a_transfer_moves_the_grant_and_is_no_attempt(epic: Desk) -> None:
    desk = epic
    one = under_way(desk, SEAM)
    token = one_number(desk, one, SEAM)
    assert desk.world.lock("transfer", one.id, "--to", B, session=A).rc == 0
    assert one_number(desk, one, SEAM) == token + 1
    grants = desk("show", SEAM)["grants"]
    assert [(row["kind"], row["owner"]) for row in grants] == [("work", A), ("transfer", B)]
    assert desk("status", SEAM)["attempts"] == 1
    assert one.end(session=B).rc == 0


@pytest.mark.parametrize("silent_for", [2000, 3500, 7300])
def test_a_takeover_waits_for_the_items_own_lapse_rule(epic: Desk, silent_for: int) -> None:
    """Cases 64 and 68: one lease and an hour without evidence, then both change hands at once."""
    desk = epic
    one = under_way(desk, SEAM)
    token = one_number(desk, one, SEAM)
    for path in [one.dir / "delivery.lock", *one.tree.glob("*.py")]:
        desk.world.age(path, silent_for)
    past = "UPDATE items SET moved = moved - ?1, expires = expires - ?1 WHERE id = ?2"
    desk.sql(past, silent_for, SEAM)
    taken = desk.world.lock("reclaim", one.id, "--token", str(token), "--json", session=B)
    assert taken.rc == 4, "a commit and hook events of the last hour are evidence"
    assert "reclaim" in taken.json["error"]["run"]
    assert desk("status", SEAM)["fencing_token"] == token
    taken = desk.world.lock("reclaim", one.id, "--despite-evidence", session=B)
    assert taken.rc == 0, taken.err
    assert one_number(desk, one, SEAM) == token + 1
    kinds = [row["kind"] for row in desk("show", SEAM)["grants"]]
    assert (kinds, desk("status", SEAM)["attempts"]) == (["work", "takeover"], 2)


def test_an_end_under_an_old_token_changes_nothing(epic: Desk) -> None:
    """Cases 48 and 54 at the End: whoever was superseded neither merges nor completes."""
    desk = epic
    one = under_way(desk, SEAM)
    token = one_number(desk, one, SEAM)
    desk.sql("UPDATE items SET token = ?1, owner = 'x' WHERE id = ?2", token + 1, SEAM)
    tip = desk.world.git("rev-parse", BASE)
    before = desk("show", SEAM)
    done = one.end()
    assert done.rc in (1, 3, 4), done.out
    assert done.json["error"]["run"]
    assert desk.world.git("rev-parse", BASE) == tip
    assert desk("show", SEAM) == before
    assert (one.dir / "delivery.lock").exists()
    assert not (one.dir / ".end.json").exists()


def test_an_abandoned_start_gives_the_item_back(epic: Desk) -> None:
    """The item is nobody's and ready again; the next start makes a new intent."""
    desk = epic
    one = under_way(desk, SEAM)
    one.documents("abandoned")
    done = one.end("--abandoned")
    assert done.rc == 0, done.err + done.out
    item = desk("show", SEAM)
    assert (item["state"], item["claim"]["state"]) == ("live", "released")
    assert desk.ready() == [SEAM]
    assert started(desk, SEAM, session=B)["id"] != one.id


def test_research_is_armed_without_a_worktree(desk: Desk) -> None:
    """It must not touch code: lock only, and its End takes the findings."""
    item = desk.add("Which rate?", "--phase", "research")
    found = started(desk, item)
    tree = found["worktree"]
    assert (tree["provisioned"], tree["path"]) == (False, None)
    one = Ready(desk.world, id=found["id"]).documents()
    assert one.end().rc == 0
    assert desk("show", item)["state"] == "complete"
