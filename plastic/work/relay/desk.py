"""One relay at hand: its state, and `post`, by which alone it changes."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.disk.failpoints import point
from plastic.disk.locks import try_guard
from plastic.disk.relay import journal
from plastic.disk.relay.place import clear, own, owner
from plastic.rules.relay.events import Event
from plastic.rules.relay.reduce import reduce
from plastic.rules.relay.state import State, from_json
from plastic.words import Held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.disk.relay.place import About, Place
    from plastic.rules.relay.reduce import Step

PATIENCE = 3.0  # seconds: a runner that is just ending, or somebody who only looks
TICK = 0.02
_PLAIN = Event("")


class Desk:
    """A relay under its guard. Each event is in the journal before anything follows from it."""

    def __init__(self, place: Place, about: About) -> None:
        self.place = place
        self.about = about
        journal.mend(place)
        found = journal.read_rows(place)
        self.seq = found.seq
        self.state = from_json(found.base) if found.base else State()
        self.done: set[tuple[int, int]] = set()  # effects that were begun: (seq, number)
        for row in found.rows:
            self._replay(row)
        self._end = found.end

    def _replay(self, row: dict[str, Any]) -> None:
        if "event" in row:
            self.seq, self.state = int(row["seq"]), applied(self.state, row)
        elif "did" in row:
            self.done.add((int(row["seq"]), int(row["did"])))

    def post(self, event: Event) -> Step:
        """Let something happen: durable first, then true. Its effects are the caller's to do."""
        if event.kind != "START" and not event.relay:
            event = event._replace(relay=self.place.name)
        event = event._replace(now=event.now or time.time())
        step = reduce(self.state, event)
        row = {"seq": self.seq + 1, "event": packed(event), "row": step.row}
        point("relay.happened")
        self._add(row)
        self.seq, self.state = self.seq + 1, step.state
        point("relay.noted")
        self._save()
        point("relay.saved")
        return step

    def begin_effect(self, number: int) -> None:
        """Note that an effect of the last event is begun: it is never begun again."""
        self.done.add((self.seq, number))
        self._add({"seq": self.seq, "did": number})

    def _add(self, row: dict[str, Any]) -> None:
        self._end += journal.add(self.place, row)

    def _save(self) -> None:
        if self._end > journal.LONGEST:
            journal.begin(self.place, self.state.to_json(), self.seq)
            self._end = journal.read_rows(self.place).end
        journal.save(self.place, self.seq, self._end, self.state.to_json())


def packed(event: Event) -> dict[str, Any]:
    """What an event says beyond the ordinary."""
    value = event._asdict()
    return {key: value[key] for key in value if value[key] != getattr(_PLAIN, key)}


def unpacked(raw: dict[str, Any]) -> Event:
    """The event again; keys of other versions are left out."""
    known = {key: raw[key] for key in Event._fields if key in raw}
    if "tasks" in known:
        known["tasks"] = tuple(known["tasks"])
    return Event(**known)


def applied(state: State, row: dict[str, Any]) -> State:
    """The state after a row of the journal."""
    return reduce(state, unpacked(row["event"])).state


def look(place: Place) -> State:
    """The state as whoever does not hold the guard sees it, in a time that does not grow."""
    kept = journal.saved(place)
    later = journal.rows_after(place, kept[1]) if kept else None
    if kept is None or later is None:
        found = journal.read_rows(place)
        state, rows = from_json(found.base) if found.base else State(), found.rows
    else:
        state, rows = from_json(kept[2]), later[0]
    for row in rows:
        if "event" in row and (kept is None or row["seq"] > kept[0] or later is None):
            state = applied(state, row)
    return state


@contextmanager
def held(place: Place, about: About) -> Iterator[Desk]:
    """The relay for this process alone; Held while another one runs it."""
    until = time.monotonic() + PATIENCE
    while True:
        with try_guard(place.guard) as mine:
            if mine:
                clear(place.inbox)  # what was asked of a runner that is gone
                own(place)
                yield Desk(place, about)
                return
        if time.monotonic() > until:
            pid = owner(place)
            who = f"process {pid}" if pid else "another process"
            why = f"{who} runs relay {place.name}"
            raise Held("relay-runs", why, who=who, run=f"plastic relay attach {place.name}")
        time.sleep(TICK)
