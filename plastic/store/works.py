"""What a holder does under its token: complete, park, show signs of work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.rules.backlog import completion, parking
from plastic.rules.backlog.answers import Change
from plastic.rules.backlog.grants import state_of
from plastic.rules.backlog.items import EVIDENCE
from plastic.store.book import Book
from plastic.store.ending import end
from plastic.store.fences import check, refuse
from plastic.store.groups import closed
from plastic.store.rows import Row, item_of, need
from plastic.words import Refused, Usage

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Actor, Fence
    from plastic.rules.backlog.completion import Evidence
    from plastic.rules.backlog.items import Route
    from plastic.store.tx import Door, Tx


def late(book: Book, row: Row, actor: str, what: str) -> None:
    """A write under a lease that had run out: admitted, and never silent."""
    book.remember(row, actor, "late", act=what, token=row.token)


class Works:
    """The part of a store that ends work."""

    def check(self: Door, id: str, fence: Fence) -> bool:
        """Whether a write under this token would be admitted; True = the lease has run out."""
        with self.reading() as tx:
            return check(self, tx, need(tx, self.project, id), fence)

    def complete(
        self: Door, id: str, fence: Fence | None, actor: Actor, evidence: Evidence
    ) -> Change:
        """Record the completion act; answers what became ready because of it."""
        with self.writing() as tx:
            row = need(tx, self.project, id)
            if row.container:
                return _closed(tx, row)
            if row.state == "complete" and not row.claimed:
                return Change(item_of(tx, row), _told(tx, row), changed=False)
            overdue = check(self, tx, row, fence)
            if fence is None or not row.claimed:
                refuse(row, "no_claim", fence)
            _may_end(row, "complete")
            item = item_of(tx, row)
            lacks = completion.lacking(item, actor, evidence)
            if lacks:
                code, _, text = lacks.partition(": ")
                raise Refused(code, f"{row.id}: {text}", run=f"plastic backlog show {row.id}")
            book = Book(tx, self.project)
            if overdue:
                late(book, row, row.owner, "complete")
            after = end(book, row, "complete", state="complete", revision=row.revision + 1)
            if row.reported or row.pull is not None:  # else nothing is there to be said of it
                book.dirty.add(row.n)
            book.spread(after)
            book.settle()
            ready = book.newly_ready()
            kept = {"token": row.token, **_kept(evidence)} | ({"ready": ready} if ready else {})
            book.remember(row, actor.name, "complete", **kept)
            item = item._replace(state=after.state, revision=after.revision, grip=after.grip)
            return Change(item, ready, overdue)

    def park(self: Door, id: str, fence: Fence | None, actor: Actor, route: Route) -> Change:
        """Park with a full route; without a fence only where nobody holds the item."""
        with self.writing() as tx:
            row = need(tx, self.project, id)
            parking.check(row.id, route)
            text = json.dumps(route)
            if row.state == "parked" and row.route == text and not row.claimed:
                return Change(item_of(tx, row), changed=False)
            overdue = check(self, tx, row, fence)
            if row.state == "parked" and fence is None:
                _repair(row, actor)
            else:
                _may_end(row, "park")
            book = Book(tx, self.project)
            if overdue:
                late(book, row, row.owner, "park")
            park(book, row, route, actor.name)
            book.settle()
            return Change(item_of(tx, need(tx, self.project, row.id)), late=overdue)

    def evidence(self: Door, id: str, kind: str, at: float | None = None, by: str = "") -> bool:
        """A push or comment of the claimant; True = a former holder acted after a takeover."""
        if kind not in EVIDENCE[:2]:
            raise Usage(
                "evidence-kind",
                f"{kind!r} is no sign of work: push or comment",
                run=f"plastic backlog show {id}",
            )
        with self.writing() as tx:
            row = need(tx, self.project, id)
            moment = tx.now if at is None else min(at, tx.now)
            book = Book(tx, self.project)
            if not by or by == row.owner:
                column = "pushed" if kind == "push" else "commented"
                book.change(row, **{column: max(moment, getattr(row, column) or 0.0)})
                return False
            if not row.claimed or not _taken_from(tx, row, by, moment):
                return False
            book.change(row, collided=1)
            book.remember(row, by, "collision", holder=row.owner, sign=kind, at=moment)
            book.say(row, "collision", f"collision/{row.token}", owner=row.owner, former=by)
            book.dirty.add(row.n)
            book.settle()
            return True


def park(book: Book, row: Row, route: Route, actor: str) -> Row:
    """Park an item: the state first, the label of the mirror behind it, in one transaction."""
    after = end(
        book,
        row,
        "parked",
        state="parked",
        route=json.dumps(route),
        revision=row.revision + 1,
        note=route.reason,
    )
    book.remember(row, actor, "park", route=route._asdict())
    key = f"label/stale/{row.revision}"
    book.say(row, "label", key, label="stale", on=True, route=route._asdict())
    book.dirty.add(row.n)
    book.spread(after)
    book.stale_dependents(row.n)
    return after


def _told(tx: Tx, row: Row) -> tuple[str, ...]:
    """What became ready when this item was completed: who asks again may not have been told."""
    kept = tx.value(
        "SELECT detail FROM trail WHERE item = ? AND what = 'complete' ORDER BY seq DESC LIMIT 1",
        row.n,
    )
    return tuple(json.loads(kept).get("ready", ())) if kept else ()


def _closed(tx: Tx, row: Row) -> Change:
    if closed(tx, row.n):
        return Change(item_of(tx, row), changed=False)
    joins = tx.value("SELECT id FROM items WHERE integrates = ? ORDER BY sort", row.n)
    text = f"{row.id} is a grouping: it is complete when its integration item is"
    run = f"plastic backlog why {joins or row.id}"
    raise Refused("grouping-open", f"{text} ({joins or 'it has none'})", run=run)


def _may_end(row: Row, what: str) -> None:
    if row.state != "live":
        text = f"{row.id} is {row.state}: nobody can {what} it"
        raise Refused(f"item-{row.state}", text, run=f"plastic backlog show {row.id}")


def _repair(row: Row, actor: Actor) -> None:
    """A park without a full route gets one; a full one is changed by a person only."""
    from plastic.store.rows import route_of

    route = route_of(row)
    if route is not None and not parking.missing(route) and not actor.human:
        text = f"{row.id} is parked already, with a way out by {route.owner}"
        raise Refused("item-parked", text, run=f"plastic backlog show {row.id}")


def _kept(evidence: Evidence) -> dict[str, object]:
    """What the trail keeps of the evidence: what was given."""
    return {name: value for name, value in evidence._asdict().items() if value}


def _taken_from(tx: Tx, row: Row, by: str, moment: float) -> bool:
    """Whether this item was taken over from that owner before that moment."""
    rows = tx.all("SELECT owner, kind, at FROM grants WHERE item = ? ORDER BY token", row.n)
    before = ""
    for owner, kind, at in rows:
        if kind == "takeover" and before == by and at < moment:
            return state_of(row.grip, tx.now) in ("held", "lapsed")
        before = owner
    return False
