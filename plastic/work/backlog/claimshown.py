"""Claims and their ledger as the objects that `--json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso
from plastic.work.backlog.shown import when

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Grant, Granted, Released, Renewed, Status


def grants(ledger: list[Grant]) -> list[dict[str, Any]]:
    """The ledger of an item."""
    return [
        {
            "fencing_token": one.token,
            "owner": one.owner,
            "kind": one.kind,
            "at": iso(one.at),
            "ended_by": one.ended_by or None,
            "ended_at": when(one.ended_at),
        }
        for one in ledger
    ]


def granted(one: Granted) -> dict[str, Any]:
    """The answer to a claim."""
    return {
        "id": one.id,
        "granted": one.granted,
        "reason": one.reason or None,
        "fencing_token": one.token,
        "secret": one.secret,
        "owner": one.owner,
        "region": one.region,
        "lease_seconds": one.lease,
        "lease_expires_at": when(one.expires) if one.granted else None,
        "kind": one.kind or None,
        "near_miss": one.near_miss,
        "eligible_at": when(one.eligible),
        "holder": one.holder,
        "holder_token": one.holder_token,
    }


def renewed(one: Renewed) -> dict[str, Any]:
    """The answer to a renewal."""
    return {
        "id": one.id,
        "granted": one.granted,
        "reason": one.reason or None,
        "fencing_token": one.token,
        "owner": one.owner,
        "region": one.region,
        "lease_seconds": one.lease,
        "lease_expires_at": when(one.expires),
        "previous_lease_expires_at": when(one.previous),
        "lease_shortened": one.shortened,
    }


def released(one: Released) -> dict[str, Any]:
    """The answer to a release."""
    return {"id": one.id, "released": one.released, "fencing_token": one.token}


def status(one: Status) -> dict[str, Any]:
    """One look at a claim; never the secret."""
    return {
        "id": one.id,
        "exists": one.exists,
        "state": one.state,
        "held": one.held,
        "fencing_token": one.token,
        "released_fencing_token": one.released,
        "owner": one.owner,
        "region": one.region,
        "lease_expires_at": when(one.expires),
        "eligible_at": when(one.eligible),
        "attempts": one.attempts,
        "authoritative": one.authoritative,
    }
