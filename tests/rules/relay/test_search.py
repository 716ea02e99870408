"""The relay searched to the end: every reachable state with every event, and planted bugs found."""

from __future__ import annotations

from typing import Any

import pytest

from plastic.rules.relay.changes import CHANGES
from plastic.rules.relay.guards import GUARDS
from plastic.rules.relay.state import STATES, from_json
from plastic.rules.relay.table import TABLE
from tests.rules.relay.search import every, wrong


def test_every_state_with_every_event() -> None:
    """P1-P9, P12, P13 hold at each step, and no state is beyond reach."""
    seen, rows = set(), set()
    for one in every():
        assert wrong(one) == [], one
        seen.add(one.step.state.state)
        rows.add(one.step.row)
    assert seen == set(STATES)
    # One task, one relay, one session at a time, good limits: these need more than the search has.
    assert {row.number for row in TABLE} - rows == {"1b", "25a", "31a", "31b", "36a"}


def test_the_table_names_only_what_exists() -> None:
    for row in TABLE:
        assert {name.removeprefix("not ") for name in row.guards} <= set(GUARDS)
        assert set(row.changes) <= set(CHANGES)


BUGS: dict[str, tuple[dict[str, Any], str, Any]] = {
    "commit on any text": (GUARDS, "arrived", lambda state, _: state.pending is not None),
    "background forgotten": (GUARDS, "busy", lambda *_: False),
    "budget reset by notifications": (GUARDS, "human", lambda *_: True),
    "guard at > instead of >=": (
        GUARDS,
        "guard ok",
        lambda state, _: state.max_cost is None or state.cost <= 0.95 * state.max_cost,
    ),
    "no cap check": (GUARDS, "cost ok", lambda *_: True),
    "foreign events heard": (GUARDS, "foreign", lambda *_: False),
    "claim ignored": (GUARDS, "claim free", lambda *_: True),
    "correction without end": (CHANGES, "correction spent", lambda state, _: state),
    "pending dropped on failure": (
        CHANGES,
        "not started",
        lambda state, _: state._replace(pending=None),
    ),
    "tasks survive a hop": (CHANGES, "tasks forgotten", lambda state, _: state),
    "steps without end": (GUARDS, "step ok", lambda *_: True),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, broken = BUGS[bug]
    monkeypatch.setitem(where, name, broken)
    assert any(wrong(one) for one in every()), bug


def test_an_unknown_key_of_a_snapshot_is_left_out() -> None:
    state = next(one.step.state for one in every() if one.step.state.state == "advancing")
    assert from_json({**state.to_json(), "later": 1}) == state
