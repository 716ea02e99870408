"""A hostile world around the rule: what is sent may arrive late, twice, in any order, or never.

The rule's runner is played here as simply as it can be: an event is in the journal before it is
true, effects are begun after it, and a crash forgets everything but the journal and what agents
have really been given.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

from plastic.rules.relay.events import Event
from plastic.rules.relay.reduce import reduce
from plastic.rules.relay.state import GUARD, State, from_json

if TYPE_CHECKING:
    from random import Random

    from plastic.rules.relay.events import Effect
    from plastic.rules.relay.reduce import Step

R = "r1"
CAP = 10.0
TASKS = ("t1", "t2")
PARSES = ("none", "hand-off", "hand-off", "hand-off", "done", "pause", "stop", "malformed")


class World:
    """One relay, its agents and everything that is on its way."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.state = State()
        self.journal: list[Event] = []
        self.air: list[Event] = []  # what may still be heard
        self.given: Counter[str] = Counter()  # delivery -> how often an agent really got it
        self.resumed_unknown: set[str] = set()  # deliveries that a person risked twice
        self.commits = 0
        self.told: Counter[str] = Counter()
        self.stops = 0
        self._ids = count(1)

    def fresh(self, kind: str) -> str:
        return f"{kind}{next(self._ids)}"

    # -- what happens ----------------------------------------------------------------------

    def post(self, event: Event) -> Step:
        """The runner: durable, true, then the effects, unless it dies between two of them."""
        before = self.state
        self.journal.append(event)
        step = reduce(before, event)
        self.state = step.state
        self._check(before, event, step)
        for effect in step.effects:
            if self.dice.random() < 0.03:
                self.crash()
                break
            self._do(effect)
        return step

    def _do(self, effect: Effect) -> None:
        if effect.kind == "replace":
            session = self.fresh("s")
            ready = self.dice.choice(("REPLACE_READY",) * 6 + ("REPLACE_FAILED",))
            session = session if ready == "REPLACE_READY" else ""
            self._send(Event(ready, relay=R, session=session, hop=effect.hop))
        elif effect.kind == "send":
            fate = self.dice.random()
            if fate < 0.75:
                self.given[effect.hop] += 1
                self._send(
                    Event("USER_MESSAGE_START", relay=R, session=effect.session, hop=effect.hop)
                )
            elif fate < 0.9 and effect.code == "pending":
                attempt = self.state.pending.attempts if self.state.pending else 0
                error = Event("SEND_ERROR", relay=R, session=effect.session, hop=effect.hop)
                self._send(error._replace(attempt=attempt))

    def _send(self, event: Event) -> None:
        self.air += [event] * self.dice.choice((1, 1, 1, 2))

    def crash(self) -> None:
        """The runner is gone; another one looks what it can know."""
        self.air = [one for one in self.air if self.dice.random() < 0.3]
        before, self.state = self.state, replayed(self.journal)
        assert self.state == before, "P10: the journal is the truth"
        self.state = from_json(json.loads(json.dumps(self.state.to_json())))
        assert self.state == before, "P8: plain data"
        pending, sent = self.state.pending, self.state.sent
        delivery = pending.hop if pending and pending.is_started else sent[0] if sent else ""
        known = "found" if self.given[delivery] else "absent"
        proof = "unknown" if self.dice.random() < 0.2 else known
        if proof != "found":  # what is still on its way would be the harness's own doing
            self.air = [one for one in self.air if one.kind != "USER_MESSAGE_START"]
        if self.state.state != "off":
            self.post(Event("PROCESS_LOST", proof=proof))

    # -- what is done to it ----------------------------------------------------------------

    def step(self) -> None:
        """One thing, chosen by the dice."""
        often = (self._hear,) * 8 + (self._settle,) * 4 + (self._person,) * 5 + (self._turn,) * 2
        act = self.dice.choice(
            (*often, self._cost, self._task, self._timer, self.crash, self._foreign)
        )
        act()

    def _hear(self) -> None:
        if self.air:
            self.post(self.air.pop(self.dice.randrange(len(self.air))))

    def _settle(self) -> None:
        outcome = self.dice.choice(("clean",) * 8 + ("error", "aborted"))
        self.post(
            Event(
                "SETTLED",
                relay=R,
                session=self.state.current,
                outcome=outcome,
                parse=self.dice.choice(PARSES),
                text="do it",
                fresh=self.fresh("h"),
            )
        )

    def _cost(self) -> None:
        usd = self.dice.choice((0.01, 0.3, 3.0))
        self.post(Event("COST", relay=R, session=self.state.current, usd=usd, is_added=True))

    def _task(self) -> None:
        kind = self.dice.choice(
            ("BG_CREATED", "BG_STARTED", "BG_COMPLETED", "BG_FAILED", "BG_CONSUMED", "BG_REOPENED")
        )
        task = self.dice.choice(TASKS)
        self.post(Event(kind, relay=R, session=self.state.current, task=task, is_detached=True))

    def _turn(self) -> None:
        source = self.dice.choice(("human", "notification", "relay"))
        self.post(Event("TURN_START", relay=R, session=self.state.current, source=source))

    def _person(self) -> None:
        kind = self.dice.choice(("RESUME", "RESUME", "INPUT", "INPUT", "OFF", "STAGE_MODEL"))
        if self.state.state in ("stopped", "interrupted"):
            kind = "RESUME"  # forgetting would end the story
        pending = self.state.pending
        sent = self.state.sent
        is_unknown = self.state.reason == "delivery_unknown" or (pending and pending.is_unknown)
        if kind == "RESUME" and is_unknown and pending:
            self.resumed_unknown.add(pending.hop)
        if kind == "RESUME" and sent:  # it has not been seen to begin
            self.resumed_unknown.add(sent[0])
        session = pending.replacement if pending and self.dice.random() < 0.5 else ""
        self.post(
            Event(
                kind,
                source=self.dice.choice(("interactive", "idle")),
                session=session,
                text="so",
                fresh=self.fresh("f"),
                is_person=True,
                max_steps=self.dice.choice((None, 50, 50)),
                max_cost=self.dice.choice((None, None, self.state.cost * 2 + 5)),
            )
        )

    def _start(self) -> None:
        self.post(
            Event("START", relay=R, session=self.fresh("s"), fresh=self.fresh("f"), text="go",
                  max_steps=self.dice.choice((1, 50, 50)), max_cost=CAP)
        )  # fmt: skip

    def _timer(self) -> None:
        for name, _ in self.state.timers:
            hop = self.state.pending.hop if self.state.pending else ""
            self.post(Event("TIMER", relay=R, text=name, hop=hop))
            return

    def _foreign(self) -> None:
        before = self.state
        kind = self.dice.choice(("REPLACE_READY", "USER_MESSAGE_START", "SETTLED", "COST"))
        session = before.current
        self.post(Event(kind, relay="old", session=session, hop="h1", parse="done", usd=99.0))
        assert self.state == before, "P13: of another relay"

    # -- what must hold --------------------------------------------------------------------

    def _check(self, before: State, event: Event, step: Step) -> None:
        after = step.state
        kinds = Counter(one.kind for one in step.effects)
        if after.step > before.step and before.relay == after.relay and before.state != "off":
            assert after.step == before.step + 1, "P5b"
            assert before.pending is not None
            assert self.given[before.pending.hop], "P5b: no step without a prompt that arrived"
            self.commits += 1
        assert len(after.sessions) == after.step
        assert len(set(after.sessions)) == after.step
        if after.state == "stopped" != before.state:
            assert (kinds["notify"], kinds["model"]) == (1, 1), "P6"
        cap = after.max_cost
        if cap is not None and kinds["send"]:
            assert after.cost < cap, "no prompt beyond the cap"
        if cap is not None and kinds["replace"]:
            assert after.cost < GUARD * cap, "no session beyond the guard"
        if before.pending is not None and after.pending is None and before.relay == after.relay:
            assert after.step == before.step + 1, "P5: a hand-off is gone without an arrival"
        if before.pending is not None and after.pending is not None:
            same = after.pending.prompt == before.pending.prompt
            assert same or event.kind == "SETTLED", "P5: the bytes stay"
        if before.state == "user_paused" and after.state != "user_paused":
            people = ("INPUT", "RESUME", "OFF", "COST", "PROCESS_LOST", "START")
            assert event.kind in people, "P3"
        for hop, times in self.given.items():
            if hop not in self.resumed_unknown:
                assert times <= 1, f"{hop} was delivered {times} times"


def replayed(journal: list[Event]) -> State:
    """What the journal alone says."""
    state = State()
    for event in journal:
        state = reduce(state, event).state
    return state
