"""Runs one relay in this process: events into its state, effects out of it, one child at a time."""

from __future__ import annotations

import os
import time
import uuid
from typing import TYPE_CHECKING

from plastic.disk.failpoints import point
from plastic.disk.relay import background
from plastic.disk.relay import turn as turns
from plastic.rules.relay.changes import DELIVERY, DISPATCH
from plastic.rules.relay.events import Event
from plastic.rules.relay.reduce import Step
from plastic.rules.relay.state import WORKING, outstanding
from plastic.words import Refusal
from plastic.work.relay import inbox
from plastic.work.relay.childenv import child_env, hashed, new_token
from plastic.work.relay.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.harness.agents.shape import Adapter
    from plastic.rules.relay.events import Effect
    from plastic.work.relay.custody import Custody
    from plastic.work.relay.desk import Desk, Mark
    from plastic.work.relay.tell import Tell

WATCHDOGS = {"dispatch": DISPATCH, "delivery": DELIVERY}
TICK = 0.03  # seconds between two looks at the child


def new_id() -> str:
    """A new id for a session, a hop or a delivery."""
    return str(uuid.uuid4())


class Runner:
    """One relay, its guard held; `run` comes back when only a person can go on."""

    def __init__(
        self, desk: Desk, adapter: Callable[[], Adapter], custody: Custody, tell: Tell
    ) -> None:
        self.desk = desk
        self.watch: Watch | None = None
        self.new_adapter = adapter
        self.custody = custody
        self._tell = tell
        self.is_asked: Callable[[], bool] = lambda: False  # to stop, by a signal
        self._due_at: dict[tuple[str, float], float] = {}

    def run(self) -> None:
        """Until it stops, pauses or needs attention, and no child is left."""
        while self.is_at_work():
            if self.is_asked() and self.desk.state.is_live:
                self.post(Event("OFF", source="interactive"))
            inbox.answer(self.desk.place, self._asked)
            self.look()
            self._due()
            lost = self.custody.beat() if self.watch is not None else ""
            if lost and self.desk.state.is_live:
                self._tell.say(f"relay: {lost}: the relay stops")
                self.post(Event("OFF"))
            line = self.watch.last_line if self.watch is not None else ""
            self._tell.progress(self.desk.state, line)
            time.sleep(TICK)
        inbox.answer(self.desk.place, self._asked)

    def is_at_work(self) -> bool:
        """Whether anything can happen without a person."""
        return self.desk.state.state in WORKING or self.watch is not None

    def post(self, event: Event, mark: Mark | None = None) -> Step:
        """Let something happen and do what follows from it."""
        if event.kind in ("SETTLED", "RESUME", "INPUT", "START") and not event.fresh:
            event = event._replace(fresh=new_id())
        before = self.desk.state
        if event.kind == "SEND_ERROR" and before.pending is not None:
            event = event._replace(attempt=before.pending.attempts)  # the child is that of the last
        step = self.desk.post(event, mark)
        seq = self.desk.seq
        self.custody.follow(before, step.state, event)
        for number, effect in enumerate(step.effects):
            if not step.refusal:
                self.desk.begin_effect(seq, number)
                point("relay.effect")
                self._do(effect)
        self._tell.moved(before, step.state)
        return step

    def _asked(self, event: Event) -> Step:
        """What another process wants: nothing is said to a child that is at work."""
        if event.kind == "INPUT" and self.desk.state.state in WORKING:
            return Step(self.desk.state, (), "20", "busy")
        if event.kind == "RESUME" and self.desk.state.state == "running":
            event = event._replace(source="")
        return self.post(event)

    def tell_rest(self) -> None:
        """Tell people what the last runner was killed before."""
        desk = self.desk
        for number, effect in enumerate(desk.effects):
            if effect.kind == "notify" and number not in desk.done:
                desk.begin_effect(desk.seq, number)
                self._do(effect)

    def look(self) -> None:
        """See what the child has said and done."""
        watch = self.watch
        if watch is None:
            return
        if watch.leftover.tasks:
            for event in watch.left_over():
                self.watch = watch if watch.leftover.tasks else None
                self.post(event)
            return
        for event in watch.events(self._is_busy):
            if event.kind == "PROCESS_LOST" and event.text:
                self._tell.say(f"relay: the agent ended: {event.text}")
            if watch.is_over:  # before the event: it may start the next child
                self.watch = watch if watch.leftover.tasks else None
                self._settle(event)
            else:
                self.post(event, watch.hearing.mark)

    def _is_busy(self) -> bool:
        return bool(outstanding(self.desk.state))

    def _settle(self, event: Event) -> None:
        if event.kind == "SEND_ERROR" and self.desk.state.pending is None:
            event = event._replace(kind="SETTLED", outcome="error", hop="")
        self.post(event)

    def _due(self) -> None:
        """Both watchdogs. A clock that is set meanwhile neither hurries nor holds them."""
        state, now = self.desk.state, time.monotonic()
        for timer in state.timers:
            name, when = timer
            if timer not in self._due_at:
                left = max(0.0, min(when - time.time(), WATCHDOGS.get(name, 0.0)))
                self._due_at = {timer: now + left}
            if now >= self._due_at[timer] and state.pending is not None:
                self.post(Event("TIMER", text=name, hop=state.pending.hop))

    def _do(self, effect: Effect) -> None:
        if effect.kind == "send":
            self._send(effect)
        elif effect.kind == "replace":
            self._replace(effect)
        elif effect.kind == "abort":
            if self.watch is not None:
                self.watch.stop("the relay stopped it")
        elif effect.kind == "notify":
            self._tell.people(effect.code, self.desk.state)

    def _replace(self, effect: Effect) -> None:
        """Give a hop its session: one that may write before it has its prompt."""
        session = new_id()
        try:
            self.custody.admit(session)
        except Refusal as refusal:
            self._tell.say(f"relay: {refusal.reason}")
            self.post(Event("REPLACE_FAILED", hop=effect.hop, text=refusal.reason))
        else:
            self.post(Event("REPLACE_READY", session=session, hop=effect.hop))

    def _send(self, effect: Effect) -> None:
        """Start the child that gets a prompt, once the one before it is gone."""
        if self.watch is not None:
            for event in self.watch.ended():
                self.desk.post(event)
        desk, token = self.desk, new_token()
        adapter, session = self.new_adapter(), effect.session
        prompt = effect.text.encode("utf-8", "surrogateescape")
        model = effect.model or desk.about.model
        if adapter.caps.resumes and turns.has_session(desk.place, session):
            named = dict(desk.state.names).get(session, session)
            launch = adapter.again(session, named, prompt, effect.hop, model)
        else:
            launch = adapter.first(session, prompt, effect.hop, model)
        spent = dict(desk.state.costs).get(session, 0.0)
        turn = turns.make(
            desk.place, session, effect.hop, effect.code, hashed(token), spent, launch.stdin, model
        )
        env = child_env(os.environ, adapter, launch, desk.place.name, token, session)
        env[background.VARIABLE] = background.folder(turn)
        self.watch = Watch(turn, adapter, desk.about, None)
        words = turns.Words((*launch.argv, *desk.about.args), launch.keeps_stdin)
        try:
            self.watch.child = turns.spawn(turn, words, self.custody.cwd, env)
        except OSError as error:
            self.watch = None
            turns.give_up(turn)
            why = f"{launch.argv[0]} cannot be started: {error.strerror}"
            event = Event("SEND_ERROR", session=session, hop=effect.hop, text=why)
            self._settle(event)
