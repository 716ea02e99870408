"""Solo is proven or it is not: every doubt of cases 9.5/88 to 9.5/94 as a row."""

from __future__ import annotations

from typing import Any

import pytest

from plastic.rules.lock.lease import TTL, parse
from plastic.rules.lock.solo import REASONS, why_not
from plastic.words import LockView


def held(owner: str, state: str = "fresh", path: str = "/s/1--a", **more: Any) -> LockView:
    lock = parse({"type": "delivery", "owner_session": owner, **more})
    return LockView(path, state, lock, 0.0, 1.0)


def unreadable(age: float | None) -> LockView:
    return LockView("/s/9--z", "corrupt", None, 0.0, age)


MINE = held("S")
ROWS: list[tuple[str, list[LockView], str, dict[str, bool], str | None]] = [
    ("9.5/88 one fresh lock, mine", [MINE], "S", {}, None),
    ("a foreign stale lock does not count", [MINE, held("F", "stale", "/s/2--b")], "S", {}, None),
    ("9.5/89 two of mine", [MINE, held("S", path="/s/2--b")], "S", {}, "several-locks"),
    ("a foreign fresh one", [MINE, held("F", path="/s/2--b")], "S", {}, "several-locks"),
    ("only a foreign one", [held("F")], "S", {}, "foreign-lock"),
    ("9.5/91 any delegate", [held("S", delegates=["D"])], "S", {}, "delegates"),
    ("9.5/91 a finished one", [held("S", delegate_activity=[{}])], "S", {}, "delegates"),
    ("9.5/92 blank session", [MINE], " ", {}, "no-session"),
    ("9.5/92 none", [], "S", {}, "no-lock"),
    ("9.5/92 only a stale one", [held("S", "stale")], "S", {}, "no-lock"),
    ("9.5/93 fresh unreadable", [MINE, unreadable(10.0)], "S", {}, "corrupt-lock"),
    ("9.5/93 unreadable, no age", [MINE, unreadable(None)], "S", {}, "corrupt-lock"),
    ("an old unreadable one", [MINE, unreadable(TTL + 1)], "S", {}, None),
    ("9.5/94 listed twice", [MINE, held("S")], "S", {}, None),
    ("a future one", [MINE, held("F", "future", "/s/2--b")], "S", {}, "future-lock"),
    ("held/ not proven", [MINE], "S", {"complete": False}, "incomplete"),
    ("a foreign pen", [MINE], "S", {"foreign_pen": True}, "pen"),
    ("an engine for many machines", [MINE], "S", {"many_machines": True}, "many-machines"),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_row(row: tuple[str, list[LockView], str, dict[str, bool], str | None]) -> None:
    _, views, session, more, expected = row
    found = why_not(views, session, **{"complete": True, **more})
    assert found == expected
    assert found is None or found in REASONS
