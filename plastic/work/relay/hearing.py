"""Makes events of what a child says. Heard again from the start, it comes to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.relay import turn as turns
from plastic.harness.agents.prices import cost, price
from plastic.rules.relay.changes import WORST
from plastic.rules.relay.events import Event
from plastic.rules.relay.signals import agreed, checked, parse
from plastic.work.relay.desk import Mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plastic.disk.relay.turn import Turn
    from plastic.harness.agents.shape import Said

# What an adapter tells -> the event.
KINDS = {
    "named": "SESSION_NAMED",
    "bg_created": "BG_CREATED",
    "bg_started": "BG_STARTED",
    "bg_completed": "BG_COMPLETED",
    "bg_failed": "BG_FAILED",
    "bg_consumed": "BG_CONSUMED",
    "bg_reopened": "BG_REOPENED",
}


class Hearing:
    """One child. `mark`: what of it the journal has heard before; that is not said again."""

    def __init__(self, turn: Turn, relay: str, mark: Mark | None) -> None:
        self.turn = turn
        self.is_seen = False  # that the prompt began
        self.is_idle = False  # it has said that its turn is over
        self.outcome = ""
        self.why = ""
        self.last_line = ""
        self.named = turn.session  # what the program calls it
        known = mark if mark is not None and mark.turn == turn.number else None
        self.was_busy = known is not None  # it lived on for the sake of background work
        self._heard = known.settled if known else 0
        self._relay = relay
        self._settled = 0
        self._final = ""
        self._spent = turn.spent
        self.mark: Mark | None = None

    def of(self, said: Said, is_busy: Callable[[], bool]) -> Iterator[Event]:
        """The events of one thing that was said. `is_busy`: background work is open just now."""
        if said.kind == "cost":
            yield self._cost(said)
        elif said.kind in KINDS:
            if said.kind == "named":
                self.named = said.text
            more = {"text": said.text, "task": said.task, "is_detached": said.is_detached}
            yield self.event(KINDS[said.kind], **more)
        elif said.kind == "delivered":
            yield from self.seen()
        elif said.kind == "turn":
            yield from self._turned(said)
        elif said.kind == "settled":
            yield from self._settle(said, is_busy)
        elif said.kind == "final":
            self._final = said.text
        elif said.kind == "line":
            self.last_line = said.text
        elif said.kind == "limit":
            self.why = said.text

    def seen(self) -> Iterator[Event]:
        """The prompt has begun; once."""
        if not self.is_seen:
            self.is_seen = True
            yield self.event("USER_MESSAGE_START", hop=self.turn.delivery)

    def event(self, kind: str, **more: object) -> Event:
        """An event of this session."""
        event = Event(kind, relay=self._relay, session=self.turn.session)
        return event._replace(**more)  # type: ignore[arg-type] # fields of an event

    def ended(self, outcome: str, why: str) -> Event:
        """How the turn ended, with the signal that it gave."""
        if outcome != "clean":
            return self.event("SETTLED", outcome=outcome, text=why)
        given = tuple(checked(kind, text) for kind, text in turns.calls(self.turn))
        signal = agreed(given, parse(self._final, self._relay))
        return self.event("SETTLED", parse=signal.kind, text=signal.text)

    def has_ended(self) -> bool:
        """Whether it said, or signalled, how its turn ended: only one with its prompt can."""
        return self._settled > 0 or bool(self._final) or bool(turns.calls(self.turn))

    def _turned(self, said: Said) -> Iterator[Event]:
        """A turn begins; a later one is not of the relay's making."""
        self.is_idle, self.outcome, self._final = False, "", ""
        if self._settled >= max(1, self._heard):
            source = "notification" if said.text == "notification" else "relay"
            yield self.event("TURN_START", source=source)

    def _settle(self, said: Said, is_busy: Callable[[], bool]) -> Iterator[Event]:
        """A turn is over. While background work is open the child lives on: that is told now."""
        self._settled += 1
        self.is_idle, self.outcome = True, said.text or "clean"
        if self._settled > self._heard and is_busy():
            self.was_busy = True
            event = self.ended(self.outcome, self.why)
            turns.drop_calls(self.turn)  # the next turn of the child signals for itself
            self.mark = Mark(self.turn.number, self._settled)
            yield event
            self.mark = None

    def _cost(self, said: Said) -> Event:
        """What the session has cost so far: read twice, it is the same."""
        usd, pricing = said.usd, said.pricing if said.pricing in WORST else "unknown"
        if said.pricing == "tokens" and price(self.turn.model) is not None:
            usd, pricing = cost(self.turn.model, said.tokens) or 0.0, "estimated"
        if said.is_added:
            self._spent += max(0.0, usd)
            usd = self._spent
        return self.event("COST", usd=usd, pricing=pricing)
