"""The intent that a relay delivers: its lock goes with the work from session to session."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plastic.disk.session import Caller
from plastic.rules.end.facts import DELIVERED, Flags
from plastic.rules.lock.lease import BEAT_EVERY
from plastic.words import Refusal
from plastic.work.end.run import Wish, end
from plastic.work.intent.intents import find
from plastic.work.intent.ledger import record
from plastic.work.lock.delegates import delegate
from plastic.work.lock.handover import commit
from plastic.work.lock.keep import renew
from plastic.work.lock.release import release
from plastic.work.lock.transfer import transfer
from plastic.work.lock.verb import seen
from plastic.work.start import Options, start

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.relay.place import About
    from plastic.rules.relay.events import Event
    from plastic.rules.relay.state import State
    from plastic.words import Intent

STAGE = "Relay"
KEEPS = ("user_paused", "unsignalled", "attention", "background")  # a person is on the way
SHOWN = 120  # characters of a hand-off in the ledger


class Custody:
    """Without an intent: where the children work, and nothing else."""

    def __init__(self, about: About) -> None:
        self.cwd = about.cwd

    def board(self, state: State, event: Event) -> None:
        """Before a person's word lets a session work: it holds the lock, or nothing happens."""

    def admit(self, session: str) -> None:
        """Before its prompt is sent: the next session may write."""

    def follow(self, before: State, after: State, event: Event) -> None:
        """After each event: what the lock must know of it."""

    def beat(self) -> str:
        """While a child lives: so does the lease. Why it does not, "" when it does."""
        return ""

    def leave(self, state: State) -> dict[str, Any]:  # noqa: ARG002 # others look at it
        """After the last child: End, or the lock is kept for a person, or given back."""
        return {}


class IntentCustody(Custody):
    """The lock of one intent: always with the session that has the prompt."""

    def __init__(self, home: Home, about: About, state: State, say: Callable[[str], None]) -> None:
        super().__init__(about)
        self.intent: Intent = find(home, about.intent)
        self._home = home
        self._about = about
        self._say = say
        self._next = 0.0
        self._mine = {session for pair in state.names for session in pair} | {*state.sessions}
        if state.pending is not None:
            self._mine.add(state.pending.replacement)
        self.cwd = self._tree() or about.cwd

    def board(self, state: State, event: Event) -> None:
        session = event.session if event.kind == "START" else name_of(state, state.current)
        self._mine.add(session)
        given: dict[str, str | None] = {
            "harness": self._about.agent,
            "agent": "relay",
            "thread": self._about.relay,
        }
        start(
            self._home, Caller(session, "relay"), self.intent, Options(provenance=given), self._say
        )
        self.cwd = self._tree() or self._about.cwd

    def admit(self, session: str) -> None:
        self._mine.add(session)
        owner = self._owner()
        if owner is not None and owner.session != session:
            delegate(self._home, self.intent, owner, session)

    def follow(self, before: State, after: State, event: Event) -> None:
        pending = after.pending
        if event.kind == "SESSION_NAMED" and pending and event.session == pending.replacement:
            self.admit(event.text)  # its first call may come before its prompt is seen to begin
        elif after.step > before.step or event.kind == "SESSION_NAMED":
            to, owner = name_of(after, after.current), self._owner()
            self._mine.add(to)
            if after.is_live and owner is not None and to != owner.session:
                transfer(self._home, self.intent, owner, to)

    def beat(self) -> str:
        if time.monotonic() < self._next:
            return ""
        self._next = time.monotonic() + BEAT_EVERY
        owner = self._owner()
        try:
            if owner is not None:
                renew(self._home, self.intent, owner)
            return ""
        except Refusal as refusal:
            return refusal.reason

    def leave(self, state: State) -> dict[str, Any]:
        owner = self._owner()
        if state.reason == "done" and self._about.ends:
            return self._end(owner or Caller(name_of(state, state.current), "relay"))
        if state.state not in KEEPS and owner is not None and owner.session in self._mine:
            record(self.intent, STAGE, note_of(self._about, state))
            release(self._home, self.intent, owner)
            commit(self._home, self.intent, f"Leave {self.intent.name}: the relay stopped")
        return {}

    def _end(self, owner: Caller) -> dict[str, Any]:
        """What End said. What is in its way is for people: the lock stays with the last session."""
        try:
            return {"end": end(self._home, self.intent, owner, Wish(Flags(DELIVERED)), self._say)}
        except Refusal as refusal:
            return {"end_refused": {"reason": refusal.reason, "run": refusal.run}}

    def _owner(self) -> Caller | None:
        """Which of our sessions holds the lock; None where there is none (an agent's own End).

        Where somebody else has it, a name of nobody: it will be refused, and told who has it.
        """
        view = seen(self.intent)
        if view.state == "none":
            return None
        mine = view.lock is not None and view.lock.owner in self._mine
        return Caller(view.lock.owner if view.lock and mine else "relay", "relay")

    def _tree(self) -> str:
        lock = seen(self.intent).lock
        tree = lock.raw.get("worktree") if lock is not None else None
        path = tree.get("path") if isinstance(tree, dict) else None
        return path if isinstance(path, str) else ""


def custody_of(home: Home, about: About, state: State, say: Callable[[str], None]) -> Custody:
    """Who looks after the lock of a relay, if it has one."""
    return IntentCustody(home, about, state, say) if about.intent else Custody(about)


def name_of(state: State, session: str) -> str:
    """What the harness calls a session of ours."""
    return dict(state.names).get(session, session)


def note_of(about: About, state: State) -> str:
    """One line for whoever goes on with the intent, here or elsewhere."""
    why = state.reason or state.state
    text = f"{about.relay} stopped ({why}) at step {state.step} of {state.max_steps}"
    if state.pending is not None:
        line = " ".join(state.pending.prompt.split())[:SHOWN]
        text += f"; the hand-off that waits: {line}"
    return f"{text}; plastic relay resume {about.relay}"
