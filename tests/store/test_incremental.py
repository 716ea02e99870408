"""Counters kept step by step equal a full recomputation, after any sequence of operations."""

from __future__ import annotations

import contextlib

import hypothesis.strategies as st
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from plastic.rules.backlog.answers import Draft, Fence, Takeover
from plastic.rules.backlog.items import PULLS
from plastic.rules.backlog.whole import World, compute
from plastic.words import Refusal
from tests.store.world import FOUND, MERGED, PERSON, PM, ROUTE, WORKER, Backlog

IDS = [f"issue-{number}" for number in range(1, 9)]
NAMES = st.sampled_from(IDS)
OWNERS = st.sampled_from(["w1", "w2"])


class Operations(RuleBasedStateMachine):
    """Everything that anybody can do, refused or not."""

    def __init__(self) -> None:
        super().__init__()
        self.backlog = Backlog(regions=("local", "north"))
        self.store = self.backlog.store
        # Enough that most operations find something to do.
        self.backlog.group("issue-1", "issue-2", "issue-3")
        self.backlog.add("issue-4", blocked_by=("issue-3",))
        self.backlog.add("issue-5", blocked_by=("issue-4", "issue-1"))

    def teardown(self) -> None:
        self.store.close()

    def fence(self, id: str) -> Fence | None:
        """What its holder presents; nothing where nobody holds it."""
        found = self.store.status(id)
        return Fence(found.token) if found.token and found.state in ("held", "lapsed") else None

    @rule(
        id=NAMES,
        phase=st.sampled_from(["research", "implementation"]),
        priority=st.sampled_from(["P0", "P2"]),
        region=st.sampled_from(["local", "north", "moon"]),
        over=st.none() | st.none() | NAMES,
        waits=st.lists(NAMES, max_size=2),
        joins=st.booleans(),
        grouping=st.booleans(),
        resource=st.sampled_from([(), ("box",)]),
        admitted=st.booleans(),
        threshold=st.none() | st.just(1),
    )
    def add(
        self,
        id: str,
        phase: str,
        priority: str,
        region: str,
        over: str | None,
        waits: list[str],
        joins: bool,
        grouping: bool,
        resource: tuple[str, ...],
        admitted: bool,
        threshold: int | None,
    ) -> None:
        with contextlib.suppress(Refusal):
            self.backlog.add(
                id,
                phase=phase,
                priority=priority,
                region=region,
                kind="grouping" if grouping else "item",
                part_of=None if joins else over,
                integrates=over if joins else None,
                blocked_by=tuple(one for one in waits if self.store.item(one)),
                resources=resource,
                admitted=admitted,
                threshold=threshold,
            )

    @rule(id=NAMES, relation=st.sampled_from(["blockedBy", "partOf", "integrates"]), to=NAMES)
    def link(self, id: str, relation: str, to: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.link(id, relation, [to], PM, fence=self.fence(id))

    @rule(id=NAMES, relation=st.sampled_from(["blockedBy", "partOf", "integrates"]), to=NAMES)
    def unlink(self, id: str, relation: str, to: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.unlink(id, relation, [to], PM, fence=self.fence(id))

    @rule(id=st.none() | NAMES, owner=OWNERS, kind=st.sampled_from(["work", "work", "admin"]))
    def claim(self, id: str | None, owner: str, kind: str) -> None:
        takeover = None
        if id is not None:
            status = self.store.status(id)
            takeover = Takeover(status.owner or "", status.token or 0)
        self.store.claim(id, owner, kind=kind, takeover=takeover)

    @rule(id=NAMES)
    def release(self, id: str) -> None:
        self.store.release(id, self.fence(id) or Fence(1))

    @rule(id=NAMES)
    def complete(self, id: str) -> None:
        with contextlib.suppress(Refusal):
            item = self.store.item(id)
            evidence = FOUND if item and item.phase == "research" else MERGED
            before = set(self.backlog.ready())
            done = self.store.complete(id, self.fence(id), WORKER, evidence)
            assert not done.changed or not before & set(done.ready)

    @rule(id=NAMES, held=st.booleans())
    def park(self, id: str, held: bool) -> None:
        with contextlib.suppress(Refusal):
            self.store.park(id, self.fence(id) if held else None, PM, ROUTE)

    @rule(id=NAMES)
    def unpark(self, id: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.unpark(id, PERSON)

    @rule(id=NAMES, known=st.booleans())
    def gate(self, id: str, known: bool) -> None:
        with contextlib.suppress(Refusal):
            self.store.gate(id, PM, known=known)

    @rule(id=NAMES)
    def admit(self, id: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.admit(id, PERSON)

    @rule(id=NAMES, force=st.booleans())
    def forget(self, id: str, force: bool) -> None:
        with contextlib.suppress(Refusal):
            self.store.forget(id, PM, force=force)

    @rule(id=NAMES, state=st.sampled_from(PULLS))
    def pull(self, id: str, state: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.pull(id, 7, state)

    @rule(id=NAMES, threshold=st.sampled_from([None, 1, 2]))
    def edit(self, id: str, threshold: int | None) -> None:
        with contextlib.suppress(Refusal):
            self.store.edit(id, PERSON, {"threshold": threshold, "priority": "P1"})

    @rule(id=NAMES, waits=st.lists(NAMES, max_size=1))
    def record(self, id: str, waits: list[str]) -> None:
        draft = Draft(
            title=id, id=id, priority="P1", region="local", base="b", phase="implementation"
        )
        with contextlib.suppress(Refusal):
            self.store.record(draft._replace(blocked_by=tuple(waits)), PM, 7, merged=True)

    @rule(id=NAMES, state=st.sampled_from(["done", "live", "complete", "parked"]))
    def bring(self, id: str, state: str) -> None:
        """Import what is there once more, this item perhaps with a state that nobody knows."""
        given = {item.id: item for item in self.store.items()}
        if id in given and not given[id].grip.claimed:
            known = state if state != "done" else "invalid"
            given[id] = given[id]._replace(state=known, route=ROUTE if known == "parked" else None)
        self.store.load(given.values(), PM)

    @rule(id=NAMES, state=st.sampled_from(["live", "complete", "parked"]))
    def reconcile(self, id: str, state: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.reconcile(id, self.fence(id) or Fence(1), PM, state)

    @rule(id=NAMES, owner=OWNERS, kind=st.sampled_from(["transfer", "takeover", "reclaim"]))
    def follow(self, id: str, owner: str, kind: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.follow(id, (self.store.status(id).token or 0) + 1, owner, kind)

    @rule(id=NAMES, owner=OWNERS)
    def evidence(self, id: str, owner: str) -> None:
        with contextlib.suppress(Refusal):
            self.store.evidence(id, "push", by=owner)

    @rule(seconds=st.sampled_from([10, 1900, 4000]))
    def pass_(self, seconds: float) -> None:
        self.backlog.clock.pass_(seconds)

    @rule()
    def sweep(self) -> None:
        self.store.sweep()
        assert self.store.sweep() == []

    @invariant()
    def counters_are_true(self) -> None:
        assert self.store.audit() == []

    @invariant()
    def one_answer_everywhere(self) -> None:
        items = {item.id: item for item in self.store.items()}
        now = self.backlog.clock.now
        whole = compute(World(items, now, "local", ("local", "north")))
        look = self.store.ready(most=100)
        assert {one.id for one in look.items} == set(whole.ready)
        assert look.pending == whole.pending
        assert look.verdict == whole.verdict
        if not whole.ready:
            assert look.causes == whole.causes
        for id in items:
            first = self.store.why(id)[0]
            expected = whole.reasons.get(id)
            assert first.code == (expected.code if expected else "ready"), id


TestOperations = Operations.TestCase
TestOperations.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_an_import_counts_like_step_by_step(data: st.DataObject) -> None:
    """What was written step by step and exported gives the same counters when it is imported."""
    one = Backlog()
    for id in IDS[:6]:
        waits = data.draw(st.lists(st.sampled_from(IDS[:6]), max_size=2))
        with contextlib.suppress(Refusal):
            one.add(id, blocked_by=tuple(waits))
    two = Backlog()
    two.store.load(one.store.items(), PM)
    two.sound()
    assert two.ready() == one.ready()
    one.store.close()
    two.store.close()
