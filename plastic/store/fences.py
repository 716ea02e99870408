"""The fencing check inside a write: whose token it is, and what is said when it is not."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from plastic.rules.backlog import grants
from plastic.words import Held, Lost, Refused

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Actor, Fence
    from plastic.store.rows import Row
    from plastic.store.tx import Door, Tx

SAYS = {
    "claim_required": "{id} is held by {owner} under token {token}: a write needs that token",
    "stale_token": "token {mine} of {id} is old: {owner} has {token}; stop and report",
    "unissued_token": "token {mine} of {id} was never given out; the highest is {token}",
    "claim_released": "{id} was given back under token {token}: claim it again",
    "foreign_region": "{id} was claimed in {region}, not in {here}",
    "wrong_secret": "the secret does not belong to this claim of {id}",
    "no_claim": "{id} is claimed by nobody: claim it first",
}


def hashed(secret: str) -> str:
    """How a secret is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()


def known(door: Door, row: Row, fence: Fence) -> bool:
    """Whether the presented secret is the claim's; none is enough unless the store demands one."""
    if fence.secret is None:
        return not door.require_secret
    return secrets.compare_digest(hashed(fence.secret), row.secret)


def refuse(row: Row, reason: str, fence: Fence | None) -> None:
    """Raises the refusal of a write."""
    said = SAYS[reason].format(
        id=row.id,
        owner=row.owner,
        token=row.token,
        mine=fence.token if fence else "",
        region=row.claim_region,
        here=fence.region if fence else "",
    )
    facts = {
        "id": row.id,
        "presented": fence.token if fence else None,
        "current": row.token,
        "owner": row.owner,
        "region": row.claim_region,
    }
    run = f"plastic backlog status {row.id}"
    code = reason.replace("_", "-")
    if reason == "claim_required":
        raise Held(code, said, run=run, who=row.owner, facts=facts)
    kind = Lost if reason in ("stale_token", "claim_released") else Refused
    # Whoever gave it back holds nothing.
    raise kind(code, said, run=run, who=row.owner if row.claimed else None, facts=facts)


def check(door: Door, tx: Tx, row: Row, fence: Fence | None) -> bool:
    """Refuses a write that the token does not admit; True = the lease has run out meanwhile."""
    reason = grants.write(row.grip, fence.token if fence else None, fence.region if fence else None)
    if not reason and fence is not None and row.token == 0:
        reason = "unissued_token"
    if not reason and fence is not None and not known(door, row, fence):
        reason = "wrong_secret"
    if reason:
        refuse(row, reason, fence)
    return fence is not None and grants.state_of(row.grip, tx.now) == "lapsed"


def only_human(actor: Actor, row: Row, what: str) -> None:
    """Refuses an agent what only a person does."""
    if not actor.human:
        raise Refused(
            "human-only",
            f"only a person may {what} {row.id}",
            run=f"plastic backlog show {row.id}",
            who=actor.name,
        )
