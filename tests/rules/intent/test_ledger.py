"""Where an intent stands by ledger and documents (cases 9.8/161, 162, 9.11/221, 222)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.ledger import is_behind, last, phantoms, rebuild, station
from plastic.rules.intent.savepoint import line, parse
from plastic.rules.intent.stages import Facts

T = "2026-11-30T10:00:0{}Z"
WHAT = line(T.format(0), "What", "12--x.md")
SPEC = line(T.format(1), "Why", "spec.md created")
PLAN = line(T.format(2), "How", "plan.md created")
TAKEN = line(T.format(3), "Lock", "takeover: B reclaimed delivery lock from A")
OUTCOME = line(T.format(4), "Exec", "outcome.md created")
DONE = line(T.format(5), "Done", "delivered")

BORN = Facts(intent_heading=True)
SPECCED = Facts(intent_heading=True, spec=True)
FULL = Facts(intent_heading=True, spec=True, plan=True, checklist=True, action=True, outcome=True)


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("", Facts(), "what"),
        (WHAT, BORN, "why"),
        (WHAT + SPEC, SPECCED, "how"),
        (WHAT + SPEC + TAKEN, SPECCED, "how"),  # 9.11/221
        (WHAT + SPEC, BORN, "why"),  # 9.11/222
        (WHAT, SPECCED, "how"),
        (WHAT + OUTCOME, FULL, "end"),
        (WHAT + OUTCOME + DONE, FULL, "done"),
        (WHAT + OUTCOME + DONE + TAKEN, FULL, "done"),
        (WHAT + DONE, SPECCED, "how"),
        ("garbage\n", BORN, "why"),
    ],
)
def test_station(text: str, facts: Facts, expected: str) -> None:
    assert station(parse(text), facts) == expected


def test_last_passes_audits_over() -> None:
    """Case 9.11/221."""
    row = last(parse(WHAT + SPEC + TAKEN))
    assert row is not None
    assert row[2] == "spec.md created"
    assert last(parse(TAKEN)) is None


def test_a_lost_document_makes_its_line_a_phantom() -> None:
    """Case 9.8/162."""
    assert phantoms(WHAT + SPEC, BORN) == [SPEC.rstrip("\n")]
    assert is_behind(parse(SPEC), BORN)
    assert phantoms(WHAT + SPEC, SPECCED) == []
    assert not is_behind(parse(SPEC), SPECCED)


@pytest.mark.parametrize(
    ("stage", "facts", "expected"),
    [("How", BORN, 1), ("How", SPECCED, 0), ("Exec", SPECCED, 1), ("Exec", FULL, 0)],
)
def test_a_start_needs_what_it_starts_from(stage: str, facts: Facts, expected: int) -> None:
    assert len(phantoms(line(T.format(6), stage, "started"), facts)) == expected


def test_of_equal_pairs_the_later_is_a_phantom_but_audits_repeat() -> None:
    later = line(T.format(9), "Why", "spec.md created")
    assert phantoms(SPEC + later, SPECCED) == [later.rstrip("\n")]
    assert phantoms(TAKEN + TAKEN, SPECCED) == []


def test_rebuild_keeps_what_it_cannot_derive() -> None:
    """Case 9.8/161: started, takeover and Done lines and people's notes survive."""
    started = line(T.format(1), "Why", "started")
    begun = line(T.format(2), "Exec", "started")
    note = "a note of a person\n"
    text = WHAT + started + note + begun + TAKEN + DONE
    times = dict.fromkeys(("spec.md", "plan.md", "checklist.md", "outcome.md"), T.format(4))
    built = rebuild(text, FULL, times)
    for one in (WHAT, started, note, begun, TAKEN, DONE):
        assert one in built
    assert [row[2] for row in parse(built)] == [
        "12--x.md",
        "started",
        "started",
        "takeover: B reclaimed delivery lock from A",
        "spec.md created",
        "plan.md created",
        "checklist.md created",
        "outcome.md created",
        "delivered",
    ]
    assert rebuild(built, FULL, times) == built
    assert phantoms(built, FULL) == []


def test_rebuild_drops_phantoms_and_goes_on() -> None:
    """Case 9.11/222."""
    assert rebuild(WHAT + SPEC + TAKEN, BORN, {}) == WHAT + TAKEN
    assert rebuild("", BORN, {"spec.md": T.format(1)}) == ""


@given(st.text(), st.booleans(), st.booleans())
def test_rebuild_is_total_and_settles(text: str, spec: bool, plan: bool) -> None:
    facts = Facts(intent_heading=True, spec=spec, plan=plan)
    times = {"spec.md": T.format(1), "plan.md": T.format(2)}
    built = rebuild(text, facts, times)
    assert rebuild(built, facts, times) == built
    assert phantoms(built, facts) == []
