"""The end of a claim, however it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plastic.store.book import Book
    from plastic.store.rows import Row


def end(book: Book, row: Row, how: str, **columns: Any) -> Row:
    """End the claim of an item: the token counts as given back, the ledger says how."""
    if not row.claimed:
        return book.change(row, **columns) if columns else row
    after = book.change(row, released=row.token, claimed=0, **columns)
    book.tx.run(
        "UPDATE grants SET ended_by = ?, ended_at = ? WHERE item = ? AND token = ?",
        how,
        book.tx.now,
        row.n,
        row.token,
    )
    book.say(row, "outcome", f"outcome/{row.token}/{how}", owner=row.owner, result=how)
    return after
