"""Blockers: each observation fits one row, the worst edge decides, and broken tables are caught."""

from __future__ import annotations

from itertools import product

import hypothesis.strategies as st
import pytest
from hypothesis import given

from plastic.rules.backlog import blockers
from plastic.rules.backlog.blockers import CLASSES, INVALID, TABLE, observe, rank, rejected, worst
from plastic.rules.backlog.items import STATES, Defect, Item, Route
from plastic.rules.backlog.reports import of_edges

# The fixture: what is seen -> (may a new edge name it, class of an old edge, its report)
EXPECTED = {
    "missing": ("reject", "invalid", "D8"),
    "invalid": ("reject", "invalid", "D9"),
    "parked": ("reject", "stalled", "D10"),
    "live": ("allow", "waiting", ""),
    "unmerged": ("allow", "waiting", "D14"),
    "open-grouping": ("allow", "waiting", ""),
    "complete": ("allow", "satisfied", ""),
}


def differences(table: dict[str, blockers.Row]) -> list[str]:
    """Where a table says something else than the fixture."""
    found = {seen: (row.author, CLASSES[row.rank], row.report) for seen, row in table.items()}
    return [seen for seen in EXPECTED if found.get(seen) != EXPECTED[seen]]


def test_the_table_is_the_fixture() -> None:
    assert differences(TABLE) == []
    assert set(TABLE) == set(EXPECTED)


MUTATIONS = [
    ("parked", {"author": "allow"}),
    ("parked", {"rank": blockers.WAITING}),
    ("parked", {"report": ""}),
    ("live", {"author": "reject"}),
    ("live", {"rank": blockers.SATISFIED}),
    ("missing", {"rank": blockers.SATISFIED}),
    ("missing", {"author": "allow"}),
    ("invalid", {"rank": blockers.WAITING}),
    ("complete", {"rank": blockers.WAITING}),
    ("unmerged", {"rank": blockers.SATISFIED}),
]


@pytest.mark.parametrize(("seen", "change"), MUTATIONS)
def test_a_broken_table_is_caught(seen: str, change: dict[str, str | int]) -> None:
    broken = dict(TABLE)
    broken[seen] = broken[seen]._replace(**change)  # type: ignore[arg-type]
    assert differences(broken) == [seen]


@pytest.mark.parametrize(
    ("state", "pull", "container", "closed"),
    list(product(STATES, ("", "open", "green", "merged", "closed"), (False, True), (False, True))),
)
def test_every_observation_fits_one_row(
    state: str, pull: str, container: bool, closed: bool
) -> None:
    seen = observe(state, pull_state=pull, container=container, closed=closed)
    assert seen in TABLE
    if state in ("missing", "invalid", "parked"):
        assert seen == state
    assert (seen == "complete") == (
        state in ("live", "complete")
        and (closed if container else state == "complete" and pull in ("", "merged"))
    )


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (("complete", "live"), "waiting"),  # case 102
        (("complete", "parked", "live"), "stalled"),  # case 102
        (("missing", "parked"), "invalid"),  # case 102
        ((), "satisfied"),  # case 103
        (("complete",) * 150, "satisfied"),  # case 107
        (("complete",) * 149 + ("parked",), "stalled"),  # case 107
    ],
)
def test_case_102_103_107_the_worst_edge_decides(seen: tuple[str, ...], expected: str) -> None:
    assert CLASSES[worst(rank(one) for one in seen)] == expected


@given(st.lists(st.sampled_from(sorted(TABLE))), st.sampled_from(sorted(TABLE)))
def test_one_more_edge_never_makes_ready(seen: list[str], more: str) -> None:
    before = worst(rank(one) for one in seen)
    assert worst(rank(one) for one in [*seen, more]) >= before
    assert 0 <= before <= INVALID


def test_case_96_97_one_bad_target_refuses_all() -> None:
    assert rejected({"a-1": "live", "a-2": "complete", "a-3": "unmerged"}) == []
    ten = {f"a-{number}": "live" for number in range(9)} | {"b-1": "parked"}
    assert rejected(ten) == ["b-1"]
    assert rejected({"a-1": "missing", "a-2": "invalid"}) == ["a-1", "a-2"]


def test_case_98_99_old_edges_are_reported_with_both_keys() -> None:
    route = Route("ada", "shape", "Which shape?", "issue-3", "two fit")
    found = of_edges(
        Item("a-1"),
        [
            ("b-1", "missing", None),
            ("b-2", "parked", route),
            ("b-3", "live", None),
            ("b-4", "invalid", None),
            ("b-5", "parked", None),
        ],
    )
    assert [(one.code, one.item, one.on) for one in found] == [
        ("D8", "a-1", ("b-1",)),
        ("D10", "a-1", ("b-2",)),
        ("D9", "a-1", ("b-4",)),
        ("D10", "a-1", ("b-5",)),
    ]
    assert "ada rules on Which shape? at issue-3" in found[1].text
    assert "no route" in found[3].text
    assert isinstance(found[0], Defect)
