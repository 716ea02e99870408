"""The first row of an item: its number, its fields, and a tombstone that comes back to life."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog.items import natural
from plastic.store.rows import Row, by_n, find
from plastic.words import Refused

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Actor, Draft
    from plastic.store.book import Book


def new_id(book: Book, draft: Draft) -> str:
    """The id that the mirror gave, or the next local number."""
    if draft.id:
        if find(book.tx, book.project, draft.id) is not None:
            text = f"{draft.id} is there already"
            raise Refused("item-exists", text, run=f"plastic backlog show {draft.id}")
        return draft.id
    while True:
        last = book.tx.value("SELECT last FROM sequences WHERE project = ?", book.project) or 0
        book.tx.run(
            "INSERT INTO sequences (project, last) VALUES (?, ?) "
            "ON CONFLICT (project) DO UPDATE SET last = excluded.last",
            book.project,
            last + 1,
        )
        id = f"local-{last + 1}"
        known = book.tx.value("SELECT n FROM items WHERE project = ? AND id = ?", book.project, id)
        if known is None:
            return id


def stone(book: Book, id: str) -> Row:
    """The row of an id, made as a tombstone where there is none; its tokens survive in it."""
    n = book.tx.value("SELECT n FROM items WHERE project = ? AND id = ?", book.project, id)
    if n is None:
        book.tx.run(
            "INSERT INTO items (project, id, sort, state) VALUES (?, ?, ?, 'missing')",
            book.project,
            id,
            natural(id),
        )
        n = book.tx.value("SELECT n FROM items WHERE project = ? AND id = ?", book.project, id)
    return by_n(book.tx, n)


def born(book: Book, id: str, draft: Draft, actor: Actor, *, admitted: bool) -> Row:
    """Write the fields of a draft; who waited for this id sees it from now on."""
    row = stone(book, id)
    row = book.change(
        row,
        kind=draft.kind,
        subkind=draft.subkind,
        title=draft.title,
        body=draft.body,
        author=actor.name,
        provenance=draft.provenance,
        created=book.tx.now,
        revision=row.revision + 1 if row.created else 1,
        priority=draft.priority,
        phase=draft.phase,
        region=draft.region,
        base=draft.base,
        state="live",
        admission="admitted" if admitted else "gated",
        resources=json.dumps(sorted(set(draft.resources))),
        anchors=json.dumps(draft.anchors),
        route=None,
        threshold=draft.threshold,
        pull=None,
        pull_state="",
        direct=0,
        reserved_by=draft.reserved_by,
        location="",
        note="",
        collided=0,
        raw="[]",
        tags="[]",
        most=3,
    )
    book.spread(row)
    book.stale_dependents(row.n)
    book.groups.add(row.n)
    return row
