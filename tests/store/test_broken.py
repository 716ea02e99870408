"""Non-vacuity: stores that are broken on purpose are caught, by the audit or by their own case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from plastic.rules.backlog import tagform
from plastic.rules.backlog.answers import Fence
from plastic.store import book as books
from plastic.store import kin, works
from plastic.store.book import Book
from plastic.words import Refused
from tests.store.world import PM, ROUTE, WORKER, Backlog

if TYPE_CHECKING:
    from collections.abc import Callable


def play(backlog: Backlog) -> None:
    """A little of everything that moves counters."""
    backlog.group("issue-90", "issue-91", "issue-1", "issue-2")
    backlog.add("issue-3", blocked_by=("issue-1", "issue-90"))
    backlog.add("issue-4", blocked_by=("issue-2",), admitted=False)
    backlog.finish("issue-1")
    backlog.store.park("issue-2", backlog.take("issue-2"), WORKER, ROUTE)
    backlog.store.link("issue-4", "blockedBy", ["issue-3"], PM)
    backlog.store.unlink("issue-4", "blockedBy", ["issue-2"], PM)
    backlog.add("issue-5")
    backlog.store.forget("issue-5", PM)
    backlog.group("issue-80", "issue-81", "issue-6")
    backlog.finish("issue-6")


def test_the_play_itself_is_sound() -> None:
    backlog = Backlog()
    play(backlog)
    backlog.sound()
    backlog.store.close()


def nothing(*_args: Any, **_named: Any) -> Any:
    """A step that is left out."""


def keep(book: Book, row: Any, *_more: Any) -> Any:
    """A step that changes nothing."""
    return row


BROKEN: list[tuple[str, Any, str, Callable[..., Any]]] = [
    ("a completion tells nobody", Book, "spread", nothing),
    ("an edge is not counted", Book, "recount", nothing),
    ("reports are never written", Book, "settle", nothing),
    ("what is pending is not counted", books, "shift", nothing),
    ("groups are not looked at", books, "settle_group", nothing),
    ("members are not counted", kin, "settle_in", keep),
]


@pytest.mark.parametrize(
    ("where", "name", "instead"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_a_store_that_leaves_out_a_step_is_caught(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, instead: Callable[..., Any]
) -> None:
    backlog = Backlog()
    monkeypatch.setattr(where, name, instead)
    try:
        play(backlog)
        found = backlog.store.audit()
    except (AssertionError, Refused) as error:
        found = [str(error)]
    monkeypatch.undo()
    assert found != []
    backlog.store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE items SET waiting = waiting + 1 WHERE id = 'issue-3'",
        "UPDATE items SET cyclic = 1 WHERE id = 'issue-3'",
        "UPDATE items SET own = 1 WHERE id = 'issue-3'",
        "UPDATE items SET members = 0 WHERE id = 'issue-90'",
        "UPDATE items SET most = 0 WHERE id = 'issue-3'",
        "UPDATE tally SET count = count + 1 WHERE name = 'pending'",
        "DELETE FROM reports WHERE code = 'D10'",
        "UPDATE grants SET token = token + 5",
    ],
)
def test_the_audit_sees_every_wrong_number(statement: str) -> None:
    backlog = Backlog()
    play(backlog)
    backlog.store.release("issue-3", Fence(1))
    with backlog.store.writing() as tx:
        changed = tx.run(statement)
    found = backlog.store.audit()
    assert changed > 0
    assert found != []
    backlog.store.close()


def test_a_literal_match_of_two_states_would_offer_finished_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tags = ("backlog", "priority:P1", "phase:research", "homeRegion:local", "baseBranch:b")
    backlog = Backlog()
    backlog.store.load([tagform.read("issue-1", (*tags, "state:done"))], PM)
    assert backlog.ready() == []

    def literal(_id: str, values: list[str], _defects: Any) -> str:
        return values[0] if values and values[0] in ("complete", "parked") else "live"

    monkeypatch.setattr(tagform, "_state", literal)
    backlog.store.load([tagform.read("issue-1", (*tags, "state:done"))], PM)
    assert backlog.ready() == ["issue-1"]
    backlog.store.close()


def test_a_completion_without_its_fence_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    backlog = Backlog()
    backlog.add("issue-1")
    backlog.store.release("issue-1", backlog.take("issue-1"))
    backlog.take("issue-1", "w2")
    monkeypatch.setattr(works, "check", lambda *_: False)
    from tests.store.world import MERGED

    done = backlog.store.complete("issue-1", Fence(1), WORKER, MERGED)
    assert done.item.state == "complete"  # what test_claims refuses in the sound store
    backlog.store.close()


def test_case_58_a_crash_right_after_a_grant(tmp_path: Any) -> None:
    path = str(tmp_path / "backlog.db")
    one = Backlog(path)
    one.add("issue-1")
    one.take("issue-1")
    one.store.close()  # nothing was said to the holder: it died
    two = Backlog(path)
    two.clock.now = one.clock.now + 1801
    assert two.take("issue-1", "w1").token == 2
    two.sound()
    two.store.close()
