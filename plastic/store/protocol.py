"""What every engine of the backlog does: one Store serves one project of one database.

Every method is one transaction with its check inside, on the database's clock. A refusal of a
write is raised as `Refused`, `Held`, `Lost` or `Missing` (plastic.words) with a code of
references/backlog.md; a claim, a renewal and a release answer their refusals as data, because a
worker that is refused goes on to the next item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from plastic.store.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import (
        Actor,
        Change,
        Draft,
        Fence,
        Grant,
        Granted,
        Outgoing,
        Released,
        Renewed,
        Status,
        Takeover,
    )
    from plastic.rules.backlog.completion import Evidence
    from plastic.rules.backlog.items import Defect, Item, Route
    from plastic.rules.backlog.ready import Ready, Reason
    from plastic.store.progress import Told


class Reading(Protocol):
    """What changes nothing."""

    def item(self, id: str) -> Item | None:
        """One item by its id or alias; None when there is none."""

    def items(self) -> list[Item]:
        """Every item of the project, in natural order of their ids: list, graph, export, audit."""

    def dependents(self, id: str) -> list[str]:
        """Who waits for this item."""

    def ready(self, region: str | None = None, most: int = 20, rows: int = 50) -> Ready:
        """The ready set with at most `most` items and `rows` rows of each report, all counted."""

    def why(self, id: str, region: str | None = None) -> list[Reason]:
        """The chain of reasons from this item to what decides; `Missing` when there is none."""

    def status(self, id: str) -> Status:
        """What one look at the claim shows, without the secret."""

    def grants(self, id: str) -> list[Grant]:
        """The ledger of one item, oldest first."""

    def trail(self, id: str) -> list[dict[str, Any]]:
        """What else happened to it (near-misses, late writes, violations, notes), oldest first."""

    def outbox(self, most: int = 100) -> list[Outgoing]:
        """What the mirror has not been told, oldest first."""

    def audit(self) -> list[str]:
        """Where counters and a full recomputation differ, and every odd value; empty = sound."""

    def now(self) -> float:
        """The database's clock, seconds since the epoch."""


class Claiming(Protocol):
    """Claims and what a holder does under its token."""

    def claim(
        self,
        id: str | None,
        owner: str,
        *,
        lease: float | None = None,
        region: str | None = None,
        kind: str = "work",
        takeover: Takeover | None = None,
        held: int | None = None,
        above: int = 0,
        radius: Iterable[str] = (),
    ) -> Granted:
        """Take an item, or with `id` None the next that is ready and disjoint from what runs.

        `held` is the token that the same owner had before its lease ran out; `above` is another
        counter that the new token must exceed (an intent's); `radius` are paths to stay away from.
        """

    def follow(self, id: str, token: int, owner: str, kind: str) -> Granted:
        """An intent bound to this item has another owner: the item follows, under that token."""

    def renew(
        self, id: str, fence: Fence, lease: float | None = None, heard: float | None = None
    ) -> Renewed:
        """Move the expiry of a lease that still runs.

        `heard` is when the holder was last heard elsewhere (the heartbeat of its intent's lock):
        the lease runs from then, also when nobody has looked for longer than a lease.
        """

    def release(self, id: str, fence: Fence, note: str = "", location: str = "") -> Released:
        """Give the item back, with a resume block for who comes next."""

    def check(self, id: str, fence: Fence) -> bool:
        """Whether a write under this token would be admitted; True = the lease has run out."""

    def complete(self, id: str, fence: Fence | None, actor: Actor, evidence: Evidence) -> Change:
        """Record the completion act; answers what became ready because of it."""

    def park(self, id: str, fence: Fence | None, actor: Actor, route: Route) -> Change:
        """Park with a full route; without a fence only where nobody holds the item."""

    def evidence(self, id: str, kind: str, at: float | None = None, by: str = "") -> bool:
        """A push or comment of the claimant; True = a former holder acted after a takeover."""


class Writing(Protocol):
    """What authors, persons and sweeps do."""

    def add(self, draft: Draft, actor: Actor, *, admitted: bool) -> Item:
        """A new item; all of its edges or nothing."""

    def edit(
        self,
        id: str,
        actor: Actor,
        fields: dict[str, Any],
        *,
        fence: Fence | None = None,
        if_revision: int | None = None,
    ) -> Change:
        """Set fields of SETTABLE; anything else, or another revision, writes nothing."""

    def link(
        self,
        id: str,
        relation: str,
        targets: Iterable[str],
        actor: Actor,
        *,
        fence: Fence | None = None,
    ) -> Change:
        """Add edges, all or none; refuses missing and parked blockers and cycles, with the path."""

    def unlink(
        self,
        id: str,
        relation: str,
        targets: Iterable[str],
        actor: Actor,
        *,
        fence: Fence | None = None,
    ) -> Change:
        """Take edges away."""

    def admit(self, id: str, actor: Actor) -> Change:
        """Open the gate: a person only; an agent's try is refused and kept as a violation."""

    def gate(self, id: str, actor: Actor, *, known: bool = True) -> Change:
        """Shut the gate (the label is back), or with `known` False: the mirror cannot be asked."""

    def unpark(self, id: str, actor: Actor) -> Change:
        """Back to live: a person only; dependents wait again, they are not satisfied."""

    def reconcile(self, id: str, fence: Fence, actor: Actor, state: str) -> Change:
        """Give an item with an unknown state a known one, under an `admin` claim."""

    def record(self, draft: Draft, actor: Actor, pull: int, *, merged: bool) -> Change:
        """The row of a direct deployment, born complete; only after the merge, not by a worker."""

    def forget(self, id: str, actor: Actor, *, force: bool = False) -> Change:
        """Delete; with live dependents only by force, and then they are invalid. Tokens survive."""

    def pull(self, id: str, number: int | None, state: str) -> Change:
        """What is known of the item's pull request: "", open, green, merged or closed."""

    def write_note(self, id: str, text: str, actor: Actor) -> None:
        """A durable finding."""

    def alias(self, id: str, name: str) -> None:
        """Another name for an item: local-17 is issue-2057."""

    def load(self, items: Iterable[Item], actor: Actor, told: Told = silent) -> list[Defect]:
        """Import: keeps what it is given, raw tags and all, and reports every defect."""

    def sweep(self) -> list[str]:
        """Park what was tried too often and nobody holds; answers the ids, none the second time."""

    def sent(self, seqs: Iterable[int]) -> None:
        """These rows of the outbox have reached the mirror."""


class Store(Reading, Claiming, Writing, Protocol):
    """The backlog of one project."""

    project: str
    notes: list[str]  # what a user of this database should know, said by every command

    def close(self) -> None:
        """Give the connection back."""
