"""The events of a delivery lock: what each one does to each key, as a table, and the next lock."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """What one event does to each group of keys, and the savepoint milestone it leaves."""

    token: str  # raised, same
    acq: str  # new, kept
    since: str  # acquired_at and host: new, kept
    delegates: str  # none, kept
    claims: str  # cleared, kept, renamed
    provenance: str  # given, merged, kept, session
    audit: str  # the milestone under the stage `Lock`, "" for none


EVENTS: dict[str, Row] = {
    "acquire": Row("raised", "new", "new", "none", "cleared", "given", ""),
    "rearm": Row("same", "kept", "kept", "kept", "kept", "merged", ""),
    "revive": Row("same", "kept", "kept", "kept", "kept", "kept", ""),
    "transfer": Row(
        "raised", "new", "kept", "kept", "renamed", "session", "transfer: {new} from {old}"
    ),
    "takeover": Row(
        "raised",
        "new",
        "new",
        "none",
        "cleared",
        "given",
        "takeover: {new} reclaimed delivery lock from {old}",
    ),
    "release": Row("same", "gone", "gone", "gone", "cleared", "gone", ""),
}

# The flag of a command -> the key of the lock. Descriptive: none of them grants anything.
PROVENANCE: dict[str, str] = {
    "mode": "run_mode",
    "harness": "owner_harness",
    "agent": "owner_agent",
    "model": "owner_model",
    "thread": "owner_thread",
}
KEYS = (
    "type",
    "owner_session",
    "acquired_at",
    "host",
    "acq",
    "token",
    "ttl",
    *PROVENANCE.values(),
    "delegates",
    "delegate_activity",
    "worktree",
    "item",
)
TTL_BEFORE_CALL = "ttl_before_call"  # what a long tool call put aside (disk/callttl.py)
UNREADABLE = "corrupt-or-missing"  # the previous owner, where no one can tell


class Grant(NamedTuple):
    """The values that an event may write: who, with which token and identity, and when."""

    session: str
    token: int
    acq: str
    at: str
    host: str
    ttl: int
    provenance: dict[str, str | None]


def next_lock(event: str, old: dict[str, Any] | None, grant: Grant) -> dict[str, Any]:
    """The lock's object after `event`; every key that no rule names survives."""
    row = EVENTS[event]
    lock = dict(old or {})
    lock["type"] = "delivery"
    if event != "revive":
        lock["owner_session"] = grant.session
    if row.since == "new" or not lock.get("acquired_at"):
        lock["acquired_at"] = grant.at
    if row.since == "new" or not lock.get("host"):
        lock["host"] = grant.host
    if row.acq == "new" or not lock.get("acq"):
        lock["acq"] = grant.acq
    if row.token == "raised" or "token" not in lock:  # noqa: S105 - a counter, no secret
        lock["token"] = grant.token
    _set_ttl(lock, grant.ttl, anew=row.acq == "new")
    _set_provenance(lock, row.provenance, grant.provenance)
    if row.delegates == "none":
        lock["delegates"] = []
        lock["delegate_activity"] = []
    if event == "transfer":
        lock["delegates"] = [one for one in lock.get("delegates") or [] if one != grant.session]
    for key in ("delegates", "delegate_activity"):
        if not isinstance(lock.get(key), list):
            lock[key] = []
    for key in ("worktree", "item"):
        lock.setdefault(key, None)
    return in_order(lock)


def in_order(lock: dict[str, Any]) -> dict[str, Any]:
    """The same object with the known keys first, as the page lists them."""
    known = {key: lock[key] for key in KEYS if key in lock}
    return known | {key: value for key, value in lock.items() if key not in known}


def _set_ttl(lock: dict[str, Any], ttl: int, *, anew: bool) -> None:
    before = lock.pop(TTL_BEFORE_CALL, None)
    if before is not None:
        lock["ttl"] = before
    if anew or "ttl" not in lock:
        lock["ttl"] = ttl


def _set_provenance(lock: dict[str, Any], rule: str, given: dict[str, str | None]) -> None:
    for flag, key in PROVENANCE.items():
        value = (given.get(flag) or "").strip() or None
        if rule == "given" or (rule == "merged" and value is not None):
            lock[key] = value
        else:
            lock.setdefault(key, None)


def milestone(event: str, new: str, old: str, token: int, salvage: str = "") -> str:
    """The audit milestone of an event; naming the OLD token makes a repeated try the same line."""
    text = EVENTS[event].audit.format(new=new, old=old)
    tail = f", token {token}" + (f", salvage {salvage}" if salvage else "")
    return text + tail if text else ""
