"""Groupings in the database, and the worked example of the seed from end to end."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.completion import Evidence
from plastic.rules.backlog.tagform import read
from plastic.words import Refused
from tests.store.world import MERGED, PM, ROUTE, WORKER, Backlog


def test_case_111_112_a_container_is_never_offered(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1", "issue-2")
    assert backlog.ready() == ["issue-1", "issue-2"]
    assert backlog.claim("issue-90").reason == "grouping"
    assert backlog.why("issue-90") == ["grouping", "waiting", "ready"]
    for id in ("issue-1", "issue-2", "issue-91"):
        assert backlog.finish(id)
    assert backlog.ready() == []
    assert backlog.store.ready().verdict == "drained"
    assert backlog.claim("issue-90").reason == "grouping"


def test_an_ordinary_item_with_parts_is_a_container(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2", phase="integration", integrates="issue-1")
    backlog.add("issue-3", part_of="issue-1")
    assert backlog.ready() == ["issue-3"]


def test_case_126_127_exactly_one_integration_item(backlog: Backlog) -> None:
    backlog.add("issue-90", kind="grouping")
    with pytest.raises(Refused) as none:
        backlog.add("issue-1", part_of="issue-90")
    assert none.value.code == "integration-missing"
    backlog.add("issue-91", phase="integration", part_of="issue-90")
    item = backlog.store.item("issue-91")
    assert item
    assert (item.integrates, item.part_of, item.subkind) == ("issue-90", None, "integration")
    with pytest.raises(Refused) as two:
        backlog.add("issue-92", phase="integration", integrates="issue-90")
    assert two.value.code == "integration-twice"
    assert len(backlog.store.items()) == 2


def test_case_128_a_later_member_is_waited_for_at_once(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1")
    backlog.add("issue-2", part_of="issue-90")
    item = backlog.store.item("issue-91")
    assert item
    assert item.blocked_by == ("issue-1", "issue-2")
    assert backlog.codes() == {}


def test_case_129_the_join_is_exclusive(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1", "issue-2")
    backlog.take("issue-1")
    assert backlog.claim("issue-91", "w9").reason == "siblings_active"
    backlog.clock.pass_(1900)
    assert backlog.claim("issue-91", "w9").reason == "siblings_active"
    assert backlog.store.why("issue-91")[0].on == ("issue-1",)


def test_a_member_waits_while_the_join_is_held(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1")
    backlog.finish("issue-1")
    assert backlog.codes() == {"D20": ["issue-90"]}
    backlog.take("issue-91", "w9", kind="admin")
    backlog.add("issue-2", part_of="issue-90")
    assert backlog.claim("issue-2").reason == "integration_held"
    assert backlog.store.why("issue-2")[0].on == ("issue-91",)
    assert backlog.ready() == []


def test_case_132_a_grouping_closes_by_its_join_only(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1")
    backlog.add("issue-5", blocked_by=("issue-90",))
    backlog.finish("issue-1")
    with pytest.raises(Refused) as refused:
        backlog.store.complete("issue-90", None, PM, MERGED)
    assert refused.value.code == "grouping-open"
    assert "issue-91" in refused.value.reason
    assert backlog.why("issue-5") == ["waiting", "grouping", "ready"]
    fence = backlog.take("issue-91")
    with pytest.raises(Refused) as unchecked:
        backlog.store.complete("issue-91", fence, WORKER, Evidence("c0ffee", contained=True))
    assert unchecked.value.code == "not-checked"
    assert backlog.store.complete("issue-91", fence, WORKER, MERGED).ready == ("issue-5",)
    assert backlog.store.complete("issue-90", None, PM, MERGED).changed is False


def test_a_grouping_of_groupings(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91")
    backlog.group("issue-80", "issue-81", "issue-1")
    backlog.store.link("issue-80", "partOf", ["issue-90"], PM)
    assert backlog.why("issue-91") == ["waiting", "grouping", "waiting", "ready"]
    backlog.finish("issue-1")
    assert backlog.finish("issue-81").ready == ("issue-91",)
    backlog.finish("issue-91")
    assert backlog.store.ready().verdict == "drained"


def test_a_member_cannot_wait_for_its_own_grouping(backlog: Backlog) -> None:
    backlog.group("issue-90", "issue-91", "issue-1")
    with pytest.raises(Refused) as refused:
        backlog.store.link("issue-1", "blockedBy", ["issue-90"], PM)
    assert "issue-1 -> issue-90 -> issue-91 -> issue-1" in refused.value.reason


def test_research_plans_no_research_while_it_holds_research(backlog: Backlog) -> None:
    backlog.add("issue-1", phase="research")
    backlog.take("issue-1", PM.name)
    with pytest.raises(Refused) as refused:
        backlog.add("issue-90", kind="grouping", phase="research")
    assert refused.value.code == "research-leaf"
    backlog.add("issue-90", kind="grouping", phase="implementation")


def test_an_imported_grouping_without_a_join_is_reported(backlog: Backlog) -> None:
    tags = ("backlog", "priority:P1", "phase:implementation", "homeRegion:local", "baseBranch:e")
    items = [read("issue-2099", tags), read("issue-1", tags, {"partOf": ["issue-2099"]})]
    items.append(read("issue-2", tags, {"integrates": ["issue-80"]}))
    items.append(read("issue-3", tags, {"partOf": ["issue-80"]}))
    items.append(read("issue-80", tags))
    found = backlog.store.load(items, PM)
    assert {(one.code, one.item) for one in found} == {("D21", "issue-80"), ("D21", "issue-2099")}
    assert backlog.why("issue-2") == ["unjoined"]
    backlog.store.link("issue-2", "blockedBy", ["issue-3"], PM)
    assert backlog.codes() == {"D21": ["issue-2099"]}


TAGS = (
    "backlog",
    "priority:P1",
    "phase:implementation",
    "homeRegion:local",
    "baseBranch:feat/epic/wal-batching",
)
KEY = "repo/demo/mem/backlog/"


def test_the_worked_example_of_the_seed(backlog: Backlog) -> None:
    """Two items, one waiting for the other, both anchored, both of one grouping."""
    anchor = ["repo/demo/file/src/lattice/IWalShardGrain.cs"]
    seam = {"partOf": [f"{KEY}issue-2099"], "anchoredTo": anchor}
    poll = {**seam, "blockedBy": [f"{KEY}issue-2100"]}
    join = {
        "integrates": [f"{KEY}issue-2099"],
        "blockedBy": [f"{KEY}issue-2100", f"{KEY}issue-2101"],
    }
    backlog.store.load(
        [
            read("issue-2099", TAGS)._replace(kind="grouping"),
            read("issue-2100", TAGS, seam)._replace(title="Add the seam"),
            read("issue-2101", TAGS, poll)._replace(title="Use the seam"),
            read("issue-2102", TAGS, join),
        ],
        PM,
    )
    assert backlog.codes() == {}
    assert backlog.ready() == ["issue-2100"]
    assert backlog.why("issue-2101") == ["waiting", "ready"]
    assert backlog.store.dependents("issue-2100") == ["issue-2101", "issue-2102"]
    fence = backlog.take("issue-2100")
    assert backlog.store.ready().verdict == "all_in_flight"
    done = backlog.store.complete("issue-2100", fence, WORKER, MERGED)
    assert done.ready == ("issue-2101",)
    assert backlog.finish("issue-2101").ready == ("issue-2102",)
    assert backlog.codes() == {"D20": ["issue-2099"]}
    backlog.finish("issue-2102")
    assert backlog.store.ready().verdict == "drained"


def test_the_worked_example_when_the_blocker_is_deleted(backlog: Backlog) -> None:
    backlog.store.load(
        [read("issue-2100", TAGS), read("issue-2101", TAGS, {"blockedBy": ["issue-2100"]})], PM
    )
    backlog.store.forget("issue-2100", PM, force=True)
    assert backlog.ready() == []
    assert backlog.codes() == {"D8": ["issue-2101"]}


def test_no_grouping_lies_in_itself(backlog: Backlog) -> None:
    backlog.group("issue-1", "issue-2", "issue-3")
    backlog.group("issue-4", "issue-5", "issue-6")
    backlog.store.link("issue-4", "partOf", ["issue-1"], PM)
    for id, relation, over in (
        ("issue-1", "integrates", "issue-2"),
        ("issue-1", "partOf", "issue-4"),
        ("issue-1", "partOf", "issue-6"),
    ):
        with pytest.raises(Refused) as refused:
            backlog.store.link(id, relation, [over], PM)
        assert refused.value.code in ("grouping-ring", "integration-missing", "integration-twice")


def test_an_imported_ring_of_groupings_ends(backlog: Backlog) -> None:
    """What another tracker wrote is kept; whoever ends an item of it is answered."""
    backlog.group("issue-1", "issue-2", "issue-3")
    given = {item.id: item for item in backlog.store.items()}
    given["issue-1"] = given["issue-1"]._replace(integrates="issue-2")
    backlog.store.load(given.values(), PM)
    backlog.store.park("issue-3", None, PM, ROUTE)
    backlog.sound()
