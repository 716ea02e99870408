"""Completion and parks: the act of each kind of item, the route of a park, as tables."""

from __future__ import annotations

from itertools import product

import pytest

from plastic.rules.backlog.answers import Actor
from plastic.rules.backlog.completion import ACTS, Evidence, kind_of, lacking
from plastic.rules.backlog.items import Item, Route
from plastic.rules.backlog.parking import PARTS, TABLE, check, missing
from plastic.words import Refused

WORKER = Actor("w1", role="worker")
IMPLEMENT = Item("a-1", phase="implementation", base="feat/x")
RESEARCH = Item("a-2", phase="research", body="the findings, at length")
DESIGN = Item("a-3", phase="research", subkind="design-integration")
JOIN = Item("a-4", phase="integration", integrates="e-1", subkind="integration", base="main")
RESERVED = IMPLEMENT._replace(reserved_by="pm-1")
HASH = (("out/report.json", "ab" * 32),)
MERGED = Evidence(commit="c0ffee", contained=True)

CASES = [
    ("merged", IMPLEMENT, MERGED, ""),
    ("nothing", IMPLEMENT, Evidence(), "no-evidence"),
    ("case 8/138 green, not merged", IMPLEMENT, Evidence(commit="c0ffee"), "not-merged"),
    ("not contained", IMPLEMENT, Evidence(commit="c0ffee", contained=False), "not-merged"),
    ("files", IMPLEMENT, Evidence(artefacts=HASH), ""),
    (
        "files, pull request open",
        IMPLEMENT._replace(pull=4, pull_state="green"),
        Evidence(artefacts=HASH),
        "not-merged",
    ),
    ("case 8/139 only in its body", RESEARCH, Evidence(), "no-findings"),
    ("a note", RESEARCH, Evidence(findings=1), ""),
    ("an artefact", RESEARCH, Evidence(artefacts=HASH), ""),
    ("research needs no merge", RESEARCH, Evidence(findings=2, strength="observed"), ""),
    ("design, unplanned", DESIGN, Evidence(findings=1, unplanned=("e-9",)), "unplanned"),
    ("design, planned", DESIGN, Evidence(findings=1), ""),
    ("join, not checked", JOIN, MERGED, "not-checked"),
    ("join, checked", JOIN, MERGED._replace(checked=True), ""),
    ("reserved, by the worker", RESERVED, MERGED, "merge-reserved"),
    ("unknown strength", IMPLEMENT, MERGED._replace(strength="sure"), "strength-unknown"),
]


@pytest.mark.parametrize(
    ("item", "evidence", "code"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_which_act_completes(item: Item, evidence: Evidence, code: str) -> None:
    found = lacking(item, WORKER, evidence)
    assert found.partition(":")[0] == code
    assert kind_of(item) in {act.kind for act in ACTS}


def test_a_reserved_merge_is_completed_by_whom_it_is_reserved_for() -> None:
    assert lacking(RESERVED, Actor("pm-1", role="pm"), MERGED) == ""


FULL = Route("pm", "shape", "Which shape?", "issue-9", "two shapes fit")


@pytest.mark.parametrize(("owner", "question"), list(product((False, True), repeat=2)))
def test_case_88_the_four_routes(owner: bool, question: bool) -> None:
    route = FULL._replace(
        owner=FULL.owner if owner else "", question=FULL.question if question else " "
    )
    (row,) = [row for row in TABLE if (row.owner, row.question) == (owner, question)]
    assert tuple(missing(route)) == row.missing
    if row.missing:
        with pytest.raises(Refused) as refused:
            check("a-1", route)
        assert all(part in refused.value.reason for part in row.missing)
        assert refused.value.facts["missing"] == list(row.missing)
    else:
        check("a-1", route)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("blank", ["", "   ", "\n"])
def test_case_88_89_every_part_is_needed(part: str, blank: str) -> None:
    assert missing(FULL._replace(**{part: blank})) == [part]


@pytest.mark.parametrize("owner", ["pm,ada", "pm, ada", ",", "a,b,c"])
def test_case_88_two_owners_are_none(owner: str) -> None:
    assert missing(FULL._replace(owner=owner)) == ["owner"]


@pytest.mark.parametrize("row", range(len(TABLE)))
def test_a_route_half_allowed_is_caught(row: int) -> None:
    """The non-vacuity of the table: with one more or one less part it does not fit the code."""
    one = TABLE[row]
    route = FULL._replace(
        owner=FULL.owner if one.owner else "", question=FULL.question if one.question else ""
    )
    for broken in ((), ("owner",), ("question",), ("owner", "question")):
        assert (tuple(missing(route)) == broken) == (broken == one.missing)
