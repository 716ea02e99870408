"""Watches the child of a turn: what it says becomes events, its end a settled turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk.relay import turn as turns
from plastic.disk.relay.processes import end_group
from plastic.work.relay.hearing import Hearing
from plastic.work.relay.leftover import Leftover
from plastic.work.relay.proof import proof

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plastic.disk.process import Child
    from plastic.disk.relay.place import About
    from plastic.disk.relay.turn import Turn
    from plastic.harness.agents.shape import Adapter
    from plastic.rules.relay.events import Event
    from plastic.work.relay.desk import Mark

AFTER_RESULT = 10.0  # seconds that a child may live on once it said that it is done
QUIET = 3.0  # seconds in which a child whose background work is over may begin a turn of its own
GRACE = 5.0  # seconds between asking a child to end and killing it
TICK = 0.03


class Watch:
    """One turn under watch, started by this process or found alive."""

    def __init__(self, turn: Turn, adapter: Adapter, about: About, mark: Mark | None) -> None:
        self.turn = turn
        self.adapter = adapter
        self.child: Child | None = None
        self.hearing = Hearing(turn, about.relay, mark)
        self.is_over = False  # the event that comes now is the last
        self._about = about
        self._lines = turns.Lines(turn.file("out"))
        self._stall = about.stall
        self._heard = time.monotonic()
        self._outcome = ""  # why it was stopped by us
        self._why = ""
        self._idle_at: float | None = None
        self._ask_at: float | None = None  # when it is asked to end
        self._kill_at: float | None = None
        self.leftover = Leftover(turn)

    @property
    def last_line(self) -> str:
        """What it said last, for people."""
        return self.hearing.last_line

    def is_alive(self) -> bool:
        """Whether the child runs."""
        if self.child is not None:
            return self.child.poll() is None
        return turns.process(self.turn) != 0

    def events(self, is_busy: Callable[[], bool]) -> Iterator[Event]:
        """What has happened since the last call; nothing more comes once it `is_over`."""
        ended = not self.is_alive()  # asked first: then all that it said is in the file
        if self.adapter.caps.proof == "stdin" and turns.has_begun(self.turn):
            yield from self.hearing.seen()
        lines = self._lines.rest() if ended else self._lines.new()
        for line in lines:
            for said in self.adapter.read(line):
                yield from self.hearing.of(said, is_busy)
        if lines:
            self._heard = time.monotonic()
        if ended:
            yield from self._over()
        else:
            self._limits(is_busy)

    def ended(self) -> list[Event]:
        """End it, because another child comes: what it has cost, all else is late."""
        turns.close(self.turn)
        until = time.monotonic() + AFTER_RESULT
        while self.is_alive():
            if time.monotonic() > until:
                self._signal(now=time.monotonic() > until + GRACE)
            time.sleep(TICK)
        rest = [
            event
            for line in self._lines.rest()
            for said in self.adapter.read(line)
            for event in self.hearing.of(said, lambda: False)
        ]
        return [event for event in rest if event.kind == "COST"]

    def stop(self, why: str) -> None:
        """Ask the child to end now; it is killed if it does not."""
        self._outcome, self._why = self._outcome or "aborted", self._why or why
        self._ask_at = time.monotonic()

    def _limits(self, is_busy: Callable[[], bool]) -> None:
        """End a child that is stuck, or that stays after it said that it is done."""
        now = time.monotonic()
        if self._ask_at is None:
            self._idle(now, is_busy)
        if self._ask_at is None or now < self._ask_at:
            return
        if self._kill_at is None:
            self._signal(now=False)
            self._kill_at = now + GRACE
        elif now >= self._kill_at:
            self._signal(now=True)

    def _idle(self, now: float, is_busy: Callable[[], bool]) -> None:
        if not self.hearing.is_idle:
            self._idle_at = None
            if now - self._heard > self._stall:
                self._outcome, self._why = "error", f"it said nothing for {self._stall:.0f} s"
                self._ask_at = now
        elif is_busy():
            self._idle_at = None
        elif self._idle_at is None:
            self._idle_at = now
        elif now - self._idle_at > (QUIET if self.hearing.was_busy else 0):
            turns.close(self.turn)
            self._ask_at = now + AFTER_RESULT

    def _signal(self, *, now: bool) -> None:
        pid = self.child.pid if self.child is not None else turns.process(self.turn)
        if pid:
            end_group(pid, now=now)

    def _over(self) -> Iterator[Event]:
        """The child has ended: whether it ever began, what it left behind, how its turn ended."""
        hearing = self.hearing
        if not hearing.is_seen and turns.give_up(self.turn):
            why = self._why or turns.tail(self.turn, "err")
            self.is_over = True
            yield hearing.event("SEND_ERROR", hop=self.turn.delivery, text=why)
            return
        if not hearing.is_seen and not hearing.has_ended():
            found = proof(self.turn, self.adapter, hearing.named, self._about.cwd)
            if found != "found":
                self.is_over = True
                why = self._why or turns.tail(self.turn, "err")
                yield hearing.event("PROCESS_LOST", proof=found, text=why)
                return
        yield from hearing.seen()
        outcome, why = self._ending()
        if outcome == "lost":
            self.is_over = True
            yield hearing.event("PROCESS_LOST", proof="found")
            return
        if outcome == "clean":
            # One that tells of its background work has ended all of it.
            tells = self.adapter.caps.keeps_background
            group = self.child.pid if self.child is not None and not tells else 0
            for task, label in self.leftover.find(group).items():
                yield hearing.event("BG_STARTED", task=task, text=label, is_detached=True)
        if outcome != "clean" and self.child is not None:
            end_group(self.child.pid, now=True)  # a turn that failed leaves nothing running
        self.is_over = True
        yield hearing.ended(outcome, why)

    def _ending(self) -> tuple[str, str]:
        if self._outcome or self.hearing.outcome:
            return self._outcome or self.hearing.outcome, self._why or self.hearing.why
        code = turns.code(self.turn)
        if code == 0 and (self.adapter.caps.proof == "stdin" or self.hearing.has_ended()):
            return "clean", ""
        if code is None and self.child is None:
            return "lost", ""
        how = "it was killed" if code is None else f"it ended with exit code {code}"
        said = self.hearing.why or turns.tail(self.turn, "err")
        return "error", f"{how}: {said}" if said else how

    def left_over(self) -> list[Event]:
        """The end of what the child left running."""
        return [self.hearing.event("BG_CONSUMED", task=task) for task in self.leftover.ended()]
