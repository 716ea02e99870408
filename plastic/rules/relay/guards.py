"""The conditions of the relay's table, each one question to a state and an event."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from plastic.rules.relay.events import HUMAN
from plastic.rules.relay.state import GUARD, outstanding, status_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.relay.events import Event
    from plastic.rules.relay.state import State

PARSES = ("none", "hand-off", "done", "pause", "stop", "malformed")
AGENT_SIDE = ("malformed",)  # kinds of attention that a later turn may mend


def steps_of(state: State, event: Event) -> int:
    """The limit as this event leaves it."""
    return state.max_steps if event.max_steps is None else event.max_steps


def cap_of(state: State, event: Event) -> float | None:
    return state.max_cost if event.max_cost is None else event.max_cost


def is_foreign(state: State, event: Event) -> bool:
    """Of another relay, session or hop. What an earlier session has cost is still ours to count."""
    if event.kind in HUMAN:
        return False
    if event.relay != state.relay:
        return True
    pending = state.pending
    mine = {state.current, pending.replacement if pending else ""} - {""}
    if event.kind in ("COST", "SESSION_NAMED"):
        mine |= set(state.sessions)
    if event.kind == "REPLACE_READY":
        mine = {event.session} - set(state.sessions)  # one that is new
    if event.session and event.session not in mine:
        return True
    return (
        bool(event.hop)
        and event.kind not in ("USER_MESSAGE_START", "COST")
        and not (pending is not None and event.hop == pending.hop)
    )


def _within(state: State, event: Event, share: float) -> bool:
    cap = cap_of(state, event)
    if cap is None:
        return True
    is_priced = state.pricing != "unknown" or state.allows_unknown or event.allows_unknown
    return is_priced and state.cost < share * cap


def _valid(_: State, event: Event) -> bool:
    cap = event.max_cost
    good_cap = cap is None or (isfinite(cap) and cap > 0)
    return good_cap and (event.max_steps is None or event.max_steps >= 1)


def _priced(_: State, event: Event) -> bool:
    return event.max_cost is None or event.pricing != "unknown" or event.allows_unknown


def _arrived(state: State, event: Event) -> bool:
    """The very prompt, in the very session."""
    pending = state.pending
    return (
        pending is not None
        and pending.is_started
        and (event.hop, event.session) == (pending.hop, pending.replacement)
    )


def _right(state: State, event: Event) -> bool:
    pending = state.pending
    mine = {state.current, pending.replacement if pending else ""} - {""}
    return event.is_person or event.session in mine


def _says(field: str, value: str) -> Callable[[State, Event], bool]:
    return lambda _, event: getattr(event, field) == value


def _stopped_by(reason: str) -> Callable[[State, Event], bool]:
    return lambda state, _: state.reason == reason


GUARDS: dict[str, Callable[[State, Event], bool]] = {
    "foreign": is_foreign,
    "valid limits": _valid,
    "priced": _priced,
    "owned": lambda _, event: event.is_owned,
    "same session": lambda state, event: event.session == state.current,
    "right session": _right,
    "busy": lambda state, _: bool(outstanding(state)),
    "running task": lambda state, _: any(one[1] == "running" for one in state.tasks),
    "last task": lambda state, event: (
        not [one for one in outstanding(state) if one[0] != event.task]
    ),
    "step ok": lambda state, event: state.step < steps_of(state, event),
    "cost ok": lambda state, event: _within(state, event, 1.0),
    "guard ok": lambda state, event: _within(state, event, GUARD),
    "claim free": lambda state, _: not state.has_claim,
    "pending": lambda state, _: state.pending is not None,
    "delivered": lambda state, _: state.pending is not None and state.pending.is_delivered,
    "replacement": lambda state, _: state.pending is not None and bool(state.pending.replacement),
    "in replacement": lambda state, event: (
        state.pending is not None
        and bool(state.pending.replacement)
        and state.pending.replacement == event.session
    ),
    "arrived": _arrived,
    "this attempt": lambda state, event: (
        state.pending is not None and event.attempt == state.pending.attempts
    ),
    "seen": lambda state, event: (
        state.sent is not None and (event.hop, event.session) == (state.sent[0], state.current)
    ),
    "unseen": lambda state, _: state.sent is not None,
    "tried": lambda state, _: state.pending is not None and state.pending.is_started,
    "correction used": lambda state, _: state.correction_used,
    "agent side": lambda state, _: state.reason in AGENT_SIDE,
    "timed out": lambda state, _: state.reason == "delivery_timeout",
    "human": lambda _, event: event.source in ("human", "interactive"),
    "idle": lambda _, event: event.source == "idle",
    "told": lambda state, event: event.session in ("", state.orphan),
    "known task": lambda state, event: status_of(state, event.task) != "",
    **{f"is {one}": _says("parse", one) for one in PARSES},
    **{f"outcome {one}": _says("outcome", one) for one in ("clean", "error", "aborted")},
    **{f"proof {one}": _says("proof", one) for one in ("found", "unknown")},
    **{f"due {one}": _says("text", one) for one in ("dispatch", "delivery")},
    **{f"by {one}": _stopped_by(one) for one in ("limit_steps", "limit_cost", "limit_guard")},
}


def holds(name: str, state: State, event: Event) -> bool:
    """One condition of a row; `not X` is the contrary of X."""
    if name.startswith("not "):
        return not GUARDS[name[4:]](state, event)
    return GUARDS[name](state, event)
