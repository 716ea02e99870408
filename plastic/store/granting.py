"""Giving an item out: token, secret, ledger row and the mirror's message in one transaction."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from plastic.rules.answers import Granted
from plastic.store.book import Book
from plastic.store.fences import hashed

if TYPE_CHECKING:
    from plastic.rules.answers import Takeover
    from plastic.store.rows import Row
    from plastic.store.tx import Door, Tx


def grant(
    tx: Tx,
    door: Door,
    row: Row,
    how: str,
    owner: str,
    region: str,
    length: float,
    above: int,
    takeover: Takeover | None,
) -> Granted:
    """Stamp the item; what may be given out has been decided before."""
    token = max(row.token, above) + 1
    secret = secrets.token_hex(16)
    book = Book(tx, door.project)
    columns: dict[str, Any] = {
        "token": token,
        "owner": owner,
        "claim_region": region,
        "expires": tx.now + length,
        "lease": length,
        "claim_kind": how,
        "secret": hashed(secret),
        "moved": tx.now,
        "claimed": 1,
    }
    if how != "reclaim":
        columns |= {"pushed": None, "commented": None}
    if how in ("work", "takeover") and row.attempts is not None:
        columns["attempts"] = row.attempts + 1
    book.change(row, **columns)
    if row.claimed:
        tx.run(
            "UPDATE grants SET ended_by = ?, ended_at = ? WHERE item = ? AND ended_at IS NULL",
            how,
            tx.now,
            row.n,
        )
    tx.run(
        "INSERT INTO grants (item, token, owner, kind, at) VALUES (?, ?, ?, ?, ?)",
        row.n,
        token,
        owner,
        how,
        tx.now,
    )
    if how == "reclaim":
        book.remember(row, owner, "near-miss", before=row.token, token=token)
    elif how == "takeover" and takeover is not None:
        record = {
            "from": row.owner,
            "before": row.token,
            "branch": takeover.branch,
            "unpushed": takeover.pushed is False,
            "token": token,
        }
        book.say(row, "takeover", f"takeover/{token}", owner=owner, **record)
        book.remember(row, owner, "takeover", **record)
    else:
        book.say(row, "claim", f"claim/{token}", owner=owner, token=token)
    return Granted(
        row.id,
        granted=True,
        token=token,
        secret=secret,
        owner=owner,
        region=region,
        lease=length,
        expires=tx.now + length,
        kind=how,
        near_miss=how == "reclaim",
    )
