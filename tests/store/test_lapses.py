"""Lapse, quarantine, takeover, attempts and parks in the database."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.answers import Fence, Takeover
from plastic.rules.backlog.items import Item
from plastic.words import Refusal, Refused
from tests.store.world import MERGED, PERSON, PM, ROUTE, WORKER, Backlog

FOLLOW = Takeover("w1", 1, "feat/epic/x-1", pushed=False)


def lapsed(backlog: Backlog, after: float = 60) -> None:
    """An item whose claim by w1 ran out so many seconds ago."""
    backlog.add("issue-1")
    backlog.take("issue-1")
    backlog.clock.pass_(1800 + after)


def test_case_62_the_same_owner_goes_on(backlog: Backlog) -> None:
    lapsed(backlog)
    got = backlog.claim("issue-1", "w1", held=1)
    assert (got.granted, got.token, got.kind, got.near_miss) == (True, 2, "reclaim", True)
    assert backlog.store.status("issue-1").attempts == 1
    assert [one.kind for one in backlog.store.outbox()].count("claim") == 1
    assert [one["what"] for one in backlog.store.trail("issue-1")] == ["near-miss"]
    ledger = backlog.store.grants("issue-1")
    assert [(one.kind, one.ended_by) for one in ledger] == [("work", "reclaim"), ("reclaim", "")]


def test_case_63_somebody_came_between(backlog: Backlog) -> None:
    lapsed(backlog, 7200)
    backlog.take("issue-1", "w2", takeover=FOLLOW)
    backlog.clock.pass_(1900)
    got = backlog.claim("issue-1", "w1", held=1)
    assert (got.granted, got.reason) == (False, "superseded")


def test_case_64_a_minute_after_the_lapse(backlog: Backlog) -> None:
    lapsed(backlog)
    got = backlog.claim("issue-1", "w2", takeover=FOLLOW)
    assert (got.granted, got.reason, got.holder) == (False, "quarantined", "w1")
    assert got.eligible == backlog.clock.now - 60 + 1800
    assert backlog.ready() == []
    assert backlog.codes()["D23"] == ["issue-1"]
    assert backlog.why("issue-1") == ["quarantined"]


@pytest.mark.parametrize(("kind", "sign"), [("comment", "comment"), ("push", "push")])
def test_case_66_a_sign_of_work_within_the_hour(backlog: Backlog, kind: str, sign: str) -> None:
    lapsed(backlog, 7200)
    backlog.store.evidence("issue-1", kind, backlog.clock.now - 59 * 60)
    got = backlog.claim("issue-1", "w2", takeover=FOLLOW)
    assert (got.granted, got.reason) == (False, f"live_evidence:{sign}")
    backlog.clock.pass_(120)
    assert backlog.claim("issue-1", "w2", takeover=FOLLOW).granted


def test_case_67_a_token_within_the_hour() -> None:
    backlog = Backlog()
    backlog.add("issue-1")
    backlog.take("issue-1", lease=600)
    backlog.clock.pass_(1800)
    got = backlog.claim("issue-1", "w2", takeover=FOLLOW)
    assert got.reason == "live_evidence:token"


def test_case_68_69_70_a_takeover_is_recorded_and_counts(backlog: Backlog) -> None:
    lapsed(backlog, 7200)
    assert [one.how for one in backlog.store.ready().items] == ["takeover"]
    bare = backlog.claim("issue-1", "w2")
    assert (bare.granted, bare.reason) == (False, "takeover_record")
    got = backlog.claim("issue-1", "w2", takeover=FOLLOW)
    assert (got.granted, got.token, got.kind, got.near_miss) == (True, 2, "takeover", False)
    assert backlog.store.status("issue-1").attempts == 2
    (say,) = [one for one in backlog.store.outbox() if one.kind == "takeover"]
    assert say.payload["from"] == "w1"
    assert (say.payload["before"], say.payload["token"]) == (1, 2)
    assert say.payload["unpushed"] is True
    assert [one["what"] for one in backlog.store.trail("issue-1")] == ["takeover"]


def test_case_72_a_former_holder_acts_after_the_takeover(backlog: Backlog) -> None:
    lapsed(backlog, 7200)
    backlog.take("issue-1", "w2", takeover=FOLLOW)
    assert backlog.store.evidence("issue-1", "push", backlog.clock.now - 1, "w1") is False
    backlog.clock.pass_(60)
    assert backlog.store.evidence("issue-1", "push", by="w1") is True
    assert backlog.codes()["collision"] == ["issue-1"]
    (say,) = [one for one in backlog.store.outbox() if one.kind == "collision"]
    assert (say.payload["owner"], say.payload["former"]) == ("w2", "w1")
    backlog.store.release("issue-1", Fence(2))
    assert backlog.claim("issue-1", "w3").reason == "defect"


def test_case_83_84_86_attempts_are_the_ledger(backlog: Backlog) -> None:
    backlog.add("issue-1")
    for number in range(3):
        fence = backlog.take("issue-1", f"w{number}")
        backlog.claim("issue-1", "w9")
        backlog.store.renew("issue-1", fence)
        if number < 2:
            backlog.store.release("issue-1", fence)
    assert backlog.store.status("issue-1").attempts == 3
    backlog.store.release("issue-1", Fence(3))
    assert backlog.ready() == []
    assert backlog.claim("issue-1").reason == "poison"
    assert backlog.store.ready().verdict == "all_poison"
    assert backlog.store.sweep() == ["issue-1"]
    assert backlog.store.sweep() == []
    item = backlog.store.item("issue-1")
    assert item
    assert item.state == "parked"
    assert item.route


def test_a_sweep_leaves_the_last_attempt_its_lease(backlog: Backlog) -> None:
    backlog.add("issue-1")
    for _ in range(2):
        backlog.store.release("issue-1", backlog.take("issue-1"))
    backlog.take("issue-1")
    assert backlog.store.sweep() == []


def test_case_87_a_grouping_sets_another_threshold(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1", threshold=5)
    for _ in range(3):
        backlog.store.release("issue-1", backlog.take("issue-1"))
    assert backlog.ready() == ["issue-1"]
    backlog.store.edit("issue-90", PERSON, {"threshold": 3})
    assert backlog.ready() == []


@pytest.mark.parametrize("part", ["owner", "topic", "question", "where", "reason"])
def test_case_88_89_a_park_without_its_way_out(backlog: Backlog, part: str) -> None:
    backlog.add("issue-1")
    fence = backlog.take("issue-1")
    with pytest.raises(Refused) as refused:
        backlog.store.park("issue-1", fence, WORKER, ROUTE._replace(**{part: " "}))
    assert refused.value.facts["missing"] == [part]
    assert backlog.store.status("issue-1").held


def test_case_92_a_park_with_a_finding_is_no_failure(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2", blocked_by=("issue-1",))
    done = backlog.store.park("issue-1", backlog.take("issue-1"), WORKER, ROUTE)
    assert (done.item.state, done.item.route, done.item.attempts) == ("parked", ROUTE, 1)
    assert backlog.store.status("issue-1").state == "released"
    assert backlog.store.grants("issue-1")[0].ended_by == "parked"
    assert backlog.codes()["D10"] == ["issue-2"]
    assert backlog.store.why("issue-2")[-1].text.startswith("is parked: pm rules on")
    again = backlog.store.park("issue-1", None, WORKER, ROUTE)
    assert again.changed is False
    kinds = [one.kind for one in backlog.store.outbox()]
    assert kinds.count("label") == 1
    with pytest.raises(Refused):
        backlog.store.park("issue-1", None, WORKER, ROUTE._replace(owner="me"))


def test_case_93_an_old_park_without_route_is_reported_and_stays(backlog: Backlog) -> None:
    old = Item("issue-1", "t", priority="P1", phase="research", region="local", base="b")
    found = backlog.store.load([old._replace(state="parked")], PM)
    assert [one.code for one in found] == ["D11"]
    assert backlog.store.sweep() == []
    backlog.store.park("issue-1", None, PM, ROUTE)
    assert "D11" not in backlog.codes()


def test_case_94_only_a_person_unparks(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2", blocked_by=("issue-1",))
    backlog.store.park("issue-1", backlog.take("issue-1"), WORKER, ROUTE)
    with pytest.raises(Refused) as refused:
        backlog.store.unpark("issue-1", WORKER)
    assert refused.value.code == "human-only"
    assert backlog.store.trail("issue-1")[-1]["what"] == "violation"
    done = backlog.store.unpark("issue-1", PERSON)
    assert (done.item.state, done.item.route) == ("live", None)
    assert backlog.why("issue-2") == ["waiting", "ready"]
    assert backlog.ready() == ["issue-1"]


def test_an_unknown_number_of_attempts_is_never_zero(backlog: Backlog) -> None:
    """Case 8/77: an import with a token and no markers."""
    item = Item("issue-1", "t", priority="P1", phase="research", region="local", base="b")
    from plastic.rules.backlog.items import Grip

    backlog.store.load([item._replace(grip=Grip(4, 4), attempts=None)], PM)
    assert backlog.store.status("issue-1").attempts is None
    assert backlog.claim("issue-1").reason == "defect"
    assert backlog.codes() == {"D13": ["issue-1"]}


def test_a_lapsed_holder_still_ends_its_work_and_it_is_said(backlog: Backlog) -> None:
    lapsed(backlog)
    done = backlog.store.complete("issue-1", Fence(1), WORKER, MERGED)
    assert done.late is True
    assert [one["what"] for one in backlog.store.trail("issue-1")] == ["late", "complete"]


def test_nobody_parks_what_another_holds(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.take("issue-1")
    with pytest.raises(Refusal) as refused:
        backlog.store.park("issue-1", None, PM, ROUTE)
    assert refused.value.code == "claim-required"
