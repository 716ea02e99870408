"""Signs of life of another program: which of them protect an expired pen."""

from __future__ import annotations

from typing import Any

import pytest

from plastic.rules.pen.beat import counts
from plastic.rules.pen.block import TTL
from plastic.rules.pen.clock import stamp
from tests.rules.pen.test_table import NOW, pen

GOOD: dict[str, Any] = {
    "schema": "m8shift.holder_heartbeat.v1",
    "agent": "bo",
    "session": "20260622T180000Z-0a1b2c3d",
    "turn": 4,
    "state": "WORKING_BO",
    "written_at": stamp(NOW - 100),
    "source": "wrapper",
    "cadence_seconds": 60,
}


@pytest.mark.parametrize(
    ("differs", "protects"),
    [
        ({}, True),
        ({"turn": "4", "source": "runtime-listener"}, True),
        # Section 3.3: two of its periods, two minutes at least, a window at most.
        ({"written_at": stamp(NOW - 120)}, True),
        ({"written_at": stamp(NOW - 121)}, False),
        ({"written_at": stamp(NOW - 600), "cadence_seconds": 300}, True),
        ({"written_at": stamp(NOW - 601), "cadence_seconds": 300}, False),
        ({"written_at": stamp(NOW - TTL - 1), "cadence_seconds": TTL}, False),
        ({"written_at": stamp(NOW + 1)}, False),
        # Of another window, or what a claim writes once (case E31's refresher).
        ({"session": "x"}, False),
        ({"turn": 3}, False),
        ({"agent": "ana"}, False),
        ({"state": "AWAITING_BO"}, False),
        ({"source": "claim-refresh"}, False),
        # Damaged.
        ({"cadence_seconds": 0}, False),
        ({"cadence_seconds": TTL + 1}, False),
        ({"cadence_seconds": True}, False),
        ({"cadence_seconds": "60"}, False),
        ({"written_at": "soon"}, False),
        ({"written_at": 7}, False),
        ({"source": ["wrapper"]}, False),
    ],
)
def test_which_protects(differs: dict[str, Any], protects: bool) -> None:
    """Cases E26, E27 and section 3.3."""
    held = pen("WORKING_BO", left=-1, session=GOOD["session"])
    beat = {**GOOD, **differs}
    assert counts(beat, held, NOW) == (beat["written_at"] if protects else "")


def test_nothing_is_no_beat() -> None:
    assert counts({}, pen("WORKING_BO", left=-1), NOW) == ""
