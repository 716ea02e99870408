"""A backlog for tests: its clock stands still until a test moves it, its authors are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.answers import Actor, Draft, Fence, Granted
from plastic.rules.backlog.completion import Evidence
from plastic.rules.backlog.grants import Terms
from plastic.rules.backlog.items import Item, Route
from plastic.store.postgresstore import PostgresStore
from plastic.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Change

PM = Actor("pm-1", role="pm")
WORKER = Actor("w1", role="worker")
PERSON = Actor("ada", human=True)
ROUTE = Route("pm", "shape", "Which of the two shapes?", "issue-9", "two shapes fit")
MERGED = Evidence(commit="c0ffee", contained=True, checked=True)
FOUND = Evidence(findings=1)
LEASE = 1800.0


class Clock:
    """The database's clock."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        """Let time go by."""
        self.now += seconds


class Backlog:
    """One store, and short words for what tests do all the time."""

    def __init__(self, path: str = ":memory:", **options: Any) -> None:
        self.clock = Clock()
        options.setdefault("terms", Terms(LEASE, 7200.0))
        self.store: SqliteStore | PostgresStore
        if path.startswith("postgresql:"):
            self.store = PostgresStore(path, "shop", clock=self.clock, **options)
        else:
            options.setdefault("durability", "relaxed")
            self.store = SqliteStore(path, "shop", clock=self.clock, **options)

    def add(self, id: str, *, admitted: bool = True, actor: Actor = PM, **fields: Any) -> Item:
        """An item with everything that must be there."""
        for name, value in (
            ("title", f"Do {id}"),
            ("priority", "P2"),
            ("region", "local"),
            ("base", "feat/epic/x"),
        ):
            fields.setdefault(name, value)
        if fields.get("kind", "item") == "item":
            fields.setdefault("phase", "implementation")
        self.clock.pass_(1)
        return self.store.add(Draft(id=id, **fields), actor, admitted=admitted)

    def group(self, epic: str, closer: str, *members: str, **fields: Any) -> None:
        """A grouping with its integration item and its members."""
        self.add(epic, kind="grouping", **fields)
        self.add(closer, phase="integration", integrates=epic)
        for member in members:
            self.add(member, part_of=epic)

    def take(self, id: str, owner: str = "w1", **options: Any) -> Fence:
        """A claim that must be granted."""
        got = self.claim(id, owner, **options)
        assert got.granted, got
        assert got.token is not None
        return Fence(got.token)

    def claim(self, id: str | None, owner: str = "w1", **options: Any) -> Granted:
        """A claim, whatever it answers."""
        return self.store.claim(id, owner, **options)

    def finish(self, id: str, owner: str = "w1", **options: Any) -> Change:
        """Claim and complete."""
        return self.store.complete(id, self.take(id, owner), WORKER, options.get("by", MERGED))

    def ready(self, **options: Any) -> list[str]:
        """The ids of the ready set."""
        return [one.id for one in self.store.ready(**options).items]

    def codes(self) -> dict[str, list[str]]:
        """The reports by code: which items."""
        found: dict[str, list[str]] = {}
        look = self.store.ready(rows=500)
        for defect in (*look.stalled, *look.defects):
            found.setdefault(defect.code, []).append(defect.item)
        return found

    def why(self, id: str) -> list[str]:
        """The codes of the chain."""
        return [reason.code for reason in self.store.why(id)]

    def sound(self) -> None:
        """Everything kept equals everything computed."""
        assert self.store.audit() == []
