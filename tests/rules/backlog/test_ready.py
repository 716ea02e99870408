"""The chain of causes: its order, its verdicts, and that what nobody knows only takes away."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from plastic.rules.backlog.items import Grip, Item
from plastic.rules.backlog.ready import (
    CALM,
    CAUSES,
    CHAIN,
    VERDICTS,
    Facts,
    cause,
    overlap,
    text,
    verdict,
)
from plastic.rules.backlog.reports import OWN, REPORTS, said_only
from plastic.rules.backlog.whole import World, compute

NOW = 1000.0
# In the order of the chain: what drops an item there.
DROPS = [
    ("complete", {"state": "complete"}),
    ("parked", {"state": "parked"}),
    ("vocabulary", {"state": "invalid"}),
    ("defect", {"own": ("D1",)}),
    ("held", {"hold": "held"}),
    ("quarantined", {"hold": "lapsed", "eligible": NOW + 1}),
    ("grouping", {"container": True}),
    ("cycle", {"cyclic": True}),
    ("invalid", {"invalid": 1}),
    ("stalled", {"stalled": 1}),
    ("siblings_active", {"siblings": ("a-2",)}),
    ("waiting", {"waiting": 1}),
    ("unrouted", {"routed": False}),
    ("foreign_region", {"region": "north"}),
    ("unjoined", {"unjoined": True}),
    ("integration_held", {"joining": "j-1"}),
    ("not_admitted", {"admission": "gated"}),
    ("mirror_unknown", {"admission": "unknown"}),
    ("attempts_unknown", {"attempts": None}),
    ("poison", {"poison": True}),
    ("resource_busy", {"busy": ("box",)}),
]
FINE = Facts("a-1", now=NOW, region="local", mine="local")


def test_the_chain_has_these_links_in_this_order() -> None:
    assert [one.code for one, _ in CHAIN] == [code for code, _ in DROPS]


@pytest.mark.parametrize(("code", "change"), DROPS)
def test_each_cause_drops(code: str, change: dict[str, object]) -> None:
    facts = FINE._replace(**change)  # type: ignore[arg-type]
    found = cause(facts)
    assert found is not None
    assert found.code == code
    assert text(found, facts)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"waiting": 1}, "waits for 1 open blocker"),
        ({"waiting": 2}, "waits for 2 open blockers"),
        ({"stalled": 1}, "waits for 1 parked blocker"),
        ({"invalid": 1}, "has 1 missing or unknown blocker"),
        ({"poison": True, "attempts": 1}, "was tried 1 time: park it"),
        ({"poison": True, "attempts": 3}, "was tried 3 times: park it"),
        ({"busy": ("box", "slot")}, "needs box, slot, in use"),
    ],
)
def test_a_cause_is_a_sentence(change: dict[str, object], says: str) -> None:
    facts = FINE._replace(**change)  # type: ignore[arg-type]
    found = cause(facts)
    assert found is not None
    assert text(found, facts) == says


def test_nothing_wrong_is_ready() -> None:
    assert cause(FINE) is None
    assert cause(FINE._replace(hold="released")) is None
    assert cause(FINE._replace(hold="lapsed", eligible=NOW)) is None
    assert cause(FINE._replace(mine=None, region="north")) is None


@given(st.lists(st.sampled_from(DROPS), min_size=1))
def test_the_first_cause_wins_and_none_adds(drops: list[tuple[str, dict[str, object]]]) -> None:
    facts = FINE
    for _, change in drops:
        facts = facts._replace(**change)  # type: ignore[arg-type]
    found = cause(facts)
    assert found is not None
    assert found.code in {code for code, _ in DROPS}


ENDS = [
    ("something", 1, 5, {"held": 4}, "ready"),
    ("case 8/122 nothing left", 0, 0, {}, "drained"),
    ("case 8/123 all held", 0, 3, {"held": 3}, "all_in_flight"),
    ("held, the rest waits", 0, 3, {"held": 1, "waiting": 2}, "all_in_flight"),
    ("case 8/124 a cycle", 0, 2, {"cycle": 2}, "cycle"),
    ("a cycle beside work", 0, 3, {"cycle": 2, "held": 1}, "cycle"),
    ("stalled", 0, 3, {"stalled": 1, "waiting": 2}, "all_stalled"),
    ("invalid", 0, 1, {"invalid": 1}, "all_invalid"),
    ("gated", 0, 2, {"not_admitted": 1, "mirror_unknown": 1}, "all_gated"),
    ("region", 0, 1, {"foreign_region": 1}, "all_foreign_region"),
    ("resources", 0, 2, {"resource_busy": 1, "held": 1}, "all_resource_blocked"),
    ("held, and a gate", 0, 2, {"not_admitted": 1, "held": 1}, "all_in_flight"),
    ("case 8/118 files", 0, 1, {"overlapping": 1, "held": 1}, "all_overlapping"),
    ("poison", 0, 1, {"poison": 1}, "all_poison"),
    ("only waiting", 0, 1, {"waiting": 1}, "all_waiting"),
    ("several", 0, 2, {"stalled": 1, "not_admitted": 1}, "mixed"),
]


@pytest.mark.parametrize(
    ("ready", "pending", "causes", "end"),
    [case[1:] for case in ENDS],
    ids=[case[0] for case in ENDS],
)
def test_how_a_look_ends(ready: int, pending: int, causes: dict[str, int], end: str) -> None:
    assert verdict(ready, pending, causes) == end
    assert end in VERDICTS
    assert (end in CALM) != VERDICTS[end].startswith("alarm")


def test_every_verdict_of_a_cause_is_explained() -> None:
    assert {one.verdict for one in CAUSES.values() if one.verdict} <= set(VERDICTS)


def test_the_report_table_is_whole() -> None:
    assert [code for code in REPORTS if code.startswith("D")] == [f"D{n}" for n in range(1, 28)]
    assert {"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D17", "D27"} <= set(OWN)
    assert not {"D12", "D15", "D16", "D20"} & set(OWN)


@pytest.mark.parametrize(
    ("mine", "theirs", "touched"),
    [
        ({"src/a.py"}, {"src/a.py": "a-2"}, ("a-2",)),
        ({"src"}, {"src/a.py": "a-2"}, ("a-2",)),
        ({"src/a/b.py"}, {"src/a": "a-2", "doc": "a-3"}, ("a-2",)),
        ({"src/a.py"}, {"src/ab.py": "a-2"}, ()),
        (set(), {"src/a.py": "a-2"}, ()),
    ],
)
def test_which_files_overlap(
    mine: set[str], theirs: dict[str, str], touched: tuple[str, ...]
) -> None:
    assert overlap(mine, theirs) == touched


def test_d16_is_only_a_guess_of_the_audit() -> None:
    assert said_only(Item("a-1", body="Status: done")) is not None
    assert said_only(Item("a-1", body="this is done when it works")) is None
    assert said_only(Item("a-1", state="complete", body="Status: done")) is None


def live(id: str, **fields: object) -> Item:
    """An item that is ready by itself."""
    item = Item(id, priority="P1", phase="implementation", region="local", base="feat/x")
    return item._replace(**fields)  # type: ignore[arg-type]


def world(*items: Item) -> World:
    """These items, looked at from the region `local`."""
    return World({item.id: item for item in items}, NOW, "local")


def test_case_106_an_imported_cycle_is_an_alarm_beside_ready_work() -> None:
    found = compute(
        world(live("a-1", blocked_by=("a-2",)), live("a-2", blocked_by=("a-1",)), live("a-3"))
    )
    assert found.ready == ("a-3",)
    assert [one.text for one in found.defects if one.code == "D17"] == [
        "a-1 -> a-2 -> a-1",
        "a-2 -> a-1 -> a-2",
    ]


def test_a_member_that_waits_for_its_own_grouping_is_a_cycle() -> None:
    found = compute(
        world(
            live("e-1", kind="grouping"),
            live("j-1", integrates="e-1", blocked_by=("a-1",)),
            live("a-1", part_of="e-1", blocked_by=("e-1",)),
        )
    )
    assert {one.item for one in found.defects if one.code == "D17"} == {"a-1", "e-1", "j-1"}


@given(
    st.sampled_from(
        [
            {"resources": ("box",)},
            {"part_of": "e-9"},
            {"state": "invalid"},
            {"admission": "unknown"},
            {"blocked_by": ("nobody-1",)},
            {"region": "moon"},
            {"attempts": None},
            {"phase": None},
        ]
    )
)
def test_what_nobody_knows_only_takes_away(change: dict[str, object]) -> None:
    up = Grip(1, 0, "w1", "local", NOW + 60, 60.0, "work")
    others = [live("a-2", resources=("box",), grip=up), live("a-3"), live("a-4")]
    before = compute(world(live("a-1"), *others))
    after = compute(world(live("a-1", **change), *others))
    assert set(after.ready) <= set(before.ready)


def test_a_variant_that_takes_missing_for_done_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from plastic.rules.backlog import blockers

    items = world(live("a-1", blocked_by=("gone-1",)))
    assert compute(items).ready == ()
    broken = dict(blockers.TABLE)
    broken["missing"] = broken["missing"]._replace(rank=blockers.SATISFIED)
    monkeypatch.setattr(blockers, "TABLE", broken)
    assert compute(items).ready == ("a-1",)
