"""A random life of one pen, with a clock of its own: agents that claim, write, force and die.

The file is text and the clock a number: nothing waits. After each step the file is read by the
independent parser of tests/pen/other.py as well.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from plastic.rules.pen import table
from plastic.rules.pen.ask import Ask, Move, No
from plastic.rules.pen.block import FORMAT, TTL, faults, holder, instance, is_stale, split
from plastic.rules.pen.clock import stamp
from plastic.rules.pen.guards import identity
from plastic.rules.pen.repair import repaired
from plastic.rules.pen.table import TABLE, Cell, decide
from plastic.rules.pen.turns import Entry, added, entry, journal, unread
from tests.pen.other import fields, turns
from tests.soak import record

NAMES = ("ana", "bo", "cy", "dan", "eve")
# `append` is a rule of its own, and `integrate` moves the pen like it; the others move no pen.
APART = ("append", "integrate", "roster add", "request", "init --force")
VERBS = [verb for verb in TABLE if verb not in APART]
who = st.sampled_from(NAMES)


def fresh(names: tuple[str, ...], now: int) -> str:
    block = (
        f"holder: none\nstate: IDLE\nagents: {','.join(names)}\nturn: 0\nsince: {stamp(now)}\n"
        "expires: -\nnote: -\nmystery: kept\n"
    )
    return f"# pen\n{FORMAT.begin}\n{block}{FORMAT.end}\n\n## Turn log\n"


class Life(RuleBasedStateMachine):
    """`token` is what each agent got from its last claim, `written` every turn so far."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_800_000_000
        self.names: tuple[str, ...] = NAMES[:3]
        self.text = fresh(self.names, self.now)
        self.token: dict[str, str] = {}
        self.written: list[str] = []
        self.serial = 0

    @initialize(count=st.integers(3, 5))
    def begin(self, count: int) -> None:
        self.names = NAMES[:count]
        self.text = fresh(self.names, self.now)

    def pen(self) -> Any:
        found = split(self.text)
        assert found is not None
        return found

    def do(self, verb: str, actor: str, **values: Any) -> Move | No:
        """One command from the look to the write, or to a kill before it."""
        self.serial += 1
        pen, before = self.pen(), self.text
        book = journal(before)
        entries = [entry(before, turn) for turn in book.turns]
        open_to = unread(entries, actor, 0)
        newest = max(open_to) if open_to and open_to[-1] == book.last else 0
        nonce = f"{self.serial:08x}"
        actor_of = "" if verb in table.NOBODY else actor
        ask = Ask(verb, actor_of, self.now, nonce=nonce, until=stamp(self.now + 60))
        ask = ask._replace(unread=newest, **values)
        found = decide(pen, ask)
        if isinstance(found, No):
            assert self.text == before, "a refused command leaves every byte"
            return found
        for key, value in found.changes.items():
            pen.change(key, value)
        if values.get("dies"):
            return found
        self.text = pen.text()
        if verb.startswith("claim"):
            self.token[actor] = instance(pen)
        return found

    @rule(
        actor=who, verb=st.sampled_from(VERBS), to=who, person=st.booleans(), reason=st.booleans()
    )
    def command(self, actor: str, verb: str, to: str, person: bool, reason: bool) -> None:
        before = self.pen()
        given = {"to": "" if verb.startswith("claim") or verb == "resume" else to}
        found = self.do(
            verb,
            actor,
            is_person=person,
            reason="why" if reason else "",
            scope="more" if reason else "",
            seen=identity(before),
            request="open",
            is_forced=True,
            **given,
        )
        live = before.kind == "WORKING" and not is_stale(before, self.now)
        moved = isinstance(found, Move) and found.changes
        if live and moved and holder(before) != actor:
            assert person, "a live pen is taken by a person alone"
            assert verb in ("release --force", "done --force")

    @rule(actor=who, to=who, honest=st.booleans(), dies=st.booleans())
    def append(self, actor: str, to: str, honest: bool, dies: bool) -> None:
        """Presenting what the claim gave, or nothing; killed before the write, or not."""
        before = self.pen()
        token = self.token.get(actor, "") if honest else ""
        found = self.look(actor, to, token)
        if isinstance(found, No):
            return
        assert before.get("state") == f"WORKING_{actor.upper()}"
        if token:
            assert token == instance(before), "an older instance has written"
        if dies:
            return
        pen, said = self.pen(), f"turn {self.serial}"
        for key, value in found.changes.items():
            pen.change(key, value)
        one = Entry(int(pen.get("turn")), actor, {"from": actor, "to": to, "done": said}, "")
        self.text = added(pen.text(), one)
        self.written.append(said)

    def look(self, actor: str, to: str, token: str) -> Move | No:
        self.serial += 1
        return decide(self.pen(), Ask("append", actor, self.now, to=to, pen_id=token))

    @rule(seconds=st.sampled_from((1, 60, TTL - 1, TTL, TTL + 1, 3 * TTL)))
    def time(self, seconds: int) -> None:
        self.now += seconds

    @precondition(lambda self: self.pen().kind == "WORKING")
    @rule()
    def expire(self) -> None:
        self.now += 2 * TTL

    @rule(
        key=st.sampled_from(("holder", "state", "expires", "turn", "since", "agents", "mystery")),
        value=st.sampled_from(("ana", "none", "IDLE", "WORKING_BO", "-", "soon", "0", "99")),
    )
    def edit(self, key: str, value: str) -> None:
        """By hand: it holds, or every command refuses and repair makes it whole."""
        pen = self.pen()
        pen.change(key, value)
        text = pen.text()
        book = journal(text)
        if faults(pen) or int(pen.get("turn")) != book.last:
            found = repaired(text, FORMAT, self.now)
            assert found.done
            text = found.text
        self.text = text
        self.names = tuple(self.pen().agents)
        self.token.clear()  # an edit may give the window another name: no token is of it

    @invariant()
    def one_file_for_both(self) -> None:
        pen = self.pen()
        assert faults(pen) == []
        assert fields(self.text) == pen.fields
        assert "mystery" in pen.fields

    @invariant()
    def at_most_one_writer(self) -> None:
        """Of all that present what they got, at most one may write."""
        ok = [
            name
            for name in self.names
            if isinstance(self.look(name, next(o for o in self.names if o != name), ""), Move)
        ]
        assert len(ok) <= 1
        assert bool(ok) == (self.pen().kind == "WORKING" and not self.pen().get("integrating"))

    @invariant()
    def contiguous_and_none_lost(self) -> None:
        found = turns(self.text)
        assert list(found) == list(range(1, len(found) + 1))
        assert [one["done"] for one in found.values()] == self.written
        assert self.pen().get("turn") == str(len(found))


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)


@pytest.mark.soak
def test_many_lives() -> None:
    lives, steps = 2000, 60
    began = time.monotonic()
    run_state_machine_as_test(
        Life,
        settings=settings(max_examples=lives, stateful_step_count=steps, deadline=None),
    )
    took = time.monotonic() - began
    told = "one writer at most, turns contiguous, none lost"
    record("random lives of a pen", f"{lives} x up to {steps} steps", told, took)


def test_a_broken_table_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is not empty: a table that lets a plain claim take a live pen is found out."""
    held = list(TABLE["claim"])
    assert held[2] == "held"
    held[2] = next(cell for cell in held if isinstance(cell, Cell))
    monkeypatch.setitem(TABLE, "claim", tuple(held))
    machine = Life()
    machine.command("ana", "claim", "bo", person=False, reason=False)
    with pytest.raises(AssertionError, match="by a person alone"):
        machine.command("bo", "claim", "ana", person=False, reason=False)
