"""The delegates in a lock: registered, marked, shown; terminal records are bounded."""

from __future__ import annotations

from typing import Any

TERMINAL = ("finished", "failed")
TERMINAL_KEPT = 20


def with_delegate(
    lock: dict[str, Any], session: str, at: str, provenance: dict[str, str | None]
) -> dict[str, Any]:
    """The lock with `session` registered; again moves its record to the end."""
    delegates = list(lock.get("delegates") or [])
    if session not in delegates:
        delegates.append(session)
    record = _record(lock, session) or {"session": session, "registered_at": at}
    record |= {"status": "active", "last_activity_at": at}
    for flag in ("harness", "agent", "model", "thread"):
        value = (provenance.get(flag) or "").strip() or None
        record[flag] = value or record.get(flag)
    return _with_record(lock | {"delegates": delegates}, record)


def with_status(lock: dict[str, Any], session: str, status: str, at: str) -> dict[str, Any] | None:
    """The lock with a delegate marked finished or failed; None when it is no delegate.

    The mark describes; the session stays authorized.
    """
    if session not in (lock.get("delegates") or []):
        return None
    record = _record(lock, session) or {"session": session, "registered_at": at}
    for flag in ("harness", "agent", "model", "thread"):
        record.setdefault(flag, None)
    return _with_record(lock, record | {"status": status, "last_activity_at": at})


def _records(lock: dict[str, Any]) -> list[dict[str, Any]]:
    """The records that name a session; what else stands in the list says nothing."""
    found = lock.get("delegate_activity")
    rows = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return [one for one in rows if isinstance(one.get("session"), str)]


def _record(lock: dict[str, Any], session: str) -> dict[str, Any] | None:
    return next((dict(one) for one in _records(lock) if one.get("session") == session), None)


def _with_record(lock: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    others = [one for one in _records(lock) if one.get("session") != record["session"]]
    authorized = lock.get("delegates") or []
    return lock | {"delegate_activity": _bounded([*others, record], authorized)}


def _bounded(records: list[dict[str, Any]], authorized: list[str]) -> list[dict[str, Any]]:
    """Only the newest terminal records; a record of a delegate at work is never dropped."""
    ended = [
        (str(one.get("last_activity_at") or ""), place)
        for place, one in enumerate(records)
        if one.get("status") in TERMINAL or one.get("session") not in authorized
    ]
    dropped = {place for _, place in sorted(ended)[: max(0, len(ended) - TERMINAL_KEPT)]}
    return [one for place, one in enumerate(records) if place not in dropped]


def delegates_shown(lock: dict[str, Any]) -> list[dict[str, Any]]:
    """Every delegate for display: those without a record first, delegates at work last."""
    recorded = _records(lock)
    names = {one.get("session") for one in recorded}
    bare = [
        {"session": one, "status": "active"}
        for one in lock.get("delegates") or []
        if one not in names
    ]
    ordered = sorted(
        recorded,
        key=lambda one: (one.get("status") not in TERMINAL, str(one.get("last_activity_at") or "")),
    )
    return bare + ordered
