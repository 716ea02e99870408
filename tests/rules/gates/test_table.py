"""The tables of the gates, as pure values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.gates.table import (
    DOORS,
    ORDER,
    SWITCHED,
    claims_for_me,
    lock_refusal,
    right_path,
)
from plastic.words import Claim

# Lock state, mine, Active (None: INDEX cannot be read) -> the refusal.
LOCK: list[tuple[str, bool, bool | None, str | None]] = [
    ("none", False, True, "no-lock"),
    ("none", False, False, None),
    ("none", False, None, None),
    ("fresh", False, True, "held"),
    ("fresh", False, False, "held"),
    ("fresh", False, None, "held"),
    ("future", False, False, "held"),
    ("stale", False, True, "stale"),
    ("stale", False, False, None),
    ("stale", False, None, "stale"),
    ("corrupt", False, True, "corrupt"),
    ("corrupt", False, False, None),
    ("corrupt", False, None, "corrupt"),
    ("fresh", True, True, None),
    ("stale", True, True, None),
    ("future", True, None, None),
]


@pytest.mark.parametrize(("state", "mine", "active", "code"), LOCK)
def test_the_lock_table(state: str, mine: bool, active: bool | None, code: str | None) -> None:
    assert lock_refusal(state, active=active, mine=mine) == code


@given(st.text(), st.sampled_from([True, False, None]))
def test_an_unknown_state_of_an_active_intent_is_closed(state: str, active: bool | None) -> None:
    if active is not False and state != "none":
        assert lock_refusal(state, active=active, mine=False) is not None


@pytest.mark.parametrize(
    ("delegate", "session", "agent", "mine"),
    [
        (None, "o", "main", True),
        (None, "o", "a1", True),
        (None, "d", "main", False),
        ("a1", "o", "a1", True),
        ("a1", "o", "main", False),
        ("a1", "x", "a1", False),
        ("d", "d", "a7", True),
        ("d", "o", "main", False),
        ("o", "o", "main", True),
    ],
)
def test_claims(delegate: str | None, session: str, agent: str, mine: bool) -> None:
    assert claims_for_me(Claim("spec.md", "o", delegate, "", "fresh"), session, agent) is mine


@pytest.mark.parametrize(
    ("path", "right"),
    [("/r/a/b.py", "/t/a/b.py"), ("/r", "/t"), ("/elsewhere/b.py", "/t"), ("/r2/b.py", "/t")],
)
def test_the_right_path(path: str, right: str) -> None:
    assert right_path(path, "/r", "/t") == right


def test_every_gate_has_a_door() -> None:
    """case 9.8/167: what is registered is implemented, and the other way round."""
    assert set(DOORS["gate"]) == {*ORDER, "savepoint-pre", "gate-check"}
    single = {gate for door, gates in DOORS.items() if door != "gate" for gate in gates}
    assert single == set(DOORS["gate"])
    assert set(ORDER) > SWITCHED
    assert not SWITCHED & {"protected", "lock", "claim"}
