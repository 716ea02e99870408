"""Who holds an intent, and is the lease alive: pure readings of one delivery.lock."""

from __future__ import annotations

from plastic.words import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TTL = 1800.0  # seconds, where a lock or config.yml does not say otherwise
TTL_MIN = 60.0
TTL_MAX = 86400.0
FUTURE = 60.0  # seconds that a heartbeat may lie ahead of us before we call the clock wrong
BEAT_EVERY = 30.0  # seconds between two heartbeats
SETTLE = 5.0  # seconds before a corrupt lock may be healed: its writer may still be at it
CALL_MAX = 4 * 3600.0  # seconds; the longest ttl that a long tool call can ask for
CALL_MARGIN = 60.0


def parse(raw: object) -> Lock | None:
    """A lock's JSON value as a Lock; None = corrupt.

    Corrupt is what leaves the owner unknown: no object, no owner, delegates that are no strings,
    a type that is not `delivery`. Odd numbers are read as their defaults instead.
    """
    if not isinstance(raw, dict) or raw.get("type", "delivery") != "delivery":
        return None
    owner = raw.get("owner_session")
    if not isinstance(owner, str) or not owner.strip():
        return None
    delegates = raw.get("delegates")
    if delegates is None:
        delegates = []
    if not isinstance(delegates, list):
        return None
    for one in delegates:
        if not isinstance(one, str):
            return None
    acq = raw.get("acq")
    return Lock(
        owner,
        [one for one in delegates if one.strip()],
        token_of(raw.get("token")),
        acq if isinstance(acq, str) else "",
        ttl_of(raw.get("ttl")),
        raw,
    )


def token_of(value: object) -> int:
    """A token as a number that is not negative; anything else is 0."""
    if isinstance(value, bool) or not isinstance(value, int):
        return 0
    return max(value, 0)


def ttl_of(value: object) -> float:
    """A ttl in seconds, within its bounds; anything that is no number is the default."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return TTL
    if not value > 0:
        return TTL
    return float(min(value, TTL_MAX))


def age_of(mtime: float, ctime: float, now: float) -> float:
    """Seconds since the last heartbeat; ctime replaces an mtime that was set forward."""
    return now - min(mtime, ctime)


def state_of(lock: Lock | None, age: float) -> str:
    """fresh, stale, corrupt or future, of a lock file that is there."""
    if lock is None:
        return "corrupt"
    if age < -FUTURE:
        return "future"
    return "stale" if age > lock.ttl else "fresh"


def call_ttl(timeout: float | None, ttl: float) -> float:
    """The ttl while a tool call with this stated timeout (seconds) runs."""
    if timeout is None or timeout + CALL_MARGIN <= ttl:
        return ttl
    return min(timeout + CALL_MARGIN, CALL_MAX)


def worktree(lock: Lock) -> dict[str, Any] | None:
    """The lock's provisioned worktree, None when it has none."""
    tree = lock.raw.get("worktree")
    if (
        isinstance(tree, dict)
        and tree.get("provisioned") is True
        and isinstance(tree.get("path"), str)
    ):
        return tree
    return None


def gives_heartbeat(lock: Lock, session: str) -> bool:
    """Whether an event of this session keeps the lease alive: owner, or a delegate at work."""
    if session == lock.owner:
        return session != ""
    if session not in lock.delegates:
        return False
    records = lock.raw.get("delegate_activity")
    for record in records if isinstance(records, list) else []:
        if isinstance(record, dict) and record.get("session") == session:
            return record.get("status") not in ("finished", "failed")
    return True
