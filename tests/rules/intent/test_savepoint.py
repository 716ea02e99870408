"""Lines of the savepoint ledger (spec 1.5, cases 9.8/158 and 159)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.savepoint import LANDINGS, has, line, parse, parse_line, to_record

WHEN = "2026-11-30T10:00:00Z"
# What may stand in a field: words on one line.
FIELD = (
    st.text(min_size=1)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: text != "" and all(ord(one) >= 32 for one in text))
)


def test_a_line_has_three_fields_two_blanks_apart() -> None:
    assert line(WHEN, "Why", "spec.md created") == f"{WHEN}  Why  spec.md created\n"


@given(FIELD, FIELD)
def test_what_is_written_is_read(stage: str, milestone: str) -> None:
    text = line(WHEN, stage, milestone)
    assert parse(text) == [(WHEN, stage, milestone)]
    assert has(text, stage, milestone)
    assert text.count("\n") == 1


@given(st.text(), st.text(), st.text())
def test_hostile_fields_stay_on_one_line(when: str, stage: str, milestone: str) -> None:
    text = line(when, stage, milestone)
    assert text.count("\n") == 1
    assert "\r" not in text
    assert len(parse(text)) <= 1


@given(st.text())
def test_any_text_can_be_parsed(text: str) -> None:
    for row in parse(text):
        assert len(row) == 3
        assert all(row)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("# savepoint", None),
        (f"{WHEN}  Why", None),
        (f"{WHEN} Why started", None),
        (f"{WHEN}  Why  started", (WHEN, "Why", "started")),
        (f"  {WHEN}    Why     started  \r", (WHEN, "Why", "started")),
        (f"{WHEN}\tWhy\tstarted", (WHEN, "Why", "started")),
        (f"{WHEN}  Lock  takeover: B  from A", (WHEN, "Lock", "takeover: B  from A")),
    ],
)
def test_parse_line(text: str, expected: tuple[str, str, str] | None) -> None:
    assert parse_line(text) == expected


def test_the_key_is_the_pair() -> None:
    """Case 9.8/159: the same milestone in another stage is another line."""
    text = line(WHEN, "Why", "spec.md created")
    assert has(text, "Why", "spec.md created")
    assert not has(text, "How", "spec.md created")
    assert not has(text, "Why", "spec.md")


@pytest.mark.parametrize(
    ("artifact", "real", "expected"),
    [
        ("spec.md", False, [("Why", "started")]),
        ("spec.md", True, [("Why", "spec.md created")]),
        ("plan.md", False, [("How", "started")]),
        ("plan.md", True, [("How", "plan.md created")]),
        ("checklist.md", False, []),
        ("checklist.md", True, [("How", "checklist.md created"), ("Exec", "started")]),
        ("outcome.md", True, [("Exec", "outcome.md created")]),
        ("actions/ACTION_1.md", True, []),
        ("notes.md", True, []),
    ],
)
def test_what_a_write_records(artifact: str, real: bool, expected: list[tuple[str, str]]) -> None:
    assert to_record("", artifact, real=real) == expected


def test_saving_again_records_nothing() -> None:
    """Case 9.8/158."""
    for artifact, pairs in LANDINGS.items():
        text = "".join(line(WHEN, *pair) for pair in pairs)
        assert to_record(text, artifact, real=True) == []
