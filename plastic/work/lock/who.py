"""Who holds an intent, from its durable files alone: seven lines, then every delegate."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso
from plastic.disk.lockfile import look, look_claims
from plastic.rules.lock.delegates import delegates_shown

if TYPE_CHECKING:
    from plastic.words import Claim, Intent, LockView

UNKNOWN = "Unknown"


def who(intent: Intent) -> dict[str, Any]:
    """What the files say, as one object; reads only, and no clock in it but the lock's state."""
    view = look(f"{intent.dir}/delivery.lock")
    raw = view.lock.raw if view.lock is not None else {}
    return {
        "intent": intent.name,
        "id": intent.id,
        "slug": intent.slug,
        "state": view.state,
        "agent": raw.get("owner_agent"),
        "harness": raw.get("owner_harness"),
        "session": view.lock.owner if view.lock is not None else None,
        "heartbeat_at": _heartbeat(view),
        "claims": [
            {"artifact": one.artifact, "by": one.delegate or one.owner}
            for one in _claims(intent, view)
        ],
        "delegates": delegates_shown(raw) if raw else [],
    }


def _heartbeat(view: LockView) -> str | None:
    return iso(view.heartbeat) if view.lock is not None and view.heartbeat is not None else None


def _claims(intent: Intent, view: LockView) -> list[Claim]:
    if view.lock is None:
        return []
    found = look_claims(intent.dir, view.lock.ttl, time.time())
    return [one for one in found if one.state == "fresh"]


def lines(found: dict[str, Any]) -> str:
    """The object as lines that are the same for the same files."""
    delegates = found["delegates"]
    claims = ", ".join(f"{one['artifact']} by {one['by']}" for one in found["claims"])
    shown = [
        f"{found['id']} \u00b7 {found['slug']}",
        f"State: {found['state']}",
        f"Controller: {_named(found['agent'], found['harness'])}",
        f"Session: {found['session'] or UNKNOWN}",
        f"Heartbeat: {found['heartbeat_at'] or 'none'}",
        f"Claims: {claims or 'none'}",
        f"Delegate: {_delegate(delegates[-1]) if delegates else 'none'}",
    ]
    shown += [f"- {one.get('session')}: {_delegate(one)}" for one in delegates]
    return "\n".join(shown)


def _delegate(one: dict[str, Any]) -> str:
    return f"{_named(one.get('agent'), one.get('harness'))}, {one.get('status') or UNKNOWN}"


def _named(agent: object, harness: object) -> str:
    """`agent via Harness`, each Unknown where nobody said it."""
    shown = str(harness)[:1].upper() + str(harness)[1:] if harness else UNKNOWN
    return f"{agent or UNKNOWN} via {shown}"
