"""Watches the child of a turn: what it says becomes events, its end a settled turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk.relay import turn as turns
from plastic.disk.relay.processes import end_group, is_group_alive
from plastic.rules.relay.events import Event
from plastic.rules.relay.signals import Signal, agreed, checked, parse

if TYPE_CHECKING:
    from plastic.disk.process import Child
    from plastic.disk.relay.turn import Turn
    from plastic.harness.agents.shape import Adapter, Said

AFTER_RESULT = 10.0  # seconds that a child may live on once it said that it is done
GRACE = 5.0  # seconds between asking a child to end and killing it
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


class Watch:
    """One turn under watch, started by this process or found alive."""

    def __init__(self, turn: Turn, adapter: Adapter, relay: str, stall: float) -> None:
        self.turn = turn
        self.adapter = adapter
        self.relay = relay
        self.child: Child | None = None
        self.last_line = ""
        self._lines = turns.Lines(turn.file("out"))
        self._stall = stall
        self._heard = time.monotonic()
        self._final = ""
        self._spent = turn.spent
        self._outcome = ""
        self._why = ""
        self._ask_at: float | None = None  # when it is asked to end
        self._kill_at: float | None = None
        self._is_seen = False  # that the prompt began
        self._is_left = False  # the program has ended and left processes behind

    def is_alive(self) -> bool:
        """Whether the child runs."""
        if self.child is not None:
            return self.child.poll() is None
        return turns.process(self.turn) != 0

    def events(self) -> list[Event]:
        """What has happened since the last call; nothing more comes after SETTLED."""
        ended = not self.is_alive()  # asked first: then all that it said is in the file
        found = self._begun()
        lines = self._read(ended=ended)
        for line in lines:
            for said in self.adapter.read(line):
                found += self._heard_of(said)
        if lines:
            self._heard = time.monotonic()
        if ended:
            return [*found, *self._over()]
        self._limits()
        return found

    def _read(self, *, ended: bool) -> list[bytes]:
        return self._lines.rest() if ended else self._lines.new()

    def _begun(self) -> list[Event]:
        if self._is_seen or self.adapter.caps.proof != "stdin" or not turns.has_begun(self.turn):
            return []
        return self._seen()

    def _seen(self) -> list[Event]:
        if self._is_seen:
            return []
        self._is_seen = True
        return [self._event("USER_MESSAGE_START", hop=self.turn.delivery)]

    def _event(self, kind: str, **more: object) -> Event:
        event = Event(kind, relay=self.relay, session=self.turn.session)
        return event._replace(**more)  # type: ignore[arg-type] # fields of an event

    def _heard_of(self, said: Said) -> list[Event]:
        if said.kind == "cost":
            return [self._cost(said)]
        if said.kind in KINDS:
            return [
                self._event(
                    KINDS[said.kind], text=said.text, task=said.task, is_detached=said.is_detached
                )
            ]
        if said.kind == "delivered":
            return self._seen()
        if said.kind == "final":
            self._final = said.text
        elif said.kind == "line":
            self.last_line = said.text
        elif said.kind == "settled":
            self._outcome = said.text
            self._ask_at = time.monotonic() + AFTER_RESULT
        elif said.kind == "limit":
            self._why = said.text
        return []

    def _cost(self, said: Said) -> Event:
        """What the session has cost so far: read twice, it is the same."""
        if said.is_added:
            self._spent += max(0.0, said.usd)
        usd = self._spent if said.is_added else said.usd
        return self._event("COST", usd=usd, pricing=said.pricing)

    def stop(self, why: str) -> None:
        """Ask the child to end now; it is killed if it does not."""
        self._outcome, self._why = self._outcome or "aborted", self._why or why
        self._ask_at = time.monotonic()

    def _limits(self) -> None:
        """End a child that is stuck, or that stays after it said that it is done."""
        now = time.monotonic()
        if self._ask_at is None and now - self._heard > self._stall:
            self._outcome, self._why = "error", f"it said nothing for {self._stall:.0f} s"
            self._ask_at = now
        if self._ask_at is None or now < self._ask_at:
            return
        if self._kill_at is None:
            self._signal(now=False)
            self._kill_at = now + GRACE
        elif now >= self._kill_at:
            self._signal(now=True)

    def _signal(self, *, now: bool) -> None:
        pid = self.child.pid if self.child is not None else turns.process(self.turn)
        if pid:
            end_group(pid, now=now)

    def _over(self) -> list[Event]:
        """The child has ended: what it left behind, and how the turn ended."""
        found = []
        if not self._is_seen and turns.give_up(self.turn):
            why = self._why or turns.tail(self.turn, "err")
            return [self._event("SEND_ERROR", hop=self.turn.delivery, text=why)]
        if not self._is_seen:
            found = self._seen()
        outcome, why = self._ending()
        if outcome == "clean" and self.child is not None and is_group_alive(self.child.pid):
            self._is_left = True
            label = f"processes that step left running (group {self.child.pid})"
            found.append(self._event("BG_STARTED", task=self.left(), text=label, is_detached=True))
        if outcome != "clean":
            self._signal_left()
            return [*found, self._event("SETTLED", outcome=outcome, text=why)]
        signal = self._signalled()
        return [*found, self._event("SETTLED", parse=signal.kind, text=signal.text)]

    def _ending(self) -> tuple[str, str]:
        if self._outcome:
            return self._outcome, self._why
        code = turns.code(self.turn)
        if code == 0:
            return "clean", ""
        how = "it was killed" if code is None else f"it ended with exit code {code}"
        said = turns.tail(self.turn, "err")
        return "error", f"{how}: {said}" if said else how

    def _signalled(self) -> Signal:
        given = tuple(checked(kind, text) for kind, text in turns.calls(self.turn))
        return agreed(given, parse(self._final, self.relay))

    def _signal_left(self) -> None:
        """A turn that failed leaves nothing running that we started."""
        if self.child is not None:
            end_group(self.child.pid, now=True)

    def left(self) -> str:
        """The task that stands for what the program left running."""
        return f"group-{self.child.pid}" if self.child is not None and self._is_left else ""

    def left_over(self) -> Event | None:
        """The end of what the program left running, once."""
        if not self.left() or self.child is None or is_group_alive(self.child.pid):
            return None
        event = self._event("BG_CONSUMED", task=self.left())
        self._is_left = False
        return event
