"""Every row of the lock's event table, and what delegates do to it (cases 9.1 and 9.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.disk.callttl import KEPT
from plastic.rules.lock.delegates import TERMINAL_KEPT, delegates_shown, with_delegate, with_status
from plastic.rules.lock.events import EVENTS, KEYS, TTL_BEFORE_CALL, Grant, milestone, next_lock
from plastic.rules.lock.lease import parse

T0, T1 = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
OLD: dict[str, Any] = {
    "type": "delivery",
    "owner_session": "O",
    "acquired_at": T0,
    "host": "h0",
    "acq": "a0",
    "token": 4,
    "ttl": 900,
    "run_mode": "auto",
    "owner_harness": "claude",
    "owner_agent": "lead",
    "owner_model": "m0",
    "owner_thread": None,
    "delegates": ["D"],
    "delegate_activity": [{"session": "D", "status": "active", "registered_at": T0}],
    "worktree": {"path": "/w"},
    "item": "7",
    "future_key": {"kept": True},
}


def grant(session: str = "N", **provenance: str | None) -> Grant:
    return Grant(session, 5, "a1", T1, "h1", 1800, provenance)


def test_the_table_has_exactly_the_events_of_the_page() -> None:
    assert list(EVENTS) == ["acquire", "rearm", "revive", "transfer", "takeover", "release"]


# event -> (token, acq, acquired_at, host, delegates, run_mode, owner_session)
ROWS = {
    "rearm": (4, "a0", T0, "h0", ["D"], "auto", "O"),
    "revive": (4, "a0", T0, "h0", ["D"], "auto", "O"),
    "transfer": (5, "a1", T0, "h0", ["D"], "auto", "N"),
    "takeover": (5, "a1", T1, "h1", [], None, "N"),
}


@pytest.mark.parametrize("event", ROWS)
def test_row(event: str) -> None:
    """Cases 9.1/3, 9.1/21: what each event keeps and what it renews."""
    session = "O" if event in ("rearm", "revive") else "N"
    lock = next_lock(event, OLD, grant(session))
    found = (
        lock["token"],
        lock["acq"],
        lock["acquired_at"],
        lock["host"],
        lock["delegates"],
        lock["run_mode"],
        lock["owner_session"],
    )
    assert found == ROWS[event]
    assert lock["future_key"] == {"kept": True}
    assert lock["worktree"] == {"path": "/w"}
    assert lock["item"] == "7"
    assert OLD["token"] == 4, "the old object is not touched"


def test_acquire_writes_the_whole_schema_and_no_process_id() -> None:
    """Case 9.1/1."""
    lock = next_lock("acquire", None, grant(mode="guided", agent="  ", harness="codex"))
    assert tuple(lock) == KEYS
    assert not any("pid" in key for key in lock)
    assert lock["run_mode"] == "guided"
    assert lock["owner_agent"] is None
    assert lock["owner_harness"] == "codex"
    assert lock["delegates"] == []
    assert parse(lock) is not None


def test_rearm_replaces_known_provenance_only_by_what_is_given() -> None:
    """Case 9.1/3: supplied non-blank overwrites, blank does not erase."""
    lock = next_lock("rearm", OLD, grant("O", model="m1", agent=" ", harness=None))
    assert (lock["owner_model"], lock["owner_agent"], lock["owner_harness"]) == (
        "m1",
        "lead",
        "claude",
    )


def test_takeover_starts_new_provenance() -> None:
    lock = next_lock("takeover", OLD, grant(agent="other"))
    assert (lock["owner_agent"], lock["owner_model"], lock["owner_harness"]) == (
        "other",
        None,
        None,
    )
    assert lock["ttl"] == 1800
    assert lock["delegate_activity"] == []


def test_a_legacy_lock_rearms_to_the_full_schema() -> None:
    """Case 9.1/4."""
    legacy = {"type": "delivery", "owner_session": "O", "acquired_at": T0}
    lock = next_lock("rearm", legacy, grant("O")._replace(token=0))
    assert set(lock) == set(KEYS)
    assert (lock["acquired_at"], lock["token"], lock["acq"], lock["ttl"]) == (T0, 0, "a1", 1800)
    assert lock["owner_agent"] is None


@pytest.mark.parametrize("event", ["rearm", "transfer"])
def test_a_ttl_that_a_long_call_extended_goes_back(event: str) -> None:
    lock = next_lock(event, {**OLD, "ttl": 7200, KEPT: 900}, grant("O"))
    assert KEPT not in lock
    assert lock["ttl"] == (900 if event == "rearm" else 1800)
    assert KEPT == TTL_BEFORE_CALL


def test_a_new_owner_is_not_its_own_delegate() -> None:
    lock = next_lock("transfer", {**OLD, "delegates": ["D", "N"]}, grant("N"))
    assert lock["delegates"] == ["D"]


def test_milestones_name_both_sessions_and_the_old_token() -> None:
    assert milestone("takeover", "N", "O", 4, "refs/plastic/salvage/1/4") == (
        "takeover: N reclaimed delivery lock from O, token 4, salvage refs/plastic/salvage/1/4"
    )
    assert milestone("transfer", "N", "O", 4) == "transfer: N from O, token 4"
    assert milestone("rearm", "N", "O", 4) == ""


# -- delegates ---------------------------------------------------------------------------------


def bare() -> dict[str, Any]:
    return next_lock("acquire", None, grant("O"))


def test_registering_twice_is_one_entry_and_moves_to_the_end() -> None:
    """Case 9.2/38."""
    lock = with_delegate(bare(), "D", T0, {"agent": "scout", "model": "m"})
    lock = with_delegate(lock, "E", T0, {})
    lock = with_delegate(lock, "D", T1, {"agent": "", "harness": "codex"})
    assert lock["delegates"] == ["D", "E"]
    assert [one["session"] for one in lock["delegate_activity"]] == ["E", "D"]
    last = lock["delegate_activity"][-1]
    assert (last["registered_at"], last["last_activity_at"]) == (T0, T1)
    assert (last["agent"], last["harness"], last["model"]) == ("scout", "codex", "m")


def test_a_finished_delegate_stays_authorized() -> None:
    """Case 9.2/39."""
    lock = with_status(with_delegate(bare(), "D", T0, {}), "D", "finished", T1)
    assert lock is not None
    assert lock["delegates"] == ["D"]
    assert lock["delegate_activity"][0]["status"] == "finished"
    assert with_status(lock, "X", "failed", T1) is None


def test_the_twenty_newest_terminal_records_stay() -> None:
    """Case 9.2/41: all 21 stay authorized."""
    lock = bare()
    for number in range(21):
        at = f"2026-01-01T00:{number:02d}:00Z"
        lock = with_delegate(lock, f"D{number}", at, {})
        marked = with_status(lock, f"D{number}", "finished", at)
        assert marked is not None
        lock = marked
    assert len(lock["delegates"]) == 21
    assert len(lock["delegate_activity"]) == TERMINAL_KEPT
    assert lock["delegate_activity"][0]["session"] == "D1"


def test_an_active_record_is_never_dropped() -> None:
    """Case 9.2/42."""
    lock = with_delegate(bare(), "old", T0, {})
    for number in range(25):
        at = f"2026-01-02T00:{number:02d}:00Z"
        lock = (
            with_status(with_delegate(lock, f"D{number}", at, {}), f"D{number}", "failed", at) or {}
        )
    sessions = [one["session"] for one in lock["delegate_activity"]]
    assert "old" in sessions
    assert len(sessions) == TERMINAL_KEPT + 1


def test_delegates_are_shown_bare_first_and_working_last() -> None:
    """Case 9.2/44."""
    lock = {
        "delegates": ["L", "A", "F"],
        "delegate_activity": [
            {"session": "A", "status": "active", "last_activity_at": T0},
            {"session": "F", "status": "finished", "last_activity_at": T1},
        ],
    }
    assert [one["session"] for one in delegates_shown(lock)] == ["L", "F", "A"]
    assert delegates_shown({"delegates": ["L"], "delegate_activity": "junk"})[0]["session"] == "L"


names = st.sampled_from(["A", "B", "C", "D", "E"])


@given(st.lists(st.tuples(names, st.sampled_from(["", "finished", "failed"]))))
def test_any_history_keeps_every_right_and_one_record_each(steps: list[tuple[str, str]]) -> None:
    lock = bare()
    registered: list[str] = []
    for place, (name, status) in enumerate(steps):
        at = f"{place:08d}"
        if status:
            lock = with_status(lock, name, status, at) or lock
        else:
            lock = with_delegate(lock, name, at, {})
            registered += [] if name in registered else [name]
    assert lock["delegates"] == registered
    sessions = [one["session"] for one in lock["delegate_activity"]]
    assert len(sessions) == len(set(sessions))
    assert set(sessions) <= set(registered)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from([*KEYS, "unknown"]), json_values),
    st.sampled_from(["rearm", "revive", "transfer", "takeover"]),
)
def test_whatever_a_readable_lock_holds_the_next_one_is_readable(
    raw: dict[str, Any], event: str
) -> None:
    """Odd values never make a lock that nobody can read, and unknown keys survive."""
    if parse(raw) is None:
        return
    lock = next_lock(event, raw, grant(str(raw["owner_session"])))
    assert parse(lock) is not None
    assert lock.get("unknown", 0) == raw.get("unknown", 0) or "unknown" in lock
