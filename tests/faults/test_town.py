"""S1: sessions at work, killed and stopped at random; nothing is lost, doubled or torn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.faults.town import Town, live
from tests.soak import record

if TYPE_CHECKING:
    from tests.world import World

SEED = 6
BIG = 20  # sessions
LONG = 30 * 60  # seconds


def test_a_short_life(shop: World) -> None:
    town = Town(shop, SEED)
    assert live(town, 3, lambda turn: turn >= 4) == []
    assert town.checker.looks > 0


@pytest.mark.soak
def test_half_an_hour(shop: World) -> None:
    since = time.monotonic()
    town = Town(shop, SEED)
    wrong = live(town, BIG, lambda _: time.monotonic() - since > LONG)
    count = town.count
    print(*sorted(count.items()), sep="\n")
    assert wrong == [], "\n".join(wrong)
    record(
        "S1: sessions at work for half an hour, killed and stopped at random, clocks stepped",
        f"{BIG} sessions, {sum(count[one] for one in ('plastic', 'plastic-lock', 'sh'))} commands, "
        f"{count['killed']} killed, {count['stopped']} stopped, {count['ended']} Ends, "
        f"{len(town.lines)} lines (seed {SEED})",
        f"0 of {len(town.lines)} lines lost, 0 double owners, 0 torn reads in "
        f"{town.checker.looks} looks",
        time.monotonic() - since,
    )
