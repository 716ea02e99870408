"""The stage table: what each document needs (design 7, cases 9.8/141-144, 156, 157)."""

from __future__ import annotations

from itertools import product

import pytest

from plastic.rules.intent.stages import STAGES, Facts, code_open, missing_for, next_step, stage

BORN = {"intent_heading": True}
SPEC = {**BORN, "spec": True}
PLAN = {**SPEC, "plan": True}
ACTION = {**PLAN, "action": True}
OPEN = {**ACTION, "checklist": True}


def facts(known: dict[str, bool], boxes: int = 0) -> Facts:
    return Facts(**known, open_boxes=boxes)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, "what"),
        (BORN, "why"),
        (SPEC, "how"),
        (PLAN, "how"),
        (ACTION, "how"),
        (OPEN, "exec"),
        ({**OPEN, "outcome": True}, "done"),
        ({"outcome": True}, "done"),
        ({"plan": True, "checklist": True, "action": True}, "exec"),
        ({**BORN, "plan": True, "checklist": True}, "why"),
    ],
)
def test_stage(known: dict[str, bool], expected: str) -> None:
    assert stage(facts(known)) == expected


@pytest.mark.parametrize(
    ("artifact", "known", "words"),
    [
        ("spec.md", {}, "## Intent"),
        ("spec.md", BORN, None),
        ("plan.md", BORN, "spec.md"),
        ("plan.md", SPEC, None),
        ("actions/ACTION_1.md", BORN, "spec.md"),
        ("actions/ACTION_1.md", SPEC, None),
        ("checklist.md", SPEC, "plan.md and a real action"),
        ("checklist.md", PLAN, "action"),
        ("checklist.md", {**SPEC, "action": True}, "plan.md"),
        ("checklist.md", ACTION, None),
        ("resources/note.md", {}, None),
        ("revisions.md", {}, None),
    ],
)
def test_missing_for(artifact: str, known: dict[str, bool], words: str | None) -> None:
    """Case 9.8/156."""
    missing = missing_for(artifact, facts(known))
    if words is None:
        assert missing is None
    else:
        assert missing is not None
        assert words in missing


@pytest.mark.parametrize(
    ("boxes", "words"), [(0, None), (1, "1 open box of"), (7, "7 open boxes of")]
)
def test_outcome_needs_every_box_ticked(boxes: int, words: str | None) -> None:
    """Case 9.8/157: the count is given."""
    missing = missing_for("outcome.md", facts(OPEN, boxes))
    assert missing is None if words is None else words in str(missing)


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({}, ("plan.md", "checklist.md", "action")),
        (SPEC, ("plan.md", "checklist.md", "action")),
        (PLAN, ("checklist.md", "action")),
        (ACTION, ("checklist.md",)),
        (OPEN, ()),
    ],
)
def test_code_opens_last(known: dict[str, bool], words: tuple[str, ...]) -> None:
    """Cases 9.8/141-144: named is what is missing, and only that."""
    missing = code_open(facts(known))
    assert (missing is None) == (not words)
    for word in ("plan.md", "checklist.md", "action"):
        assert (word in (missing or "")) == (word in words)


def test_every_combination_has_a_stage_and_a_next_step() -> None:
    flags = ("intent_heading", "spec", "plan", "checklist", "action", "outcome")
    for values in product((False, True), repeat=len(flags)):
        for boxes in (0, 2):
            known = facts(dict(zip(flags, values, strict=True)), boxes)
            assert stage(known) in STAGES
            assert next_step(known)
            assert (code_open(known) is None) == (known.plan and known.checklist and known.action)


@pytest.mark.parametrize(
    ("known", "boxes", "words"),
    [
        ({}, 0, "## Intent"),
        (BORN, 0, "spec.md"),
        (SPEC, 0, "plan.md"),
        (PLAN, 0, "actions/ACTION_1.md"),
        (ACTION, 0, "checklist.md"),
        (OPEN, 3, "3 open boxes"),
        (OPEN, 0, "outcome.md"),
        ({**OPEN, "outcome": True}, 0, "plastic end"),
    ],
)
def test_next_step_walks_the_stages(known: dict[str, bool], boxes: int, words: str) -> None:
    assert words in next_step(facts(known, boxes))
