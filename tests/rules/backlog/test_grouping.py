"""Groupings and cycles: who is in, who joins, which branch; paths and rings of a graph."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from plastic.rules.backlog.cycles import members, path, rings
from plastic.rules.backlog.grouping import (
    Group,
    branch,
    check_leaf,
    check_member,
    conflict,
    member_branch,
    reports,
    unjoined,
)
from plastic.rules.backlog.items import Item
from plastic.words import Refused

EPIC = Item("e-1", kind="grouping", phase=None)
MEMBER = Item("a-1", part_of="e-1", base="feat/epic/x")
JOIN = Item("j-1", integrates="e-1", base="main")

REFUSED = [
    ("case 8/126 no integration item", MEMBER, EPIC, [], "integration-missing"),
    ("case 8/127 a second one", JOIN._replace(base="b"), EPIC, ["j-9"], "integration-twice"),
    ("missing", MEMBER, None, ["j-1"], "target-missing"),
    ("forgotten", MEMBER, EPIC._replace(state="missing"), ["j-1"], "target-missing"),
    ("parked", MEMBER, EPIC._replace(state="parked"), ["j-1"], "grouping-closed"),
    ("itself", MEMBER._replace(part_of="a-1"), EPIC, ["j-1"], "self-edge"),
    ("case 8/22 main", MEMBER._replace(base="main"), EPIC, ["j-1"], "base-main"),
]


@pytest.mark.parametrize(
    ("item", "epic", "closers", "code"),
    [case[1:] for case in REFUSED],
    ids=[case[0] for case in REFUSED],
)
def test_who_may_not_join(item: Item, epic: Item | None, closers: list[str], code: str) -> None:
    with pytest.raises(Refused) as refused:
        check_member(item, epic, closers)
    assert refused.value.code == code
    assert refused.value.run.startswith("plastic backlog ")


def test_who_may_join() -> None:
    check_member(MEMBER, EPIC, ["j-1"])
    check_member(JOIN._replace(base="feat/epic/x"), EPIC, [])
    check_member(JOIN._replace(base="feat/epic/x"), EPIC, ["j-1"])
    check_member(MEMBER._replace(part_of=None), None, [])


def test_research_plans_no_research() -> None:
    plan = EPIC._replace(phase="research")
    study = MEMBER._replace(phase="research")
    with pytest.raises(Refused, match="emits implementation"):
        check_leaf(plan, study)
    check_leaf(plan, MEMBER)
    check_leaf(EPIC, study)


GROUPS = [
    ("no members yet", Group("e-1", (), (), 0, False, ()), []),
    ("no join", Group("e-1", ("a-1",), (), 1, False, ()), ["D21"]),
    ("two joins", Group("e-1", ("a-1",), ("j-1", "j-2"), 1, False, ()), ["D21"]),
    ("loose member", Group("e-1", ("a-1",), ("j-1",), 1, False, ("a-1",)), ["D21"]),
    ("sound", Group("e-1", ("a-1",), ("j-1",), 1, False, ()), []),
    ("all members done", Group("e-1", ("a-1",), ("j-1",), 0, False, ()), ["D20"]),
    ("closed", Group("e-1", ("a-1",), ("j-1",), 0, True, ()), []),
]


@pytest.mark.parametrize(
    ("group", "codes"), [case[1:] for case in GROUPS], ids=[case[0] for case in GROUPS]
)
def test_what_a_grouping_reports(group: Group, codes: list[str]) -> None:
    assert [defect.code for defect in reports(group)] == codes
    assert unjoined(group) == ("D21" in codes)


BASE = "feat/epic/x"
BRANCHES = [
    ("as it should be", f"{BASE}-parser", BASE, 0, "ok"),
    ("no pull request yet", f"{BASE}-parser", None, 0, "ok"),
    ("case 8/133 nested", f"{BASE}/parser", BASE, 0, "defect"),
    ("case 8/134 no ancestor", f"{BASE}-parser", BASE, 1, "defect"),
    ("case 8/134 bad ref is no no", f"{BASE}-parser", BASE, 128, "error"),
    ("case 8/135 to main", f"{BASE}-parser", "main", 0, "defect"),
    ("case 8/136 odd name", "ada/parser", BASE, 0, "nit"),
    ("a good name proves nothing", f"{BASE}-parser", "main", 1, "defect"),
]


@pytest.mark.parametrize(
    ("name", "pull", "ancestor", "verdict"),
    [case[1:] for case in BRANCHES],
    ids=[case[0] for case in BRANCHES],
)
def test_two_invariants_decide(name: str, pull: str | None, ancestor: int, verdict: str) -> None:
    found = branch(BASE, name, pull, ancestor)
    assert found.verdict == verdict
    assert (found.text == "") == (verdict == "ok")


def test_git_holds_no_name_below_a_name() -> None:
    assert conflict([BASE, "main"], f"{BASE}/parser") == BASE
    assert conflict([f"{BASE}/parser"], BASE) == f"{BASE}/parser"
    assert conflict([BASE], member_branch(BASE, "parser")) is None


def test_case_104_105_the_path_of_a_cycle() -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}
    assert path("a", "a", graph.__getitem__) == ["a", "b", "c", "a"]
    assert path("d", "d", graph.__getitem__) is None
    assert path("a", "d", graph.__getitem__) is None
    assert path("a", "a", {"a": ["a"]}.__getitem__) == ["a", "a"]


def test_a_long_chain_needs_no_recursion() -> None:
    graph = {str(n): [str(n + 1)] for n in range(50_000)} | {"50000": ["49999"]}
    assert members(graph) == {"49999", "50000"}


nodes = st.sampled_from("abcdef")


@given(st.dictionaries(nodes, st.lists(nodes, max_size=3)))
def test_members_are_those_that_reach_themselves(graph: dict[str, list[str]]) -> None:
    whole = {node: graph.get(node, []) for node in "abcdef"}
    expected = {node for node in whole if path(node, node, whole.__getitem__)}
    assert members(whole) == expected
    for node, way in rings(whole).items():
        assert way[0] == way[-1] == node
        assert all(two in whole[one] for one, two in pairwise(way))
