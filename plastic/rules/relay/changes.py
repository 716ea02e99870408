"""What the rows of the relay's table change besides the state's name, each as a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.relay.guards import cap_of, steps_of
from plastic.rules.relay.state import Pending, State, outstanding, put, status_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.relay.events import Event

# Seconds; a cold model may need them.
DISPATCH = 30.0
DELIVERY = 180.0
WORST = ("exact", "estimated", "unknown")
MOST_TASKS = 200  # consumed ones beyond that are forgotten, oldest first


def _new(_: State, event: Event) -> State:
    return State(
        relay=event.relay,
        current=event.session,
        sessions=(event.session,),
        step=1,
        max_steps=event.max_steps or 1,
        max_cost=event.max_cost,
        allows_unknown=event.allows_unknown,
        pricing=event.pricing,
    )


def _limits(state: State, event: Event) -> State:
    return state._replace(
        max_steps=steps_of(state, event),
        max_cost=cap_of(state, event),
        allows_unknown=state.allows_unknown or event.allows_unknown,
    )


def _cost(state: State, event: Event) -> State:
    before = dict(state.costs).get(event.session, 0.0)
    usd = before + max(0.0, event.usd) if event.is_added else max(before, event.usd)
    worst = max(state.pricing, event.pricing, key=WORST.index)
    return state._replace(costs=put(state.costs, event.session, usd), pricing=worst)


def _hop(state: State, event: Event) -> State:
    pending = Pending(event.fresh, event.text, state.staged_model, state.current)
    return state._replace(pending=pending, staged_model="")


def _commit(state: State, _: Event) -> State:
    """The prompt has arrived: the step is taken, once."""
    pending = state.pending
    assert pending is not None
    return state._replace(
        step=state.step + 1,
        sessions=(*state.sessions, pending.replacement),
        current=pending.replacement,
        names=tuple(one for one in state.names if one[0] == pending.replacement),
        pending=None,
        sent=None,
        has_claim=False,
        correction_used=False,
        question="",
        signal=None,
        tasks=(),
        timers=(),
    )


def _unstarted(state: State, _: Event) -> State:
    pending = state.pending and state.pending._replace(is_started=False)
    return state._replace(pending=pending, timers=())


def _replacement(state: State, event: Event) -> State:
    assert state.pending is not None
    pending = state.pending._replace(
        replacement=event.session,
        is_started=True,
        is_unknown=False,
        attempts=state.pending.attempts + 1,
    )
    timers = (("delivery", event.now + DELIVERY),)
    return state._replace(pending=pending, has_claim=True, timers=timers)


def _again(state: State, event: Event) -> State:
    """The same prompt to the same replacement."""
    assert state.pending is not None
    return _replacement(state, event._replace(session=state.pending.replacement))


def _dispatch(state: State, event: Event) -> State:
    pending = state.pending and state.pending._replace(replacement="", is_started=False)
    timers = (("dispatch", event.now + DISPATCH),)
    return state._replace(pending=pending, timers=timers, has_claim=False)


def _unknown(state: State, _: Event) -> State:
    pending = state.pending and state.pending._replace(is_unknown=True)
    return state._replace(pending=pending, has_claim=False)


def _delivered(state: State, _: Event) -> State:
    pending = state.pending and state.pending._replace(is_delivered=True)
    return state._replace(pending=pending, has_claim=False)


def with_task(state: State, task: str, status: str, label: str = "") -> State:
    """The table of background work with one row changed; the oldest consumed rows go."""
    old = next((one[2] for one in state.tasks if one[0] == task), "")
    rows = [one for one in state.tasks if one[0] != task]
    rows.append((task, status, label or old))
    while len(rows) > MOST_TASKS and any(one[1] == "consumed" for one in rows):
        rows.remove(next(one for one in rows if one[1] == "consumed"))
    return state._replace(tasks=tuple(rows))


def _task(state: State, event: Event) -> State:
    """Inline work holds nothing back; news of work that was never announced is about inline work.

    What comes late or twice does not run a finished task again: only `reopened` does.
    """
    known = status_of(state, event.task)
    if event.kind in ("BG_CREATED", "BG_STARTED"):
        is_new = event.is_detached and not known
        return with_task(state, event.task, "running", event.text) if is_new else state
    if event.kind == "BG_REOPENED":
        return with_task(state, event.task, "running", event.text)
    if event.kind == "BG_CONSUMED":
        return with_task(state, event.task, "consumed") if known or event.is_detached else state
    if known == "running" or (event.is_detached and not known):
        return with_task(state, event.task, "finished", event.text)
    return state


def _consume(state: State, event: Event) -> State:
    for task in event.tasks:
        if status_of(state, task):
            state = with_task(state, task, "consumed")
    return state


def _release(state: State, _: Event) -> State:
    for task, status, _label in outstanding(state):
        if status == "finished":
            state = with_task(state, task, "consumed")
    return state


def _named(state: State, event: Event) -> State:
    return state._replace(names=put(state.names, event.session, event.text))


CHANGES: dict[str, Callable[[State, Event], State]] = {
    "new relay": _new,
    "limits": _limits,
    "cost": _cost,
    "hop": _hop,
    "commit": _commit,
    "not started": _unstarted,
    "to replacement": _replacement,
    "to replacement again": _again,
    "new replacement": _dispatch,
    "mark delivered": _delivered,
    "mark unknown": _unknown,
    "claim gone": lambda state, _: state._replace(has_claim=False),
    "task": _task,
    "tasks seen": _consume,
    "results released": _release,
    "tasks forgotten": lambda state, _: state._replace(tasks=()),
    "name": _named,
    "correction spent": lambda state, _: state._replace(correction_used=True),
    "budget full": lambda state, _: state._replace(correction_used=False),
    "question": lambda state, event: state._replace(question=event.text),
    "answered": lambda state, _: state._replace(question=""),
    "model": lambda state, event: state._replace(staged_model=event.text),
    "suppressed": lambda state, event: state._replace(
        signal=None if event.parse == "none" else (event.parse, event.text)
    ),
    "error": lambda state, event: state._replace(last_error=event.text or event.outcome),
    "prompt seen": lambda state, _: state._replace(sent=None),
    "orphan told": lambda state, event: state._replace(orphan=event.session),
    "no timers": lambda state, _: state._replace(timers=()),
    "remember state": lambda state, _: state._replace(was=state.state),
}
