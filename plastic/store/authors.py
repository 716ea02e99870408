"""What authors do: new items, fields, edges, notes, other names, and taking items away."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.answers import Change
from plastic.rules.backlog.drafts import RELATED, check_draft, check_fields
from plastic.rules.backlog.grouping import check_leaf
from plastic.rules.backlog.items import PULLS, Item
from plastic.store.birth import born, new_id
from plastic.store.book import Book
from plastic.store.fences import check
from plastic.store.kin import block, leave, most, no_cycle, place, relate
from plastic.store.rows import Row, by_n, ids, item_of, need, where
from plastic.words import Refused, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plastic.rules.backlog.answers import Actor, Draft, Fence
    from plastic.store.tx import Door, Tx

# What a person may set while somebody holds the item: it says what comes first, not what is done.
STEERING = {"title", "priority", "threshold", "reserved_by"}


def answer(book: Book, id: str, *, late: bool = False) -> Change:
    """Close the books of one write, and show the item as it is now."""
    book.settle()
    return Change(item_of(book.tx, need(book.tx, book.project, id)), book.newly_ready(), late)


class Authors:
    """The part of a store that authors write through."""

    def add(self: Door, draft: Draft, actor: Actor, *, admitted: bool) -> Item:
        """A new item; all of its edges or nothing."""
        draft = check_draft(draft)
        with self.writing() as tx:
            book = Book(tx, self.project)
            row = born(book, new_id(book, draft), draft, actor, admitted=admitted)
            _check_leaf(tx, self.project, row, actor)
            row = place(book, row, draft.part_of, draft.integrates)
            block(book, row, draft.blocked_by)
            for relation, field in RELATED.items():
                relate(book, row, relation, getattr(draft, field))
            no_cycle(book, row)
            book.dirty.add(row.n)
            book.say(row, "create", f"create/{row.revision}", gated=not admitted, title=row.title)
            return answer(book, row.id).item

    def edit(
        self: Door,
        id: str,
        actor: Actor,
        fields: dict[str, Any],
        *,
        fence: Fence | None = None,
        if_revision: int | None = None,
    ) -> Change:
        """Set fields of SETTABLE; anything else, or another revision, writes nothing."""
        columns = check_fields(fields)
        with self.writing() as tx:
            row = need(tx, self.project, id)
            if if_revision is not None and if_revision != row.revision:
                raise Refused(
                    "changed",
                    f"{row.id} is at revision {row.revision}, not {if_revision}; nothing written",
                    run=f"plastic backlog show {row.id}",
                    facts={"revision": row.revision},
                )
            steers = actor.human and fence is None and set(fields) <= STEERING
            overdue = False if steers else check(self, tx, row, fence)
            book = Book(tx, self.project)
            kept = [one for one in json.loads(row.raw) if one[2].partition(":")[0] not in fields]
            row = book.change(row, revision=row.revision + 1, raw=json.dumps(kept), **columns)
            if "threshold" in fields:
                limit = most(row)
                tx.run("UPDATE items SET most = ? WHERE part_of = ?", limit, row.n)
            book.remember(row, actor.name, "edit", fields=sorted(fields), late=overdue)
            book.dirty.add(row.n)
            return answer(book, row.id, late=overdue)

    def link(
        self: Door,
        id: str,
        relation: str,
        targets: Iterable[str],
        actor: Actor,
        *,
        fence: Fence | None = None,
    ) -> Change:
        """Add edges, all or none; refuses missing and parked blockers and cycles, with the path."""
        return _rewire(self, _link, id, relation, list(targets), actor, fence)

    def unlink(
        self: Door,
        id: str,
        relation: str,
        targets: Iterable[str],
        actor: Actor,
        *,
        fence: Fence | None = None,
    ) -> Change:
        """Take edges away."""
        return _rewire(self, _unlink, id, relation, list(targets), actor, fence)

    def forget(self: Door, id: str, actor: Actor, *, force: bool = False) -> Change:
        """Delete; with live dependents only by force, and then they are invalid. Tokens survive."""
        with self.writing() as tx:
            row = need(tx, self.project, id)
            check(self, tx, row, None)
            waits = _leaning(tx, row)
            if waits and not force:
                text = f"{row.id} is needed by {', '.join(waits)}"
                run = f"plastic backlog forget {row.id} --force"
                raise Refused("dependents", text, run=run, facts={"dependents": waits})
            before = item_of(tx, row)
            book = Book(tx, self.project)
            for (target,) in tx.all(
                "SELECT target FROM edges WHERE source = ? AND relation = 'blockedBy'", row.n
            ):
                book.detach(row, target)
            tx.run("DELETE FROM edges WHERE source = ?", row.n)
            tx.run("DELETE FROM aliases WHERE item = ?", row.n)
            row = by_n(tx, row.n)
            row = book.change(leave(book, row), state="missing", threshold=None, raw="[]")
            tx.run("UPDATE items SET most = ? WHERE part_of = ?", most(row), row.n)
            book.remember(row, actor.name, "forget", force=force, dependents=waits)
            book.dirty.add(row.n)
            book.groups.add(row.n)
            book.spread(row)
            book.stale_dependents(row.n)
            book.settle()
            return Change(before._replace(state="missing"))

    def pull(self: Door, id: str, number: int | None, state: str) -> Change:
        """What is known of the item's pull request: "", open, green, merged or closed."""
        if state not in PULLS:
            raise Usage(
                "pull-state",
                f"{state!r} is no state of a pull request: {PULLS[1:]}",
                run=f"plastic backlog show {id}",
            )
        with self.writing() as tx:
            row = need(tx, self.project, id)
            book = Book(tx, self.project)
            row = book.change(row, pull=number, pull_state=state)
            book.dirty.add(row.n)
            book.spread(row)
            return answer(book, row.id)

    def write_note(self: Door, id: str, text: str, actor: Actor) -> None:
        """A durable finding."""
        if not text.strip():
            raise Usage("note-empty", "a note needs a text", run="plastic backlog note --help")
        with self.writing() as tx:
            row = need(tx, self.project, id)
            book = Book(tx, self.project)
            book.remember(row, actor.name, "note", text=text)
            seq = tx.value("SELECT max(seq) FROM trail WHERE item = ?", row.n)
            book.say(row, "note", f"note/{seq}", text=text, by=actor.name)

    def alias(self: Door, id: str, name: str) -> None:
        """Another name for an item: local-17 is issue-2057."""
        with self.writing() as tx:
            row = need(tx, self.project, id)
            taken = tx.value(
                "SELECT id FROM items WHERE project = ? AND id = ? AND state <> 'missing'",
                self.project,
                name,
            )
            if taken is not None:
                text = f"{name} is an item of its own"
                raise Refused("name-taken", text, run=f"plastic backlog show {name}")
            tx.run(
                "INSERT INTO aliases (project, name, item) VALUES (?, ?, ?) "
                "ON CONFLICT (project, name) DO UPDATE SET item = excluded.item",
                self.project,
                name,
                row.n,
            )


def _rewire(
    door: Door,
    act: Callable[[Book, Row, str, list[str]], Row],
    id: str,
    relation: str,
    names: list[str],
    actor: Actor,
    fence: Fence | None,
) -> Change:
    """One write of edges: all that were named, or none."""
    with door.writing() as tx:
        row = need(tx, door.project, id)
        check(door, tx, row, fence)
        book = Book(tx, door.project)
        row = act(book, row, relation, names)
        book.change(row, revision=row.revision + 1)
        what = "link" if act is _link else "unlink"
        book.remember(row, actor.name, what, relation=relation, targets=names)
        book.dirty.add(row.n)
        return answer(book, row.id)


def _link(book: Book, row: Row, relation: str, names: list[str]) -> Row:
    if relation in RELATED:
        relate(book, row, relation, names)
        return row
    _live(row)
    if relation == "blockedBy":
        block(book, row, names)
        return row
    if relation not in ("partOf", "integrates") or len(names) != 1:
        text = f"{relation!r} is no relation, or it takes one target"
        raise Usage("relation", text, run="plastic backlog link --help")
    old = row.part_of if relation == "partOf" else row.integrates
    if old is not None:
        text = f"{row.id} has a grouping already"
        raise Refused("grouping-twice", text, run=f"plastic backlog show {row.id}")
    both = (names[0], None) if relation == "partOf" else (None, names[0])
    return place(book, row, *both)


def _unlink(book: Book, row: Row, relation: str, names: list[str]) -> Row:
    for name in names:
        row = _detach(book, row, relation, name)
    return row


def _detach(book: Book, row: Row, relation: str, name: str) -> Row:
    n = book.tx.value("SELECT n FROM items WHERE project = ? AND id = ?", book.project, name)
    if relation == "blockedBy" and n is not None and book.detach(row, n):
        return by_n(book.tx, row.n)
    if relation in RELATED and book.tx.run(
        "DELETE FROM edges WHERE source = ? AND relation = ? AND target = ?", row.n, relation, n
    ):
        return row
    if (
        relation in ("partOf", "integrates")
        and n is not None
        and n in (row.part_of, row.integrates)
    ):
        return book.change(leave(book, row), most=3)
    text = f"{row.id} has no edge {relation} to {name}"
    raise Refused("edge-missing", text, run=f"plastic backlog show {row.id}")


def _live(row: Row) -> None:
    if row.state == "complete":
        text = f"{row.id} is complete: nothing can hold it up any more"
        raise Refused("item-complete", text, run=f"plastic backlog show {row.id}")


def _leaning(tx: Tx, row: Row) -> list[str]:
    """Unfinished items that wait for it, or are part of it."""
    found = tx.all(
        "SELECT i.n FROM items i WHERE i.state NOT IN ('complete', 'missing') AND (i.n IN "
        "(SELECT source FROM edges WHERE target = ? AND relation = 'blockedBy') "
        "OR i.part_of = ? OR i.integrates = ?) ORDER BY i.sort",
        row.n,
        row.n,
        row.n,
    )
    return ids(tx, [n for (n,) in found])


def _check_leaf(tx: Tx, project: str, row: Row, actor: Actor) -> None:
    """An author that holds a research item plans no further research."""
    if row.kind != "grouping" or row.phase != "research":
        return
    for held in where(tx, "WHERE project = ? AND claimed = 1 AND owner = ?", project, actor.name):
        check_leaf(item_of(tx, row), item_of(tx, held))
