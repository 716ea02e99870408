"""Giving an item out: token, secret, ledger row and the mirror's message in one transaction."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.answers import Granted
from plastic.rules.backlog.attempts import COUNTED
from plastic.store.fences import hashed

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Takeover
    from plastic.store.book import Book
    from plastic.store.rows import Row


def stamp(
    book: Book, row: Row, how: str, token: int, owner: str, region: str, length: float
) -> str:
    """Write a new grant over whatever was there; answers the secret, which is kept as its hash."""
    tx = book.tx
    secret = secrets.token_hex(16)
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
    if how in COUNTED and row.attempts is not None:
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
    return secret


def announce(
    book: Book, row: Row, how: str, token: int, owner: str, takeover: Takeover | None
) -> None:
    """What the mirror and the trail hear of a grant; a re-claim leaves no marker."""
    if how == "reclaim":
        book.remember(row, owner, "near-miss", before=row.token, token=token)
    elif how == "takeover":
        record = {
            "from": row.owner,
            "before": row.token,
            "branch": takeover.branch if takeover else "",
            "unpushed": takeover is not None and takeover.pushed is False,
            "token": token,
        }
        book.say(row, "takeover", f"takeover/{token}", owner=owner, **record)
        book.remember(row, owner, "takeover", **record)
    else:
        book.say(row, "claim", f"claim/{token}", owner=owner, token=token)


def grant(
    book: Book,
    row: Row,
    how: str,
    owner: str,
    region: str,
    length: float,
    above: int,
    takeover: Takeover | None,
) -> Granted:
    """Give an item out; that it may be given out has been decided before."""
    token = max(row.token, above) + 1
    secret = stamp(book, row, how, token, owner, region, length)
    announce(book, row, how, token, owner, takeover)
    return Granted(
        row.id,
        granted=True,
        token=token,
        secret=secret,
        owner=owner,
        region=region,
        lease=length,
        expires=book.tx.now + length,
        kind=how,
        near_miss=how == "reclaim",
    )
