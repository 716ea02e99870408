"""Leases and tokens: lengths, states, quarantine, and which token may write, as tables."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from plastic.rules.backlog import grants
from plastic.rules.backlog.answers import Takeover
from plastic.rules.backlog.grants import (
    Terms,
    custody,
    eligible_at,
    granted,
    shortened,
    state_of,
    terms,
)
from plastic.rules.backlog.items import Grip
from plastic.words import Usage

START = 100_000.0
HELD = Grip(4, 3, "w1", "local", START + 1800, 1800.0, "work", moved=START)
GONE = START + 1800


@pytest.mark.parametrize(
    ("grip", "now", "state"),
    [
        (Grip(), START, "never"),
        (HELD, START, "held"),
        (HELD, GONE - 0.001, "held"),
        (HELD, GONE, "lapsed"),  # the boundary is lapsed
        (HELD._replace(released=4), START, "released"),
        (HELD._replace(released=4), GONE + 9999, "released"),
    ],
)
def test_the_four_states(grip: Grip, now: float, state: str) -> None:
    assert state_of(grip, now) == state
    assert state in grants.STATES


@pytest.mark.parametrize(
    ("asked", "given_"), [(None, 1800.0), (60.0, 60.0), (3600.0, 1800.0), (1800.0, 1800.0)]
)
def test_case_31_32_the_length_that_is_given(asked: float | None, given_: float) -> None:
    assert granted(asked, Terms(1800.0, 1800.0)) == given_


@pytest.mark.parametrize("asked", [0, -1, -0.5, float("nan")])
def test_case_33_no_lease_is_a_mistake(asked: float) -> None:
    with pytest.raises(Usage):
        granted(asked, Terms())


@pytest.mark.parametrize("ceiling", [10, "abc", None, True, 0, -5, 10**9])
def test_case_34_a_senseless_ceiling_stops_the_start(ceiling: object) -> None:
    with pytest.raises(Usage) as refused:
        terms(1800, ceiling)
    assert "lease.ceiling" in refused.value.reason


def test_sensible_terms() -> None:
    assert terms() == Terms(1800.0, 7200.0)
    assert terms(3600, 600).default == 600.0


@pytest.mark.parametrize(
    ("previous", "expires", "answer"),
    [
        (START + 1800, START + 60 + 1800, False),
        (START + 1800, START + 60 + 30, True),  # case 36
        (START + 1800, START + 1790 + 60, False),  # case 37: shorter, and yet later
        (None, START, None),  # case 38: unknown is not false
    ],
)
def test_case_36_37_38_shortened(
    previous: float | None, expires: float, answer: bool | None
) -> None:
    assert shortened(previous, expires) is answer


RELEASED = HELD._replace(released=4)
# case, record, token, region, verdict
WRITES = [
    ("absent", None, 9, None, ""),
    ("never claimed", Grip(), 9, None, ""),
    ("never claimed, none", Grip(), None, None, ""),
    ("case 8/47 live, none", HELD, None, None, "claim_required"),
    ("released, none", RELEASED, None, None, ""),
    ("case 8/48 below", HELD, 3, None, "stale_token"),
    ("below, released", RELEASED, 3, None, "stale_token"),
    ("above", HELD, 5, None, "unissued_token"),
    ("far above", HELD, 10**12, None, "unissued_token"),
    ("case 8/49 own, released", RELEASED, 4, None, "claim_released"),
    ("case 8/51 other region", HELD, 4, "north", "foreign_region"),
    ("same region", HELD, 4, "local", ""),
    ("no region told", HELD, 4, None, ""),
]


@pytest.mark.parametrize(
    ("grip", "token", "region", "verdict"),
    [case[1:] for case in WRITES],
    ids=[case[0] for case in WRITES],
)
def test_which_token_writes(
    grip: Grip | None, token: int | None, region: str | None, verdict: str
) -> None:
    assert grants.write(grip, token, region) == verdict
    assert verdict in {row[2] for row in grants.WRITES}


RENEWALS = [
    ("missing", None, 4, START, "missing"),
    ("held", HELD, 4, START, ""),
    ("case 8/39 below", HELD, 3, START, "superseded"),
    ("forged", HELD, 5, START, "superseded"),
    ("lapsed, nobody else", HELD, 4, GONE, "lapsed"),
    ("lapsed and taken", HELD, 3, GONE, "superseded"),
    ("given back", RELEASED, 4, START, "released"),
]


@pytest.mark.parametrize(
    ("grip", "token", "now", "verdict"),
    [case[1:] for case in RENEWALS],
    ids=[case[0] for case in RENEWALS],
)
def test_who_renews(grip: Grip | None, token: int, now: float, verdict: str) -> None:
    assert grants.renewal(grip, token, now) == verdict


@pytest.mark.parametrize(
    ("grip", "token", "verdict"),
    [
        (None, 1, "missing"),
        (Grip(), 1, "unclaimed"),
        (HELD, 4, ""),  # case 41
        (RELEASED, 4, "again"),  # case 42
        (HELD, 3, "stale"),  # case 43
        (HELD, 2**62, "stale"),  # case 44
        (RELEASED, 2**62, "stale"),
    ],
)
def test_case_41_to_44_who_gives_back(grip: Grip | None, token: int, verdict: str) -> None:
    assert grants.release(grip, token) == verdict


END = GONE + 1800  # one more lease
FOLLOW = Takeover("w1", 4)
CUSTODY = [
    ("nobody", Grip(), START, "w2", None, None, "work"),
    ("given back", RELEASED, START, "w2", None, None, "work"),
    ("case 8/28 held", HELD, START, "w2", None, FOLLOW, "contended"),
    ("held by myself", HELD, START, "w1", None, None, "contended"),
    ("case 8/62 my own lapse", HELD, GONE + 1, "w1", 4, None, "reclaim"),
    ("my own lapse, late", HELD, END + 9999, "w1", None, None, "reclaim"),
    ("case 8/63 somebody between", HELD, GONE + 1, "w1", 3, None, "superseded"),
    ("case 8/64 a minute later", HELD, GONE + 60, "w2", None, FOLLOW, "quarantined"),
    (
        "case 8/66 comment 59 min ago",
        HELD._replace(commented=END - 59 * 60),
        END,
        "w2",
        None,
        FOLLOW,
        "live_evidence",
    ),
    (
        "case 8/66 comment 61 min ago",
        HELD._replace(commented=END + 600 - 61 * 60),
        END + 600,
        "w2",
        None,
        FOLLOW,
        "takeover",
    ),
    (
        "push 10 min ago",
        HELD._replace(pushed=END - 600),
        END,
        "w2",
        None,
        FOLLOW,
        "live_evidence",
    ),
    (
        "case 8/67 token 30 min ago",
        HELD._replace(moved=END - 1800),
        END,
        "w2",
        None,
        FOLLOW,
        "live_evidence",
    ),
    ("case 8/68 quiet", HELD, END, "w2", None, FOLLOW, "takeover"),
    ("case 8/69 no record", HELD, END, "w2", None, None, "takeover_record"),
    ("wrong owner", HELD, END, "w2", None, Takeover("w9", 4), "takeover_record"),
    ("wrong token", HELD, END, "w2", None, Takeover("w1", 3), "takeover_record"),
]


@pytest.mark.parametrize(
    ("grip", "now", "owner", "held", "takeover", "how"),
    [case[1:] for case in CUSTODY],
    ids=[case[0] for case in CUSTODY],
)
def test_how_an_owner_gets_it(
    grip: Grip, now: float, owner: str, held: int | None, takeover: Takeover | None, how: str
) -> None:
    assert custody(grip, now, owner, held, takeover) == how
    assert how in grants.CUSTODY


times = st.none() | st.floats(START, START + 20_000)


@given(times, times, times, st.floats(START, START + 40_000))
def test_eligible_means_a_lease_and_an_hour_of_silence(
    pushed: float | None, commented: float | None, moved: float | None, now: float
) -> None:
    grip = HELD._replace(pushed=pushed, commented=commented, moved=moved)
    taken = custody(grip, now, "w2", None, FOLLOW) == "takeover"
    assert taken == (now >= eligible_at(grip))
    assert taken == (now >= GONE + 1800 and grants.signs(grip, now) == [])
