"""What a person decides, and what a sweep repairs: admission, parks, unknown states, own rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.answers import Actor, Change
from plastic.rules.backlog.drafts import check_draft
from plastic.rules.backlog.grants import state_of
from plastic.rules.backlog.items import Route
from plastic.store.authors import answer
from plastic.store.birth import born, new_id
from plastic.store.book import Book
from plastic.store.ending import end
from plastic.store.fences import check, only_human, refuse
from plastic.store.rows import item_of, need, where
from plastic.store.works import park
from plastic.words import Refused, Usage

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Draft, Fence
    from plastic.store.tx import Door

SWEEP = Actor("sweep")


class Gates:
    """The part of a store that opens and shuts."""

    def violation(self: Door, id: str, actor: Actor, what: str) -> None:
        """Keep that an agent tried what only a person does; then refuse it."""
        with self.writing() as tx:
            row = need(tx, self.project, id)
            Book(tx, self.project).remember(row, actor.name, "violation", act=what)
        only_human(actor, row, what)

    def admit(self: Door, id: str, actor: Actor) -> Change:
        """Open the gate: a person only; an agent's try is refused and kept as a violation."""
        if not actor.human:
            Gates.violation(self, id, actor, "admit")
        with self.writing() as tx:
            row = need(tx, self.project, id)
            if row.admission == "admitted":
                return Change(item_of(tx, row), changed=False)
            book = Book(tx, self.project)
            book.change(row, admission="admitted", revision=row.revision + 1)
            book.remember(row, actor.name, "admit")
            key = f"label/needs-specification/{row.revision}"
            book.say(row, "label", key, label="needs-specification", on=False, by=actor.name)
            return answer(book, row.id)

    def gate(self: Door, id: str, actor: Actor, *, known: bool = True) -> Change:
        """Shut the gate (the label is back), or with `known` False: the mirror cannot be asked."""
        with self.writing() as tx:
            row = need(tx, self.project, id)
            book = Book(tx, self.project)
            book.change(row, admission="gated" if known else "unknown", revision=row.revision + 1)
            book.remember(row, actor.name, "gate", known=known)
            return answer(book, row.id)

    def unpark(self: Door, id: str, actor: Actor) -> Change:
        """Back to live: a person only; dependents wait again, they are not satisfied."""
        if not actor.human:
            Gates.violation(self, id, actor, "unpark")
        with self.writing() as tx:
            row = need(tx, self.project, id)
            if row.state != "parked":
                text = f"{row.id} is {row.state}, not parked"
                raise Refused("not-parked", text, run=f"plastic backlog show {row.id}")
            book = Book(tx, self.project)
            # A ruling is a new beginning: what was tried before it does not count against it.
            after = book.change(
                row, state="live", route=None, attempts=0, revision=row.revision + 1
            )
            book.remember(row, actor.name, "unpark", attempts=row.attempts)
            key = f"label/stale/{row.revision}"
            book.say(row, "label", key, label="stale", on=False, by=actor.name)
            book.dirty.add(row.n)
            book.spread(after)
            book.stale_dependents(row.n)
            return answer(book, row.id)

    def reconcile(self: Door, id: str, fence: Fence, actor: Actor, state: str) -> Change:
        """Give an item with an unknown state a known one, under an `admin` claim."""
        if state not in ("live", "complete"):
            text = f"{state!r} is no state to reconcile to: live or complete; use park to park"
            raise Usage("value-unknown", text, run="plastic backlog reconcile --help")
        with self.writing() as tx:
            row = need(tx, self.project, id)
            overdue = check(self, tx, row, fence)
            if not row.claimed:
                refuse(row, "no_claim", fence)
            if row.state != "invalid":
                text = f"{row.id} is {row.state}: there is nothing to reconcile"
                raise Refused("not-invalid", text, run=f"plastic backlog show {row.id}")
            book = Book(tx, self.project)
            columns = {"state": state, "raw": _without_state(row.raw)}
            after = end(book, row, "reconciled", revision=row.revision + 1, **columns)
            book.remember(row, actor.name, "reconcile", state=state, token=row.token)
            book.dirty.add(row.n)
            book.spread(after)
            book.stale_dependents(row.n)
            return answer(book, row.id, late=overdue)

    def record(self: Door, draft: Draft, actor: Actor, pull: int, *, merged: bool) -> Change:
        """The row of a direct deployment, born complete; only after the merge, not by a worker."""
        draft = check_draft(draft)
        if actor.role == "worker":
            text = "a worker reports that there is no item; it does not write its own row"
            raise Refused("not-by-worker", text, run="plastic backlog list")
        if not merged:
            text = f"pull request {pull} is not merged: the row is written after the fact"
            raise Refused("not-merged", text, run="plastic backlog list")
        if not draft.id:
            raise Usage(
                "id-missing",
                "the row of a direct deployment has its issue's id",
                run="plastic backlog record --help",
            )
        with self.writing() as tx:
            book = Book(tx, self.project)
            found = tx.value(
                "SELECT token FROM items WHERE project = ? AND id = ?", self.project, draft.id
            )
            if found:
                text = f"{draft.id} was claimed through the backlog: complete it there"
                raise Refused("claim-history", text, run=f"plastic backlog status {draft.id}")
            row = born(book, new_id(book, draft), draft, actor, admitted=True)
            row = book.change(row, state="complete", direct=1, pull=pull, pull_state="merged")
            book.remember(row, actor.name, "record", pull=pull)
            book.dirty.add(row.n)
            book.spread(row)
            return answer(book, row.id)

    def sweep(self: Door) -> list[str]:
        """Park what was tried too often and nobody holds; answers the ids, none the second time."""
        with self.writing() as tx:
            book = Book(tx, self.project)
            done = []
            for row in where(
                tx,
                "WHERE project = ? AND state = 'live' AND attempts >= most ORDER BY sort",
                self.project,
            ):
                if state_of(row.grip, tx.now) == "held" or row.container:
                    continue
                times = "once" if row.attempts == 1 else f"{row.attempts} times"
                reason = f"tried {times} without an end"
                question = (
                    f"Is {row.id} specified well enough, and small enough, to be tried again?"
                )
                route = Route("pm", "poison", question, row.id, reason)
                park(book, row, route, SWEEP.name)
                done.append(row.id)
            book.settle()
            return done


def _without_state(raw: str) -> str:
    import json

    return json.dumps([one for one in json.loads(raw) if not one[2].startswith("state:")])
