"""A claim that waits: it ends, it leaves nothing behind, and it gets what becomes free."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.answers import Fence
from plastic.store.waiting import claim_within
from plastic.words import Usage
from tests.store.world import PM, ROUTE, Backlog


class Time:
    """A clock that only sleeping moves, and what happens at a moment."""

    def __init__(self, backlog: Backlog) -> None:
        self.now = 0.0
        self.naps = 0
        self.backlog = backlog
        self.free_at: float | None = None

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds
        self.naps += 1
        self.backlog.clock.pass_(seconds)
        if self.free_at is not None and self.now >= self.free_at:
            self.backlog.store.release("issue-1", Fence(1))
            self.free_at = None


def test_case_29_a_wait_that_elapses_leaves_nothing(backlog: Backlog) -> None:
    backlog.add("issue-1")
    fence = backlog.take("issue-1")
    time = Time(backlog)
    got = claim_within(
        backlog.store, 10, "issue-1", "w2", sleep=time.sleep, clock=time.clock, lease=60
    )
    assert (got.granted, got.reason, got.holder) == (False, "timeout", "w1")
    assert 10 <= time.now < 10.01
    assert time.naps < 40
    backlog.store.release("issue-1", fence)
    assert backlog.take("issue-1", "w3").token == 2


def test_what_becomes_free_is_taken(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.take("issue-1")
    time = Time(backlog)
    time.free_at = 3.0
    got = claim_within(backlog.store, 60, "issue-1", "w2", sleep=time.sleep, clock=time.clock)
    assert (got.granted, got.token) == (True, 2)
    assert 3.0 <= time.now < 6.0


def test_what_does_not_pass_is_answered_at_once(backlog: Backlog) -> None:
    backlog.add("issue-1", admitted=False)
    backlog.add("issue-2")
    backlog.store.park("issue-2", None, PM, ROUTE)
    time = Time(backlog)
    for id, reason in (("issue-1", "not_admitted"), ("issue-2", "parked"), ("x-1", "missing")):
        got = claim_within(backlog.store, 60, id, "w2", sleep=time.sleep, clock=time.clock)
        assert (got.granted, got.reason) == (False, reason)
    assert time.naps == 0


@pytest.mark.parametrize("seconds", [0, -1])
def test_case_33_a_wait_that_is_none(backlog: Backlog, seconds: float) -> None:
    with pytest.raises(Usage):
        claim_within(backlog.store, seconds, "issue-1", "w1")
