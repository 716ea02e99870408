"""May this lock change hands now? The takeover decision, from what was seen and one clock."""

from __future__ import annotations

from typing import NamedTuple

from plastic.rules.lock.lease import SETTLE


class Evidence(NamedTuple):
    """A sign that somebody worked here: `kind` is commit, file or event; `at` in seconds."""

    kind: str
    at: float
    what: str


class Decision(NamedTuple):
    """`kind`: none, fresh, future, corrupt, settling, quarantine, granted, despite.

    `until` is the moment when the answer may change (settling, quarantine), `because` the newest
    sign of work.
    """

    kind: str
    until: float | None = None
    because: Evidence | None = None


def newest(seen: list[Evidence], heartbeat: float, now: float) -> Evidence | None:
    """The newest sign after the last heartbeat; a time ahead of the clock counts as now."""
    after = [one._replace(at=min(one.at, now)) for one in seen if one.at > heartbeat]
    return max(after, key=lambda one: one.at, default=None)


def decide(
    state: str,
    heartbeat: float | None,
    age: float | None,
    seen: list[Evidence],
    *,
    now: float,
    quarantine: float,
    despite: bool = False,
) -> Decision:
    """What a takeover by somebody else may do with a lock in this state."""
    if state == "corrupt":
        return _corrupt(age, now)
    if state != "stale" or heartbeat is None:
        return Decision(state)
    sign = newest(seen, heartbeat, now)
    if sign is None or sign.at + quarantine <= now:
        return Decision("granted", None, sign)
    if despite:
        return Decision("despite", sign.at + quarantine, sign)
    return Decision("quarantine", sign.at + quarantine, sign)


def _corrupt(age: float | None, now: float) -> Decision:
    """A writer of another program may still be at it: bytes that are seconds old are left alone."""
    if age is None or age > SETTLE:
        return Decision("corrupt")
    return Decision("settling", now + max(0.0, SETTLE - age))
