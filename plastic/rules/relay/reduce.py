"""The relay's rule: a state and an event give a state and effects. Total, pure, deterministic."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.relay.changes import CHANGES
from plastic.rules.relay.events import Effect
from plastic.rules.relay.guards import holds, is_foreign
from plastic.rules.relay.state import State
from plastic.rules.relay.table import ROWS
from plastic.rules.relay.texts import prompt

if TYPE_CHECKING:
    from plastic.rules.relay.events import Event
    from plastic.rules.relay.table import Row


class Step(NamedTuple):
    """What became of an event; `row` is the table's number, `ignored` for none.

    `refusal` is a code of rules/relay/texts.py when a person's command was refused.
    """

    state: State
    effects: tuple[Effect, ...]
    row: str
    refusal: str = ""


def reduce(state: State, event: Event) -> Step:
    """One step. Timers are in the state (`timers`); whoever has a clock sends TIMER when due."""
    if event.kind == "COST" and not is_foreign(state, event) and state.state != "off":
        state = CHANGES["cost"](state, event)
    row = chosen(state, event)
    if row is None:
        return Step(state, (), "ignored")
    refusal = next((one[7:] for one in row.effects if one.startswith("refuse ")), "")
    if refusal:
        return Step(state, (Effect("notify", refusal),), row.number, refusal)
    after = state
    for name in row.changes:
        after = CHANGES[name](after, event)
    after = _moved(after, row.next)
    effects = []
    for wanted in row.effects:
        effect = _effect(wanted, state, after, event)
        if effect is not None:
            effects.append(effect)
            if effect.kind == "send" and effect.code != "pending":
                after = after._replace(sent=(effect.hop, effect.text))
    return Step(after, tuple(effects), row.number)


def chosen(state: State, event: Event) -> Row | None:
    """The first row that fits."""
    for row in ROWS.get((event.kind, state.state), ()):
        if all(holds(name, state, event) for name in row.guards):
            return row
    return None


def _moved(state: State, to: str) -> State:
    if to == "same":
        return state
    name, _, reason = to.removesuffix(")").partition("(")
    return State() if name == "off" else state._replace(state=name, reason=reason)


def _effect(wanted: str, before: State, after: State, event: Event) -> Effect | None:
    """One effect of a row, with what it needs of state and event."""
    kind, _, code = wanted.partition(" ")
    if kind == "foreign":
        return None
    if kind == "send":
        return _send(code, after, event)
    pending = after.pending
    if kind == "replace" and pending is not None:
        return Effect("replace", "", pending.prompt, after.current, pending.hop, pending.model)
    if kind == "discard":
        return Effect("discard", session=before.relay)
    if kind == "notify" and not code:
        code = after.reason or after.state
    session = event.session if code == "orphan" else after.current
    if kind == "abort" and before.state == "advancing" and pending is not None:
        session = pending.replacement
    return Effect(kind, code or after.reason, session=session)


def _send(code: str, after: State, event: Event) -> Effect:
    pending, model = after.pending, after.staged_model
    if code == "pending" and pending is not None:
        return Effect("send", code, pending.prompt, pending.replacement, pending.hop, pending.model)
    if code == "open" and after.sent is not None:
        return Effect("send", code, after.sent[1], after.current, after.sent[0], model)
    text = event.text if code in ("first", "reply") else prompt(code, event.text)
    return Effect("send", code, text, after.current, event.fresh)
