"""Items in tag form: every defect of the schema is named, nothing is guessed."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.items import natural, valid_id
from plastic.rules.backlog.reports import keeps_out, own
from plastic.rules.backlog.tagform import hints, read, write

FULL = ("backlog", "priority:P1", "phase:implementation", "homeRegion:local", "baseBranch:feat/x")


def changed(*tags: str, without: str = "") -> tuple[str, ...]:
    """The full set with one prefix replaced or taken away."""
    prefix = without or tags[0].partition(":")[0]
    return (*(tag for tag in FULL if not tag.startswith(prefix)), *tags)


# case, tags, links, codes of the reports, a word that the report must contain
CASES: list[tuple[str, tuple[str, ...], dict[str, list[str]], list[str], str]] = [
    ("case 8/1 all five", FULL, {}, [], ""),
    ("case 8/2 no region", changed(without="homeRegion"), {}, ["D1"], "region"),
    ("case 8/3 no priority", changed(without="priority"), {}, ["D1"], "priority"),
    ("case 8/4 no base", changed(without="baseBranch"), {}, ["D1"], "base"),
    ("no phase", changed(without="phase"), {}, ["D1"], "phase"),
    ("no marker", changed(without="backlog"), {}, ["D1"], "backlog"),
    ("case 8/6 two", changed("priority:P0", "priority:P2"), {}, ["D2"], "P0 and P2"),
    ("case 8/7 two resources", (*FULL, "resource:box", "resource:slot"), {}, [], ""),
    ("case 8/8 the same tag twice", (*FULL, "priority:P1"), {}, [], ""),
    ("case 8/9 unknown priority", changed("priority:P7"), {}, ["D3"], "P7"),
    ("a status as phase", changed("phase:review"), {}, ["D4"], "review"),
    (
        "case 8/11 doubled and unknown",
        changed("phase:implementation", "phase:review"),
        {},
        ["D4", "D2"],
        "review",
    ),
    ("case 8/12 unknown state", (*FULL, "state:done"), {}, ["D5"], "done"),
    ("case 8/13 case matters", (*FULL, "state:Complete"), {}, ["D5"], "Complete"),
    ("case 8/13 empty", (*FULL, "state:"), {}, ["D5"], "empty"),
    ("case 8/14 two states", (*FULL, "state:complete", "state:parked"), {}, ["D6"], "parked"),
    ("case 8/16 live", FULL, {}, [], ""),
    (
        "case 8/22 main in a grouping",
        changed("baseBranch:main"),
        {"partOf": ["repo/r/mem/backlog/issue-1"]},
        ["D7"],
        "issue-1",
    ),
    ("case 8/23 main alone", changed("baseBranch:main"), {}, [], ""),
    ("two parents", FULL, {"partOf": ["a-1", "a-2"]}, ["D2"], "a-1 and a-2"),
]


@pytest.mark.parametrize(
    ("tags", "links", "codes", "word"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_every_defect_of_the_tags_is_named(
    tags: tuple[str, ...], links: dict[str, list[str]], codes: list[str], word: str
) -> None:
    item = read("issue-7", tags, links)
    found = own(item)
    assert [defect.code for defect in found] == codes
    assert word in " ".join(defect.text for defect in found)
    assert bool(keeps_out(found)) == bool(codes)
    assert all(defect.item == "issue-7" for defect in found)


@pytest.mark.parametrize("value", ["delivered", "done", "in-review", "ready", "COMPLETE", ""])
def test_an_unknown_state_is_no_absent_one(value: str) -> None:
    assert read("issue-7", (*FULL, f"state:{value}")).state == "invalid"


def test_what_does_not_fit_stays_empty() -> None:
    item = read("issue-7", changed("priority:P0", "priority:P2"))
    assert item.priority is None
    assert item.tags == changed("priority:P0", "priority:P2")


def test_case_18_an_expiry_is_a_defect() -> None:
    item = read("issue-7", FULL, expires="2027-01-01T00:00:00Z")
    assert [(one.code, "2027" in one.text) for one in own(item)] == [("D27", True)]


def test_case_21_a_bare_demand_excludes_nothing() -> None:
    tags = (*FULL, "needs-box-exclusive")
    assert own(read("issue-7", tags)) == []
    assert hints(tags) == [
        "needs-box-exclusive excludes nothing; did you mean resource:needs-box-exclusive?"
    ]
    assert hints(FULL) == []


def test_a_park_without_route_is_reported_and_stays_parked() -> None:
    item = read("issue-7", (*FULL, "state:parked"))
    assert item.state == "parked"
    assert [defect.code for defect in own(item)] == ["D11"]


def test_tags_survive_a_round() -> None:
    tags = (*FULL, "state:parked", "resource:box", "ruling-owner:pm", "ruling-topic:shape", "pr:4")
    assert set(write(read("issue-7", tags))) == set(tags)
    direct = (*FULL, "state:complete", "pr:9", "direct-deployment")
    assert set(write(read("issue-8", direct))) == set(direct)
    assert read("issue-8", direct).direct


def test_keys_become_ids() -> None:
    links = {"blockedBy": ["repo/r/mem/backlog/issue-2", "issue-3"], "anchoredTo": ["src/a.py"]}
    item = read("issue-7", FULL, links)
    assert item.blocked_by == ("issue-2", "issue-3")
    assert item.anchors == (("src/a.py", ""),)


@pytest.mark.parametrize(
    ("one", "two"),
    [("issue-99", "issue-100"), ("issue-9", "issue-10"), ("a-2", "b-1"), ("issue-7", "issue-0070")],
)
def test_case_116_numbers_sort_as_numbers(one: str, two: str) -> None:
    assert natural(one) < natural(two)


@pytest.mark.parametrize(
    ("id", "valid"),
    [
        ("issue-7", True),
        ("local-17", True),
        ("gh.shop-3", True),
        ("issue", False),
        ("7", False),
        ("issue--7", False),
        ("issue-7/x", False),
        ("", False),
        ("a" * 70 + "-1", False),
    ],
)
def test_an_id_ends_in_the_number_of_its_mirror(id: str, valid: bool) -> None:
    assert valid_id(id) is valid if id else not valid
