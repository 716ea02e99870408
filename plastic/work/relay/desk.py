"""One relay at hand: its state, and `post`, by which alone it changes."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.failpoints import point
from plastic.disk.locks import try_guard
from plastic.disk.relay import journal
from plastic.disk.relay.place import clear, disown, own, owner
from plastic.rules.relay.events import EVENTS, Event
from plastic.rules.relay.reduce import reduce
from plastic.rules.relay.state import STATES, Pending, State, from_json
from plastic.words import Broken, Held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.disk.relay.place import About, Place
    from plastic.rules.relay.events import Effect
    from plastic.rules.relay.reduce import Step

PATIENCE = 3.0  # seconds: a runner that is just ending, or somebody who only looks
TICK = 0.02
_PLAIN = Event("")


class Mark(NamedTuple):
    """How many turns of a child that lives on have been heard."""

    turn: int
    settled: int


class Desk:
    """A relay under its guard. Each event is in the journal before anything follows from it."""

    def __init__(self, place: Place, about: About) -> None:
        self.place = place
        self.about = about
        journal.saved(place)  # one of a newer plastic is not written over
        found = journal.read_rows(place)
        journal.mend(place)
        self.seq, self.state = found.seq, based(place, found.base)
        self.mark: Mark | None = marked(found.mark)
        self.effects: tuple[Effect, ...] = ()  # of the last event
        self.done: set[int] = set()  # those of them that were begun
        for row in found.rows:
            self._replay(row)
        self._end = found.end

    def _replay(self, row: dict[str, Any]) -> None:
        if "event" in row:
            step = applied(self.place, self.state, row)
            self.seq, self.state, self.effects, self.done = (
                row["seq"],
                step.state,
                step.effects,
                set(),
            )
            self.mark = marked(row.get("mark")) or self.mark
        elif row["seq"] == self.seq:
            self.done.add(row["did"])

    def post(self, event: Event, mark: Mark | None = None) -> Step:
        """Let something happen: durable first, then true. Its effects are the caller's to do."""
        if event.kind != "START" and not event.relay:
            event = event._replace(relay=self.place.name)
        event = event._replace(now=event.now or time.time())
        step = reduce(self.state, event)
        row: dict[str, Any] = {"seq": self.seq + 1, "event": packed(event), "row": step.row}
        if mark is not None:
            row["mark"] = mark
            self.mark = mark
        point("relay.happened")
        self._add(row)
        self.seq, self.state = self.seq + 1, step.state
        point("relay.noted")
        self._save()
        point("relay.saved")
        return step

    def begin_effect(self, seq: int, number: int) -> None:
        """Note that an effect of an event is begun: it is never begun again."""
        self._add({"seq": seq, "did": number})

    def _add(self, row: dict[str, Any]) -> None:
        self._end += journal.add(self.place, row)

    def _save(self) -> None:
        if self._end > journal.LONGEST:
            journal.begin(self.place, self.state.to_json(), self.seq, self.mark)
            self._end = journal.read_rows(self.place).end
        journal.save(self.place, self.seq, self._end, self.state.to_json())


def packed(event: Event) -> dict[str, Any]:
    """What an event says beyond the ordinary."""
    value = event._asdict()
    return {key: value[key] for key in value if value[key] != getattr(_PLAIN, key)}


def unpacked(raw: dict[str, Any]) -> Event | None:
    """The event again, None when it is none; keys of other versions are left out."""
    known = {key: raw[key] for key in Event._fields if key in raw}
    if isinstance(known.get("tasks"), list):
        known["tasks"] = tuple(known["tasks"])
    if "kind" not in known:
        return None
    event = Event(**known)
    return event if is_shaped(event, _PLAIN) and event.kind in EVENTS else None


def marked(raw: object) -> Mark | None:
    """A mark of the journal."""
    if isinstance(raw, list) and len(raw) == 2 and all(isinstance(one, int) for one in raw):
        return Mark(*raw)
    return None


def applied(place: Place, state: State, row: dict[str, Any]) -> Step:
    """What a row of the journal did."""
    event = unpacked(row["event"])
    if event is None:
        raise journal.unreadable(place, f"says nothing that can be read in event {row['seq']}")
    return reduce(state, event)


def based(place: Place, base: dict[str, Any] | None) -> State:
    """The state that a journal starts from."""
    state = restored(base) if base else State()
    if state is None:
        raise journal.unreadable(place, "starts from a state that cannot be read")
    return state


def restored(raw: dict[str, Any]) -> State | None:
    """The state that was kept; None when that is none."""
    try:
        state = from_json(raw)
    except (TypeError, ValueError):
        return None
    pending = state.pending
    whole = is_shaped(state, State()) and (not pending or is_shaped(pending, Pending("", "")))
    return state if whole and state.state in STATES else None


def is_shaped(value: tuple[Any, ...], plain: tuple[Any, ...]) -> bool:
    """Whether each part has the type of the plain one's."""
    return all(map(_fits, value, plain))


def _fits(one: object, other: object) -> bool:
    if other is None:  # max_steps, max_cost, pending, sent, signal
        return one is None or isinstance(one, int | float | tuple)
    if isinstance(other, float):
        return isinstance(one, int | float)
    return isinstance(one, type(other))


def look(place: Place) -> State:
    """The state as whoever does not hold the guard sees it, in a time that does not grow."""
    kept = journal.saved(place)
    state = restored(kept.state) if kept else None
    later = None
    if kept is not None and state is not None:
        try:
            later = journal.rows_after(place, kept.offset, kept.seq)
        except Broken:
            pass  # the cache may be what is wrong
    if state is None or later is None:
        found = journal.read_rows(place)
        state, later = based(place, found.base), found.rows
    for row in later:
        if "event" in row:
            state = applied(place, state, row).state
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
                try:
                    yield Desk(place, about)
                finally:
                    disown(place)
                return
        if time.monotonic() > until:
            pid = owner(place)
            who = f"process {pid}" if pid else "another process"
            why = f"{who} runs relay {place.name}"
            raise Held("relay-runs", why, who=who, run=f"plastic relay attach {place.name}")
        time.sleep(TICK)
