"""What a relay is at one moment: plain values that survive JSON, nothing of a process in them."""

from __future__ import annotations

from typing import Any, NamedTuple

SCHEMA = 1
# States with somebody who may act by itself; the others only wait for a person.
LIVE = ("running", "background", "unsignalled", "user_paused", "attention", "advancing")
WORKING = ("running", "advancing", "background")  # something happens by itself
STATES = ("off", *LIVE, "interrupted", "stopped")
GUARD = 0.95  # share of the cap from which on no session is begun


class Pending(NamedTuple):
    """A hand-off that has not arrived. Its id is the delivery's: each attempt carries the same."""

    hop: str
    prompt: str
    model: str = ""
    source: str = ""  # the session that handed off
    replacement: str = ""  # the session that is to get it
    is_started: bool = False  # a send was tried
    is_delivered: bool = False  # it arrived after the relay had been stopped
    is_unknown: bool = False  # it may have arrived, and nobody can tell
    attempts: int = 0  # how often it was sent


class State(NamedTuple):
    """One relay. `step` counts the sessions that got their prompt; the first is step 1."""

    state: str = "off"
    reason: str = ""  # why it stopped, or the kind of attention
    was: str = ""  # what it was when its process was lost
    relay: str = ""
    current: str = ""  # session
    sessions: tuple[str, ...] = ()  # committed ones
    names: tuple[tuple[str, str], ...] = ()  # session -> the id that its harness gave it
    step: int = 0
    max_steps: int = 0
    max_cost: float | None = None
    costs: tuple[tuple[str, float], ...] = ()  # session -> USD
    pricing: str = "exact"  # the worst of exact, estimated, unknown
    allows_unknown: bool = False
    correction_used: bool = False
    question: str = ""
    pending: Pending | None = None
    sent: tuple[str, str] | None = None  # (delivery, prompt) to `current` that has not been seen
    has_claim: bool = False  # this process has an unanswered send of the pending hop
    staged_model: str = ""
    tasks: tuple[tuple[str, str, str], ...] = ()  # (id, running|finished|consumed, label)
    timers: tuple[tuple[str, float], ...] = ()  # name -> when
    signal: tuple[str, str] | None = None  # the last one that was suppressed: kind, text
    last_error: str = ""
    orphan: str = ""  # a late session that was told of

    @property
    def cost(self) -> float:
        return sum(usd for _, usd in self.costs)

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    def to_json(self) -> dict[str, Any]:
        """Plain data; `from_json` gives an equal value."""
        value = self._asdict()
        value["pending"] = self.pending._asdict() if self.pending else None
        return {"schema": SCHEMA, **value}


PAIRS = ("names", "costs", "timers", "tasks")


def from_json(value: dict[str, Any]) -> State:
    """What `to_json` wrote, also after a trip through JSON; unknown keys are left out."""
    known = {key: value[key] for key in State._fields if key in value}
    for key in PAIRS:
        known[key] = tuple(tuple(one) for one in known.get(key, ()))
    known["sessions"] = tuple(known.get("sessions", ()))
    for key in ("sent", "signal"):
        known[key] = tuple(known[key]) if known.get(key) else None
    if known.get("pending"):
        known["pending"] = Pending(**known["pending"])
    return State(**known)


def put(pairs: tuple[tuple[str, Any], ...], key: str, value: Any) -> tuple[tuple[str, Any], ...]:
    """The pairs with one changed, or added."""
    return (*(one for one in pairs if one[0] != key), (key, value))


def status_of(state: State, task: str) -> str:
    """What is known of a task, "" for nothing."""
    return next((status for id, status, _ in state.tasks if id == task), "")


def outstanding(state: State) -> list[tuple[str, str, str]]:
    """Background tasks that run, or whose result has not reached the agent."""
    return [one for one in state.tasks if one[1] != "consumed"]
