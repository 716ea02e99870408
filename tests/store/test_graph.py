"""Authors, edges and the ready set in the database, by the numbers of their cases."""

from __future__ import annotations

import pytest

from plastic.rules.backlog.answers import Draft, Fence
from plastic.rules.backlog.items import Item
from plastic.words import Missing, Refused, Usage
from tests.store.world import FOUND, MERGED, PERSON, PM, ROUTE, WORKER, Backlog


@pytest.mark.parametrize("field", ["priority", "phase", "region", "base"])
def test_case_2_3_4_nothing_is_guessed(backlog: Backlog, field: str) -> None:
    with pytest.raises(Refused) as refused:
        backlog.add("issue-1", **{field: None})  # type: ignore[arg-type]
    assert refused.value.code == "field-missing"
    assert field in refused.value.reason
    assert backlog.store.items() == []


@pytest.mark.parametrize(
    "fields", [{"priority": "P7"}, {"phase": "review"}, {"kind": "epic"}, {"title": " "}]
)
def test_case_9_11_unknown_values(backlog: Backlog, fields: dict[str, str]) -> None:
    with pytest.raises(Usage):
        backlog.add("issue-1", **fields)  # type: ignore[arg-type]
    assert backlog.store.items() == []


def test_case_17_a_field_that_cannot_be_set_sets_none(backlog: Backlog) -> None:
    backlog.add("issue-1")
    for name in ("state", "phase", "created", "token", "admission", "ttl"):
        with pytest.raises(Usage):
            backlog.store.edit("issue-1", PM, {"body": "new", name: "x"})
    item = backlog.store.item("issue-1")
    assert item
    assert (item.body, item.revision) == ("", 1)


def test_case_19_ids_come_from_the_mirror_or_are_counted(backlog: Backlog) -> None:
    draft = Draft("t", priority="P1", phase="research", region="local", base="main")
    assert backlog.store.add(draft, PM, admitted=True).id == "local-1"
    assert backlog.store.add(draft, PM, admitted=True).id == "local-2"
    for odd in ("issue", "7", "a b-1"):
        with pytest.raises(Usage):
            backlog.store.add(draft._replace(id=odd), PM, admitted=True)
    with pytest.raises(Refused) as refused:
        backlog.add("local-1")
    assert refused.value.code == "item-exists"


def test_concurrent_authors_are_seen(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.store.edit("issue-1", PM, {"title": "A"}, if_revision=1)
    with pytest.raises(Refused) as refused:
        backlog.store.edit("issue-1", PM, {"title": "B"}, if_revision=1)
    assert (refused.value.code, refused.value.facts) == ("changed", {"revision": 2})


def test_case_24_a_region_that_is_not_routed(backlog: Backlog) -> None:
    backlog.add("issue-1", region="uksouth")
    backlog.add("issue-2")
    assert backlog.codes() == {"D22": ["issue-1"]}
    assert backlog.why("issue-1") == ["unrouted"]
    assert backlog.ready() == ["issue-2"]
    backlog.add("issue-3", region="north")
    assert backlog.ready(region="north") == ["issue-3"]
    assert backlog.why("issue-3") == ["foreign_region"]


def test_case_96_97_edges_are_all_or_nothing(backlog: Backlog) -> None:
    for number in range(1, 12):
        backlog.add(f"issue-{number}")
    backlog.finish("issue-1")
    backlog.store.park("issue-2", None, PM, ROUTE)
    backlog.store.link("issue-3", "blockedBy", ["issue-1", "issue-4"], PM)
    assert backlog.why("issue-3") == ["waiting", "ready"]
    many = [f"issue-{number}" for number in range(5, 12)]
    for bad in (["issue-2"], ["issue-99"], ["issue-2", "issue-99"]):
        with pytest.raises(Refused) as refused:
            backlog.store.link("issue-4", "blockedBy", [*many, *bad], PM)
        assert refused.value.code == "blocker-refused"
        assert all(one in refused.value.reason for one in ["issue-4", *bad])
    item = backlog.store.item("issue-4")
    assert item
    assert (item.blocked_by, item.revision) == ((), 1)
    with pytest.raises(Refused):
        backlog.add("issue-20", blocked_by=("issue-3", "issue-2"))
    assert backlog.store.item("issue-20") is None


def test_case_98_a_deleted_blocker_is_never_satisfied(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2", blocked_by=("issue-1",))
    with pytest.raises(Refused) as refused:
        backlog.store.forget("issue-1", PM)
    assert refused.value.facts == {"dependents": ["issue-2"]}
    backlog.store.forget("issue-1", PM, force=True)
    assert backlog.codes() == {"D8": ["issue-2"]}
    assert backlog.why("issue-2") == ["invalid"]
    assert backlog.store.ready().verdict == "all_invalid"
    backlog.add("issue-1")
    assert backlog.why("issue-2") == ["waiting", "ready"]


def test_case_99_109_a_blocker_parked_later_is_always_listed(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2", blocked_by=("issue-1",))
    for number in range(10, 20):
        backlog.add(f"issue-{number}")
    backlog.store.park("issue-1", None, PM, ROUTE)
    look = backlog.store.ready()
    assert len(look.items) == 10
    (stalled,) = look.stalled
    assert (stalled.item, stalled.on) == ("issue-2", ("issue-1",))
    assert "Which of the two shapes? at issue-9" in stalled.text


def test_case_102_mixed_blockers(backlog: Backlog) -> None:
    for number in range(1, 6):
        backlog.add(f"issue-{number}")
    backlog.add("issue-9", blocked_by=("issue-1", "issue-2"))
    backlog.finish("issue-1")
    assert backlog.why("issue-9")[0] == "waiting"
    backlog.store.link("issue-9", "blockedBy", ["issue-3", "issue-4"], PM)
    backlog.store.park("issue-3", None, PM, ROUTE)
    assert backlog.why("issue-9")[0] == "stalled"
    backlog.store.forget("issue-4", PM, force=True)
    assert backlog.why("issue-9")[0] == "invalid"
    assert backlog.codes() == {"D8": ["issue-9"], "D10": ["issue-9"]}


def test_case_104_105_edges_that_close_a_cycle(backlog: Backlog) -> None:
    for number in range(1, 4):
        backlog.add(f"issue-{number}")
    with pytest.raises(Refused) as own:
        backlog.store.link("issue-1", "blockedBy", ["issue-1"], PM)
    assert own.value.code == "self-edge"
    backlog.store.link("issue-1", "blockedBy", ["issue-2"], PM)
    with pytest.raises(Refused) as two:
        backlog.store.link("issue-2", "blockedBy", ["issue-1"], PM)
    assert "issue-2 -> issue-1 -> issue-2" in two.value.reason
    backlog.store.link("issue-2", "blockedBy", ["issue-3"], PM)
    with pytest.raises(Refused) as three:
        backlog.store.link("issue-3", "blockedBy", ["issue-1"], PM)
    assert "issue-3 -> issue-1 -> issue-2 -> issue-3" in three.value.reason
    assert backlog.ready() == ["issue-3"]


def given(id: str, *waits: str, **fields: object) -> Item:
    """An item of an import."""
    item = Item(id, id, priority="P1", phase="implementation", region="local", base="b")
    return item._replace(blocked_by=waits, **{"created": 1.0, **fields})  # type: ignore[arg-type]


def test_case_106_124_an_imported_cycle(backlog: Backlog) -> None:
    backlog.store.load([given("issue-1", "issue-2"), given("issue-2", "issue-1")], PM)
    look = backlog.store.ready()
    assert (look.verdict, look.pending, look.causes) == ("cycle", 2, {"cycle": 2})
    assert [one.text for one in look.defects] == [
        "issue-1 -> issue-2 -> issue-1",
        "issue-2 -> issue-1 -> issue-2",
    ]
    backlog.add("issue-3")
    assert backlog.codes()["D17"] == ["issue-1", "issue-2"]
    backlog.store.unlink("issue-1", "blockedBy", ["issue-2"], PM)
    assert backlog.codes() == {}
    assert backlog.ready() == ["issue-1", "issue-3"]


def test_case_107_150_blockers(backlog: Backlog) -> None:
    many = [f"issue-{number}" for number in range(1, 151)]
    backlog.store.load([*(given(one) for one in many), given("issue-200", *many)], PM)
    assert len(backlog.store.why("issue-200")[0].on) == 150
    backlog.store.park("issue-150", None, PM, ROUTE)
    assert backlog.why("issue-200") == ["stalled", "parked"]


def test_case_108_completing_answers_what_it_freed(backlog: Backlog) -> None:
    for number in (1, 2):
        backlog.add(f"issue-{number}")
    backlog.add("issue-3", blocked_by=("issue-1",))
    backlog.add("issue-4", blocked_by=("issue-1", "issue-2"))
    backlog.add("issue-5", blocked_by=("issue-1",), admitted=False)
    assert backlog.store.dependents("issue-1") == ["issue-3", "issue-4", "issue-5"]
    fence = backlog.take("issue-1")
    assert backlog.store.complete("issue-1", fence, WORKER, MERGED).ready == ("issue-3",)
    assert backlog.finish("issue-2").ready == ("issue-4",)
    again = backlog.store.complete("issue-1", fence, WORKER, MERGED)
    assert (again.changed, again.ready) == (False, ("issue-3",)), "who was killed is told again"
    assert backlog.finish("issue-3").ready == ()


def test_case_113_a_thousand_items_and_the_last_is_malformed(backlog: Backlog) -> None:
    items = [given(f"issue-{number}") for number in range(1, 1203)]
    backlog.store.load([*items, given("issue-1203", priority=None)], PM)
    assert backlog.codes() == {"D1": ["issue-1203"]}
    assert backlog.store.ready().pending == 1203


def test_case_116_the_order(backlog: Backlog) -> None:
    backlog.store.load(
        [
            given("issue-100"),
            given("issue-99"),
            given("issue-1", created=2.0),
            given("issue-200", priority="P0", created=9.0),
        ],
        PM,
    )
    assert backlog.ready() == ["issue-200", "issue-99", "issue-100", "issue-1"]


def test_case_7_117_a_resource_in_use(backlog: Backlog) -> None:
    backlog.add("issue-1", resources=("box", "slot"), anchors=(("src/a.py", ""),))
    backlog.add("issue-2", resources=("slot",), anchors=(("src/b.py", ""),))
    fence = backlog.take("issue-1")
    assert backlog.ready() == []
    assert backlog.store.ready().verdict == "all_resource_blocked"
    got = backlog.claim("issue-2", "w2")
    assert (got.granted, got.reason) == (False, "resource_busy")
    assert backlog.store.why("issue-2")[0].on == ("issue-1",)
    backlog.clock.pass_(1900)
    assert backlog.claim("issue-2", "w2").reason == "resource_busy"
    backlog.store.release("issue-1", fence)
    assert backlog.claim("issue-2", "w2").granted


def test_case_118_119_files_in_flight(backlog: Backlog) -> None:
    backlog.add("issue-1", anchors=(("src", ""),))
    backlog.add("issue-2", anchors=(("src/a.py", ""),))
    backlog.add("issue-3", anchors=(("doc/b.md", ""),))
    for number in (4, 5, 6):
        backlog.add(f"issue-{number}", phase="research", anchors=(("src/a.py", ""),))
    backlog.take("issue-1")
    overlaps = {one.id: one.overlaps for one in backlog.store.ready().items}
    assert overlaps["issue-2"] == ("issue-1",)
    assert overlaps["issue-3"] == overlaps["issue-4"] == ()
    taken = [backlog.claim(None, f"w{number}").id for number in range(2, 6)]
    assert taken == ["issue-3", "issue-4", "issue-5", "issue-6"]
    last = backlog.claim(None, "w9")
    assert (last.granted, last.reason) == (False, "overlapping")
    assert "issue-1" in last.error


def test_case_121_a_green_pull_request_comes_first(backlog: Backlog) -> None:
    backlog.add("issue-1", priority="P0")
    backlog.add("issue-2", priority="P3")
    backlog.store.pull("issue-2", 17, "green")
    look = backlog.store.ready()
    assert [(one.id, one.how) for one in look.items] == [
        ("issue-2", "resume"),
        ("issue-1", "ready"),
    ]
    assert backlog.codes()["D15"] == ["issue-2"]
    backlog.take("issue-2")
    assert "D15" not in backlog.codes()


def test_case_122_123_the_ends(backlog: Backlog) -> None:
    look = backlog.store.ready()
    assert (look.verdict, look.pending) == ("drained", 0)
    for number in (1, 2, 3):
        backlog.add(f"issue-{number}")
        backlog.take(f"issue-{number}", f"w{number}")
    look = backlog.store.ready()
    assert (look.verdict, look.pending, look.causes) == ("all_in_flight", 3, {"held": 3})


def test_case_118_nothing_but_overlap_ends_so(backlog: Backlog) -> None:
    backlog.add("issue-1", anchors=(("src", ""),))
    backlog.add("issue-2", anchors=(("src/a.py", ""),))
    backlog.take("issue-1")
    assert backlog.store.ready().verdict == "all_overlapping"


def test_d14_complete_and_not_merged_satisfies_nobody(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.add("issue-2", blocked_by=("issue-1",))
    backlog.finish("issue-1")
    assert backlog.ready() == ["issue-2"]
    backlog.store.pull("issue-1", 17, "open")
    assert backlog.codes() == {"D14": ["issue-1"]}
    assert backlog.why("issue-2")[0] == "waiting"
    assert backlog.store.pull("issue-1", 17, "merged").ready == ("issue-2",)


def test_case_141_the_row_of_a_direct_deployment(backlog: Backlog) -> None:
    draft = Draft("Hotfix", "issue-7", priority="P0", phase="implementation")
    draft = draft._replace(region="local", base="main")
    backlog.store.load([given("issue-8", "issue-7")], PM)
    assert backlog.codes() == {"D8": ["issue-8"]}
    with pytest.raises(Refused, match="not merged"):
        backlog.store.record(draft, PM, 17, merged=False)
    with pytest.raises(Refused) as worker:
        backlog.store.record(draft, WORKER, 17, merged=True)
    assert worker.value.code == "not-by-worker"
    done = backlog.store.record(draft, PM, 17, merged=True)
    assert (done.item.state, done.item.direct, done.ready) == ("complete", True, ("issue-8",))
    assert backlog.store.status("issue-7").state == "never"
    assert backlog.store.grants("issue-7") == []
    backlog.add("issue-9")
    backlog.store.release("issue-9", backlog.take("issue-9"))
    backlog.store.forget("issue-9", PM)
    with pytest.raises(Refused) as history:
        backlog.store.record(draft._replace(id="issue-9"), PM, 18, merged=True)
    assert history.value.code == "claim-history"


def test_case_142_143_144_the_gate(backlog: Backlog) -> None:
    backlog.add("issue-1", admitted=False)
    backlog.store.edit("issue-1", WORKER, {"body": "a full specification"})
    assert backlog.why("issue-1") == ["not_admitted"]
    with pytest.raises(Refused):
        backlog.store.admit("issue-1", WORKER)
    assert backlog.store.trail("issue-1")[-1]["what"] == "violation"
    assert backlog.ready() == []
    assert backlog.store.admit("issue-1", PERSON).ready == ()
    assert backlog.ready() == ["issue-1"]
    last = backlog.store.trail("issue-1")[-1]
    assert (last["actor"], last["what"], last["at"]) == ("ada", "admit", backlog.clock.now)
    backlog.store.gate("issue-1", PM, known=False)
    assert backlog.why("issue-1") == ["mirror_unknown"]
    assert backlog.store.ready().verdict == "all_gated"


def test_case_12_13_14_an_unknown_state_is_reconciled_under_a_claim(backlog: Backlog) -> None:
    from plastic.rules.backlog.tagform import read

    tags = ("backlog", "priority:P1", "phase:research", "homeRegion:local", "baseBranch:b")
    backlog.store.load([read("issue-1", (*tags, "state:done")), given("issue-2", "issue-1")], PM)
    assert backlog.codes() == {"D5": ["issue-1"], "D9": ["issue-2"]}
    assert backlog.claim("issue-1").reason == "vocabulary"
    with pytest.raises(Refused):
        backlog.store.reconcile("issue-1", Fence(1), PM, "complete")
    fence = backlog.take("issue-1", "pm-1", kind="admin")
    done = backlog.store.reconcile("issue-1", fence, PM, "complete")
    assert (done.item.state, done.ready) == ("complete", ("issue-2",))
    assert backlog.codes() == {}


def test_other_names_and_notes(backlog: Backlog) -> None:
    backlog.add("local-17")
    backlog.store.alias("local-17", "issue-2057")
    assert backlog.claim("issue-2057").id == "local-17"
    backlog.store.write_note("local-17", "the box needs a reset", WORKER)
    assert backlog.store.trail("local-17")[-1]["text"] == "the box needs a reset"
    backlog.add("issue-1")
    with pytest.raises(Refused):
        backlog.store.alias("local-17", "issue-1")
    with pytest.raises(Missing):
        backlog.store.alias("issue-3", "x-1")


def test_the_outbox_is_told_once(backlog: Backlog) -> None:
    backlog.add("issue-1")
    backlog.finish("issue-1", by=MERGED)
    rows = backlog.store.outbox()
    assert [one.kind for one in rows] == ["create", "claim", "outcome"]
    assert len({one.key for one in rows}) == 3
    backlog.store.sent([rows[0].seq, rows[1].seq])
    backlog.store.sent([rows[0].seq])
    assert [one.kind for one in backlog.store.outbox()] == ["outcome"]


def test_research_ends_with_findings_outside(backlog: Backlog) -> None:
    """Case 8/139."""
    backlog.add("issue-1", phase="research", body="everything that was found")
    fence = backlog.take("issue-1")
    from plastic.rules.backlog.completion import Evidence

    with pytest.raises(Refused) as refused:
        backlog.store.complete("issue-1", fence, WORKER, Evidence())
    assert refused.value.code == "no-findings"
    assert backlog.store.complete("issue-1", fence, WORKER, FOUND).item.state == "complete"
