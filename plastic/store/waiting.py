"""A claim that waits its turn for a while: asking again, so that no waiter can be lost or left."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from plastic.words import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.backlog.answers import Granted
    from plastic.store.protocol import Claiming

# What passes by itself; every other refusal is answered at once.
PASSING = (
    "contended",
    "quarantined",
    "siblings_active",
    "integration_held",
    "resource_busy",
    "overlapping",
    "waiting",
)
SHORTEST, LONGEST = 0.05, 2.0  # seconds between two tries


def claim_within(
    store: Claiming,
    seconds: float,
    id: str | None,
    owner: str,
    *,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    **options: Any,
) -> Granted:
    """Claim, and try again while the reason may pass; `timeout` when the time is up."""
    if not seconds > 0:
        raise Usage(
            "wait-unusable",
            f"a wait of {seconds} seconds is none",
            run="plastic backlog claim --help",
        )
    end, nap = clock() + seconds, SHORTEST
    while True:
        got = store.claim(id, owner, **options)
        if got.granted or got.reason.partition(":")[0] not in PASSING:
            return got
        left = end - clock()
        if left <= 0:
            return got._replace(reason="timeout", error=f"{got.error}; waited {seconds:g} s")
        sleep(min(left, random.uniform(nap / 2, nap)))  # noqa: S311 - it spreads waiters
        nap = min(nap * 1.5, LONGEST)
