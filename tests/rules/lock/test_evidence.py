"""The takeover decision as a table: state, age, signs, clock -> answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.lock.evidence import Evidence, decide, newest

NOW, HEARD, QUARANTINE = 10_000.0, 8_000.0, 300.0


def sign(at: float, kind: str = "file") -> Evidence:
    return Evidence(kind, at, "x")


# state, age, signs, despite -> kind, until
ROWS = [
    ("none", None, [], False, "none", None),
    ("fresh", 5.0, [], False, "fresh", None),
    ("fresh", 5.0, [], True, "fresh", None),
    ("future", -500.0, [], True, "future", None),
    ("stale", 2000.0, [], False, "granted", None),
    ("stale", 2000.0, [sign(7_999)], False, "granted", None),
    ("stale", 2000.0, [sign(8_000)], False, "granted", None),
    ("stale", 2000.0, [sign(8_500)], False, "granted", None),
    ("stale", 2000.0, [sign(9_700)], False, "granted", None),
    ("stale", 2000.0, [sign(9_701)], False, "quarantine", 10_001.0),
    ("stale", 2000.0, [sign(9_800, "commit"), sign(9_900)], False, "quarantine", 10_200.0),
    ("stale", 2000.0, [sign(9_900)], True, "despite", 10_200.0),
    ("stale", 2000.0, [sign(99_999)], False, "quarantine", 10_300.0),
    ("corrupt", None, [], False, "corrupt", None),
    ("corrupt", 5.1, [], False, "corrupt", None),
    ("corrupt", 5.0, [], False, "settling", 10_000.0),
    ("corrupt", 1.0, [], True, "settling", 10_004.0),
]


@pytest.mark.parametrize(("state", "age", "signs", "despite", "kind", "until"), ROWS)
def test_row(
    state: str,
    age: float | None,
    signs: list[Evidence],
    despite: bool,
    kind: str,
    until: float | None,
) -> None:
    heard = None if age is None else HEARD
    found = decide(state, heard, age, signs, now=NOW, quarantine=QUARANTINE, despite=despite)
    assert (found.kind, found.until) == (kind, until)


@given(st.lists(st.floats(0, 20_000)), st.floats(0, 600))
def test_a_quarantine_always_ends(times: list[float], quarantine: float) -> None:
    """No sign, however far in the future, keeps a lock for longer than the quarantine from now."""
    signs = [sign(at) for at in times]
    found = decide("stale", HEARD, 2000.0, signs, now=NOW, quarantine=quarantine)
    assert found.kind in ("granted", "quarantine")
    if found.until is not None:
        assert NOW < found.until <= NOW + quarantine
    last = newest(signs, HEARD, NOW)
    assert last is None or HEARD < last.at <= NOW
