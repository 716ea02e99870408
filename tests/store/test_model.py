"""The claim core against a small model, and crashes after every statement of what matters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from plastic.rules.backlog.answers import Fence, Takeover
from plastic.store.postgresstore import PostgresStore
from plastic.store.sqlite import SqliteStore
from plastic.words import Refusal
from tests.store.world import MERGED, PM, ROUTE, WORKER, Backlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Model:
    """One item's claim, as short as it can be said."""

    def __init__(self) -> None:
        self.token = self.released = 0
        self.owner = ""
        self.expires = self.lease = self.moved = 0.0

    def held(self, now: float) -> bool:
        return self.token > self.released and now < self.expires

    def claim(self, now: float, owner: str, lease: float) -> bool:
        if self.held(now):
            return False
        lapsed = self.token > self.released
        quiet = now >= max(self.expires + self.lease, self.moved + 3600)
        if lapsed and owner != self.owner and not quiet:
            return False
        self.token += 1
        self.owner, self.expires, self.lease, self.moved = owner, now + lease, lease, now
        return True

    def renew(self, now: float, token: int, lease: float) -> bool:
        if token != self.token or not self.held(now):
            return False
        self.expires, self.lease = now + lease, lease
        return True

    def release(self, token: int) -> bool:
        if not self.token or token != self.token:
            return False
        self.released = token
        return True

    def writes(self, token: int | None) -> bool:
        live = self.token > self.released
        return (token == self.token and live) if token is not None else not live


class ClaimCore(RuleBasedStateMachine):
    """Random owners, tokens and pauses; the store and the model must always agree."""

    def __init__(self) -> None:
        super().__init__()
        self.backlog = Backlog()
        self.store = self.backlog.store
        self.backlog.add("issue-1")
        self.store.edit("issue-1", PM, {"threshold": None})
        with self.store.writing() as tx:
            tx.run("UPDATE items SET most = 1000000")
        self.model = Model()
        self.seen = 0

    def teardown(self) -> None:
        self.store.close()

    tokens = st.integers(0, 8)
    leases = st.sampled_from([60.0, 1800.0])

    @rule(owner=st.sampled_from(["w1", "w2", "w3"]), lease=leases)
    def claim(self, owner: str, lease: float) -> None:
        now, before = self.backlog.clock.now, self.store.status("issue-1")
        follow = Takeover(before.owner or "", before.token or 0)
        got = self.store.claim("issue-1", owner, lease=lease, takeover=follow)
        assert got.granted == self.model.claim(now, owner, lease), got
        if got.granted:
            assert got.token is not None
            assert got.token > self.seen
            self.seen = got.token

    @rule(token=tokens, lease=leases)
    def renew(self, token: int, lease: float) -> None:
        got = self.store.renew("issue-1", Fence(token), lease)
        assert got.granted == self.model.renew(self.backlog.clock.now, token, lease)

    @rule(token=tokens)
    def release(self, token: int) -> None:
        before = self.store.status("issue-1").released or 0
        got = self.store.release("issue-1", Fence(token))
        assert got.released == self.model.release(token)
        assert (self.store.status("issue-1").released or 0) >= before

    @rule(token=st.none() | tokens)
    def write(self, token: int | None) -> None:
        if token is not None and self.model.token == 0:
            return  # a token for what nobody claimed is a case of its own
        try:
            self.store.edit(
                "issue-1", WORKER, {"body": "x"}, fence=Fence(token) if token is not None else None
            )
            admitted = True
        except Refusal:
            admitted = False
        assert admitted == self.model.writes(token)

    @rule(seconds=st.sampled_from([1.0, 59.0, 61.0, 1801.0, 3700.0]))
    def pass_(self, seconds: float) -> None:
        self.backlog.clock.pass_(seconds)

    @invariant()
    def same(self) -> None:
        status = self.store.status("issue-1")
        assert (status.token or 0) == self.model.token
        assert status.held == self.model.held(self.backlog.clock.now)
        assert status.authoritative is False
        assert [one.token for one in self.store.grants("issue-1")] == list(
            range(1, self.model.token + 1)
        )


TestClaimCore = ClaimCore.TestCase
TestClaimCore.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)


class Killed(BaseException):
    """The process dies here."""


class Fuse:
    """Dies at a statement, counted from 0."""

    def __init__(self, step: int) -> None:
        self.left = step

    def __call__(self, sql: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed(sql)


def claim(store: SqliteStore | PostgresStore) -> None:
    assert store.claim("issue-1", "w1").granted


def complete(store: SqliteStore | PostgresStore) -> None:
    store.complete("issue-1", Fence(1), WORKER, MERGED)


def park(store: SqliteStore | PostgresStore) -> None:
    store.park("issue-1", Fence(1), WORKER, ROUTE)


def link(store: SqliteStore | PostgresStore) -> None:
    store.link("issue-3", "blockedBy", ["issue-1"], PM)


def bring(store: SqliteStore | PostgresStore) -> None:
    given = [item._replace(title="anew") for item in store.items()]
    store.load([*given, given[0]._replace(id="issue-9", blocked_by=("issue-8",))], PM)


def takeover(store: SqliteStore | PostgresStore) -> None:
    assert store.claim("issue-1", "w2", takeover=Takeover("w1", 1)).granted


def picture(store: SqliteStore | PostgresStore) -> str:
    """Everything that the database says, except secrets and what time it is."""
    with store.reading() as tx:
        tables = ("items", "edges", "grants", "outbox", "trail", "reports", "tally")
        return json.dumps([tx.all(f"SELECT * FROM {name}") for name in tables])


def scene(path: str, act: str) -> Backlog:
    """Two items wait for a third, which is held where the act needs it."""
    backlog = Backlog(path)
    for number in (1, 3):
        backlog.add(f"issue-{number}")
    backlog.add("issue-2", blocked_by=("issue-1",))
    if act in ("complete", "park", "takeover"):
        backlog.take("issue-1")
    if act == "takeover":
        backlog.clock.pass_(9000)
    return backlog


@pytest.mark.parametrize("act", [claim, complete, park, link, takeover, bring])
def test_a_crash_after_any_statement_leaves_all_or_nothing(
    tmp_path: Path, act: Callable[[SqliteStore | PostgresStore], None]
) -> None:
    step = 0
    while True:
        path = str(tmp_path / f"{step}.db")
        backlog = scene(path, act.__name__)
        before = picture(backlog.store)
        backlog.store.point = Fuse(step)
        try:
            act(backlog.store)
            done = True
        except Killed:
            done = False
        backlog.store.point = None
        backlog.store.close()
        again = SqliteStore(path, "shop", clock=backlog.clock, durability="relaxed")
        assert again.audit() == []
        assert (picture(again) == before) is not done
        if not done:
            act(again)
            assert again.audit() == []
        ledger = again.grants("issue-1")
        said = [row for row in again.outbox() if row.kind in ("claim", "takeover")]
        assert [row.payload["token"] for row in said] == [grant.token for grant in ledger]
        again.close()
        if done:
            assert step >= 2, "the act has statements to die after"
            return
        step += 1
