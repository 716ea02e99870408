"""Items and the ready set as the objects that `--json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso
from plastic.rules.backlog.grants import state_of

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Change
    from plastic.rules.backlog.items import Defect, Item, Route
    from plastic.rules.backlog.ready import Offer, Ready, Reason

HIDDEN = ("grip", "created", "anchors", "route", "defects")


def item(one: Item, now: float) -> dict[str, Any]:
    """One item, its claim without the secret."""
    plain = {name: value for name, value in one._asdict().items() if name not in HIDDEN}
    shown = {
        name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()
    }
    grip = one.grip
    state = state_of(grip, now)
    return {
        **shown,
        "created_at": iso(one.created),
        "anchors": [{"path": path, "blob": blob or None} for path, blob in one.anchors],
        "route": route(one.route),
        "defects": [defect(found) for found in one.defects],
        "claim": {
            "state": state,
            "held": state == "held",
            "owner": grip.owner or None,
            "fencing_token": grip.token or None,
            "lease_expires_at": when(grip.expires) if grip.token else None,
        },
    }


def route(one: Route | None) -> dict[str, str] | None:
    """The way out of a park."""
    return None if one is None else dict(one._asdict())


def defect(one: Defect) -> dict[str, Any]:
    """One row of a report."""
    return {"code": one.code, "item": one.item, "text": one.text, "on": list(one.on)}


def offer(one: Offer) -> dict[str, Any]:
    """One item of the ready set."""
    shown = one._asdict()
    created = shown.pop("created")
    return {**shown, "overlaps": list(one.overlaps), "created_at": iso(created)}


def ready(found: Ready) -> dict[str, Any]:
    """The ready set with its reports."""
    return {
        "ready": [offer(one) for one in found.items],
        "stalled": [defect(one) for one in found.stalled],
        "defects": [defect(one) for one in found.defects],
        "counts": found.counts,
        "pending": found.pending,
        "verdict": found.verdict,
        "causes": found.causes,
    }


def reasons(chain: list[Reason]) -> list[dict[str, Any]]:
    """The chain that `why` prints."""
    return [{**one._asdict(), "on": list(one.on)} for one in chain]


def change(one: Change, now: float) -> dict[str, Any]:
    """The answer to a write: the item as it is now, and what became ready because of it."""
    return {
        **item(one.item, now),
        "ready": list(one.ready),
        "late": one.late,
        "changed": one.changed,
    }


def when(seconds: float | None) -> str | None:
    """A moment as JSON has it."""
    return None if seconds is None else iso(seconds)
