"""Claims and fences in the database, by the numbers of their cases."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.answers import Fence
from plastic.words import Held, Lost, Missing, Refusal, Refused, Usage
from tests.store.world import MERGED, PERSON, PM, ROUTE, WORKER, Backlog


def test_case_26_the_first_claim(backlog: Backlog) -> None:
    backlog.add("issue-1")
    got = backlog.claim("issue-1")
    assert (got.granted, got.token, got.owner, got.region) == (True, 1, "w1", "local")
    assert (got.lease, got.expires) == (1800.0, backlog.clock.now + 1800)
    assert got.kind == "work"
    assert got.secret
    (say,) = [one for one in backlog.store.outbox() if one.kind == "claim"]
    assert say.payload == {"owner": "w1", "token": 1}


def test_case_27_a_claim_on_nothing(backlog: Backlog) -> None:
    got = backlog.claim("issue-1")
    assert (got.granted, got.reason, got.token) == (False, "missing", None)
    assert backlog.store.items() == []
    assert not backlog.store.status("issue-1").exists


@pytest.mark.parametrize("owner", ["w2", "w1"])
def test_case_28_a_claim_on_what_is_held(backlog: Backlog, owner: str) -> None:
    backlog.add("issue-1")
    backlog.take("issue-1")
    before = backlog.store.status("issue-1")
    said = len(backlog.store.outbox())
    got = backlog.claim("issue-1", owner)
    assert (got.granted, got.reason, got.holder, got.holder_token) == (False, "contended", "w1", 1)
    assert backlog.store.status("issue-1") == before
    assert len(backlog.store.outbox()) == said


def test_case_31_32_the_ceiling_and_the_default(backlog: Backlog) -> None:
    backlog.add("issue-1")
    got = backlog.claim("issue-1", lease=99_999)
    assert (got.lease, got.expires) == (7200.0, backlog.clock.now + 7200)
    again = backlog.store.renew("issue-1", Fence(1))
    assert again.lease == 1800.0


@pytest.mark.parametrize(
    ("owner", "options"),
    [("w1", {"lease": 0}), ("w1", {"lease": -1}), (" ", {}), ("", {}), ("w1", {"kind": "own"})],
)
def test_case_33_mistakes_are_no_refusals(
    backlog: Backlog, owner: str, options: dict[str, object]
) -> None:
    backlog.add("issue-1")
    with pytest.raises(Usage):
        backlog.claim("issue-1", owner, **options)
    assert backlog.store.status("issue-1").state == "never"


def test_case_36_37_renewals_say_whether_they_shorten(backlog: Backlog) -> None:
    backlog.add("issue-1")
    fence = backlog.take("issue-1", lease=3600)
    backlog.clock.pass_(60)
    short = backlog.store.renew("issue-1", fence)
    assert (short.granted, short.shortened, short.previous) == (
        True,
        True,
        backlog.clock.now - 60 + 3600,
    )
    backlog.clock.pass_(1790)
    longer = backlog.store.renew("issue-1", fence, 60)
    assert (longer.granted, longer.shortened, longer.token) == (True, False, 1)


def test_case_39_74_a_token_that_is_not_the_current_one(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.store.release("issue-1", backlog.take("issue-1"))
    backlog.take("issue-1")
    for token in (1, 3):
        got = backlog.store.renew("issue-1", Fence(token))
        assert (got.granted, got.reason, got.shortened) == (False, "superseded", None)
    assert backlog.store.renew("issue-9", Fence(1)).reason == "missing"


def test_a_renewal_after_the_lapse_is_refused_though_nobody_came(backlog: Backlog) -> None:
    backlog.add("issue-1")
    fence = backlog.take("issue-1")
    backlog.clock.pass_(1800)
    got = backlog.store.renew("issue-1", fence)
    assert (got.granted, got.reason) == (False, "lapsed")


def test_case_41_42_43_44_giving_back(backlog: Backlog) -> None:
    backlog.add("issue-1")
    assert backlog.store.release("issue-1", Fence(1)).reason == "unclaimed"
    assert backlog.store.release("issue-9", Fence(1)).reason == "missing"
    first = backlog.take("issue-1")
    done = backlog.store.release("issue-1", first, note="half done", location="feat/x@c0ffee")
    assert (done.released, done.reason) == (True, "")
    assert backlog.store.release("issue-1", first).released
    item = backlog.store.item("issue-1")
    assert item
    assert (item.note, item.location) == ("half done", "feat/x@c0ffee")
    second = backlog.take("issue-1", "w2")
    assert second.token == 2
    assert backlog.store.release("issue-1", first).reason == "stale"
    assert backlog.store.release("issue-1", Fence(2**60)).reason == "stale"
    status = backlog.store.status("issue-1")
    assert (status.held, status.released, status.token) == (True, 1, 2)
    backlog.store.release("issue-1", second)
    assert backlog.take("issue-1").token == 3
    outcomes = [one.payload["result"] for one in backlog.store.outbox() if one.kind == "outcome"]
    assert outcomes == ["released", "released"]


def write(backlog: Backlog, fence: Fence | None) -> bool:
    """A fenced write; whether it came late."""
    return backlog.store.edit("issue-1", WORKER, {"body": "new"}, fence=fence).late


WRITES = [
    ("case 8/47 no token", None, Held, "claim-required"),
    ("case 8/48 superseded", Fence(1), Lost, "stale-token"),
    ("never given out", Fence(9), Refused, "unissued-token"),
    ("case 8/51 wrong region", Fence(2, region="north"), Refused, "foreign-region"),
    ("wrong secret", Fence(2, "guess"), Refused, "wrong-secret"),
]


@pytest.mark.parametrize(
    ("fence", "kind", "code"), [case[1:] for case in WRITES], ids=[case[0] for case in WRITES]
)
def test_a_write_that_the_fence_refuses(
    backlog: Backlog, fence: Fence | None, kind: type[Refusal], code: str
) -> None:
    backlog.add("issue-1", body="old")
    backlog.store.release("issue-1", backlog.take("issue-1", "w1"))
    backlog.take("issue-1", "w2")
    with pytest.raises(kind) as refused:
        write(backlog, fence)
    assert refused.value.code == code
    assert refused.value.facts["current"] == 2
    assert refused.value.who == "w2"
    item = backlog.store.item("issue-1")
    assert item
    assert item.body == "old"


def test_case_49_after_the_release(backlog: Backlog) -> None:
    backlog.add("issue-1")
    fence = backlog.take("issue-1")
    backlog.store.release("issue-1", fence)
    with pytest.raises(Lost) as refused:
        write(backlog, fence)
    assert refused.value.code == "claim-released"
    assert write(backlog, None) is False


def test_case_52_a_token_for_what_is_no_item(backlog: Backlog) -> None:
    with pytest.raises(Missing):
        write(backlog, Fence(1))


def test_a_token_for_what_nobody_claimed(backlog: Backlog) -> None:
    backlog.add("issue-1")
    with pytest.raises(Refused) as refused:
        write(backlog, Fence(1))
    assert refused.value.code == "unissued-token"


def test_case_53_54_a_late_writer(backlog: Backlog) -> None:
    backlog.add("issue-1")
    fence = backlog.take("issue-1")
    backlog.clock.pass_(1801)
    assert write(backlog, fence) is True
    assert backlog.store.check("issue-1", fence) is True
    assert backlog.take("issue-1", "w1").token == 2
    with pytest.raises(Lost):
        write(backlog, fence)


def test_the_secret_is_kept_as_a_hash_and_shown_once(backlog: Backlog) -> None:
    backlog.add("issue-1")
    got = backlog.claim("issue-1")
    assert got.secret
    shown = f"{backlog.store.status('issue-1')} {backlog.store.item('issue-1')}"
    shown += f"{backlog.store.outbox()} {backlog.store.trail('issue-1')}"
    assert got.secret not in shown
    with backlog.store.reading() as tx:
        kept = [str(one) for row in tx.all("SELECT * FROM items") for one in row]
    assert got.secret not in " ".join(kept)
    assert write(backlog, Fence(1, got.secret)) is False


def test_a_store_may_demand_the_secret() -> None:
    backlog = Backlog(require_secret=True)
    backlog.add("issue-1")
    got = backlog.claim("issue-1")
    with pytest.raises(Refused) as refused:
        write(backlog, Fence(1))
    assert refused.value.code == "wrong-secret"
    assert backlog.store.release("issue-1", Fence(1)).reason == "wrong_secret"
    assert backlog.store.renew("issue-1", Fence(1, "x")).reason == "wrong_secret"
    assert backlog.store.release("issue-1", Fence(1, got.secret)).released


def test_case_57_status_is_never_authoritative(backlog: Backlog) -> None:
    assert backlog.store.status("issue-1").authoritative is False
    backlog.add("issue-1")
    backlog.take("issue-1")
    status = backlog.store.status("issue-1")
    assert status.authoritative is False
    with pytest.raises(AttributeError):
        status.authoritative = True  # type: ignore[misc]


def test_case_59_tokens_outlive_the_item(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.store.release("issue-1", backlog.take("issue-1"))
    backlog.store.forget("issue-1", PM)
    assert backlog.store.item("issue-1") is None
    backlog.add("issue-1")
    assert backlog.take("issue-1").token == 2


def test_case_61_two_workers_one_item(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2")
    assert backlog.claim(None, "w1").id == "issue-1"
    assert backlog.claim(None, "w2").id == "issue-2"
    third = backlog.claim(None, "w3")
    assert (third.granted, third.reason) == (False, "drained")
    kinds = [one.kind for one in backlog.store.outbox()]
    assert kinds.count("claim") == 2


def test_a_token_shared_with_an_intent_exceeds_both(backlog: Backlog) -> None:
    backlog.add("issue-1")
    assert backlog.claim("issue-1", above=6).token == 7


def test_case_114_gated_between_the_look_and_the_claim(backlog: Backlog) -> None:
    backlog.add("issue-1")
    assert backlog.ready() == ["issue-1"]
    backlog.store.gate("issue-1", PM)
    got = backlog.claim("issue-1")
    assert (got.granted, got.reason) == (False, "not_admitted")


def test_an_admin_claim_is_no_attempt_and_needs_no_ready_item(backlog: Backlog) -> None:
    backlog.add("issue-1", admitted=False)
    got = backlog.claim("issue-1", "pm-1", kind="admin")
    assert (got.granted, got.kind) == (True, "admin")
    assert backlog.store.status("issue-1").attempts == 0


def test_a_terminal_item_is_not_claimed(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2")
    backlog.finish("issue-1")
    backlog.store.park("issue-2", None, PM, ROUTE)
    assert backlog.claim("issue-1").reason == "complete"
    assert backlog.claim("issue-2").reason == "parked"


def test_a_held_item_may_be_steered_by_a_person_only(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.take("issue-1")
    assert backlog.store.edit("issue-1", PERSON, {"priority": "P0"}).item.priority == "P0"
    with pytest.raises(Held):
        backlog.store.edit("issue-1", PERSON, {"body": "x"})
    with pytest.raises(Held):
        backlog.store.edit("issue-1", PM, {"priority": "P1"})


def test_a_release_that_ignores_the_token_is_caught(
    backlog: Backlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Non-vacuity: the case of the older token fails for a store that takes any."""
    from plastic.rules.backlog import grants

    monkeypatch.setattr(grants, "release", lambda grip, token: "")
    backlog.add("issue-1")
    backlog.store.release("issue-1", backlog.take("issue-1"))
    backlog.take("issue-1", "w2")
    assert backlog.store.release("issue-1", Fence(1)).released
    assert not backlog.store.status("issue-1").held


def test_completing_needs_a_claim(backlog: Backlog) -> None:
    """Case 8/137."""
    backlog.add("issue-1")
    for fence in (None, Fence(1)):
        with pytest.raises(Refused):
            backlog.store.complete("issue-1", fence, WORKER, MERGED)
    item = backlog.store.item("issue-1")
    assert item
    assert item.state == "live"


def test_an_item_follows_the_lock_of_its_intent(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.take("issue-1", above=4)
    moved = backlog.store.follow("issue-1", 6, "w2", "transfer")
    assert (moved.granted, moved.token, moved.owner) == (True, 6, "w2")
    assert backlog.store.follow("issue-1", 6, "w2", "transfer").granted
    late = backlog.store.follow("issue-1", 5, "w1", "transfer")
    assert (late.granted, late.reason, late.token) == (False, "superseded", 6)
    backlog.store.follow("issue-1", 9, "w3", "takeover")
    assert backlog.store.status("issue-1").attempts == 2
    kinds = [(one.token, one.kind, one.ended_by) for one in backlog.store.grants("issue-1")]
    assert kinds == [(5, "work", "transfer"), (6, "transfer", "takeover"), (9, "takeover", "")]
    with pytest.raises(Usage):
        backlog.store.follow("issue-1", 10, "w3", "theft")
    with pytest.raises(Missing):
        backlog.store.follow("issue-2", 1, "w3", "work")
    backlog.store.complete("issue-1", Fence(9), WORKER, MERGED)
    assert backlog.store.follow("issue-1", 10, "w3", "work").reason == "complete"
