"""Every state that a small relay can reach, with every event: what the search tests look at.

The relay has two sessions, one background task and a cap of 10 USD; ids repeat, so that the
number of states is finite. What must hold is asked of each step by functions that know nothing of
the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.relay.events import Event
from plastic.rules.relay.reduce import Step, reduce
from plastic.rules.relay.state import State, from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

R = "r1"
MOST_STEPS = 2


class Seen(NamedTuple):
    """One transition."""

    before: State
    event: Event
    step: Step


def alphabet(state: State) -> Iterator[Event]:
    """The events that may meet this state, sensible or not."""
    here, other = state.current, f"s{state.step + 1}"
    hop = f"h{state.step + 1}"
    yield Event("START", relay=R, session="s1", fresh="f1", text="go", max_steps=1, max_cost=10.0)
    yield Event("START", relay=R, session="s1", max_steps=0)
    yield Event("START", relay=R, session="s1", max_steps=2, max_cost=10.0, is_owned=True)
    yield Event("OFF")
    yield Event("PROCESS_LOST")
    for proof in ("found", "absent", "unknown"):
        yield Event("PROCESS_LOST", proof=proof)
    for source in ("", "idle"):
        yield Event("RESUME", is_person=True, fresh="f2", source=source)
    yield Event("RESUME", session=here, fresh="f2")
    yield Event("RESUME", session=other, fresh="f2")
    yield Event("RESUME", session="strange", fresh="f2")
    yield Event("RESUME", is_person=True, fresh="f2", max_steps=MOST_STEPS)
    yield Event("RESUME", is_person=True, fresh="f2", max_cost=20.0)
    yield Event("STAGE_MODEL", text="m")
    for source in ("interactive", "rpc", "extension"):
        yield Event("INPUT", source=source, text="hello", fresh="f3")
    if state.state == "off":
        return
    yield from _world(state, here, other, hop)


def _world(state: State, here: str, other: str, hop: str) -> Iterator[Event]:
    for source in ("human", "notification", "relay"):
        yield Event("TURN_START", relay=R, session=here, source=source)
    yield Event("NOTIFICATION_START", relay=R, session=here, tasks=("t",))
    for outcome in ("error", "aborted"):
        yield Event("SETTLED", relay=R, session=here, outcome=outcome)
    for parse in ("none", "hand-off", "done", "pause", "stop", "malformed"):
        yield Event("SETTLED", relay=R, session=here, parse=parse, text="next", fresh=hop)
        yield Event("SETTLED", relay="old", session=here, parse=parse, text="next", fresh=hop)
    for usd in (9.5, 10.0):
        yield Event("COST", relay=R, session="s1", usd=usd)
    for kind in ("BG_CREATED", "BG_STARTED", "BG_COMPLETED", "BG_FAILED", "BG_CONSUMED"):
        yield Event(kind, relay=R, session=here, task="t", is_detached=kind == "BG_CREATED")
    yield Event("BG_REOPENED", relay=R, session=here, task="t")
    for session in (here, other):
        yield Event("REPLACE_READY", relay=R, session=session, hop=hop)
        yield Event("USER_MESSAGE_START", relay=R, session=session, hop=hop)
        yield Event("USER_MESSAGE_START", relay=R, session=session, hop="wrong")
        yield Event("SESSION_SHUTDOWN", relay=R, session=session)
    yield Event("USER_MESSAGE_START", relay=R, session=here, hop="f1")
    yield Event("REPLACE_READY", relay="old", session=other, hop=hop)
    yield Event("USER_MESSAGE_START", relay="old", session=other, hop=hop)
    for kind in ("REPLACE_FAILED", "REPLACE_CANCELLED"):
        yield Event(kind, relay=R, hop=hop)
    for kind in ("SEND_ACCEPTED", "SEND_REJECTED", "SEND_ERROR"):
        for attempt in (state.pending.attempts if state.pending else 0, -1):
            yield Event(kind, relay=R, hop=hop, attempt=attempt)
    for text in ("dispatch", "delivery"):
        yield Event("TIMER", relay=R, text=text, hop=hop)


def key(state: State) -> State:
    """States that differ only in what is remembered for people count as one."""
    return state._replace(
        signal=None,
        question="",
        last_error="",
        was="",
        orphan="",
        staged_model="",
        sent=state.sent and ("f1" if state.sent[0] == "f1" else "", ""),
        tasks=tuple(one for one in state.tasks if one[1] != "consumed"),
        pending=state.pending and state.pending._replace(model="", is_unknown=False, attempts=0),
    )


def every(most: int = 900_000) -> Iterator[Seen]:
    """All of it, breadth first."""
    ahead, known = [State()], {key(State())}
    count = 0
    while ahead:
        state = ahead.pop()
        for event in alphabet(state):
            step = reduce(state, event)
            yield Seen(state, event, step)
            count += 1
            assert count < most, "the search does not end"
            if key(step.state) not in known:
                known.add(key(step.state))
                ahead.append(step.state)


def wrong(seen: Seen) -> list[str]:
    """Which properties of spec P1-P13 this step breaks."""
    return [name for name, holds in PROPERTIES.items() if not holds(seen)]


def _kinds(seen: Seen) -> list[str]:
    return [one.kind for one in seen.step.effects]


def _is_busy(state: State) -> bool:
    return any(status in ("running", "finished") for _, status, _ in state.tasks)


def _is_budget_event(seen: Seen) -> bool:
    event = seen.event
    is_person = event.kind == "RESUME" or event.source in ("interactive", "human")
    return is_person or event.kind == "START" or seen.step.state.step > seen.before.step


def p1(seen: Seen) -> bool:
    if seen.event.kind != "SETTLED" or not _is_busy(seen.before) or seen.before.state != "running":
        return True
    if seen.event.relay != seen.before.relay:
        return True
    if seen.event.outcome != "clean":
        return seen.step.state.state == "stopped"
    return seen.step.state.state == "background" and seen.step.effects == ()


def p1_no_result_is_lost(seen: Seen) -> bool:
    """An outstanding task goes only by its own result, a person, an end, or a committed hop."""
    if not _is_busy(seen.before) or _is_busy(seen.step.state):
        return True
    ends = ("RESUME", "START", "OFF", "PROCESS_LOST")
    own = seen.event.task == "t" or "t" in seen.event.tasks
    return own or seen.event.kind in ends or seen.step.state.step > seen.before.step


def p2(seen: Seen) -> bool:
    event, before = seen.event, seen.before
    if event.relay != R or event.session != before.current:
        return True
    if event.kind == "SETTLED" and event.parse == "none" and event.outcome == "clean":
        return "send" not in _kinds(seen) and "discard" not in _kinds(seen)
    if event.kind == "TURN_START" and before.state == "unsignalled":
        return seen.step.state.state == "running"
    return True


def p3_pause(seen: Seen) -> bool:
    if seen.before.state != "user_paused" or seen.step.state.state == "user_paused":
        return True
    event = seen.event
    is_human = event.kind in ("RESUME", "OFF", "START", "PROCESS_LOST")
    return is_human or event.source == "interactive" or event.kind == "COST"


def p3_budget(seen: Seen) -> bool:
    back = seen.before.correction_used and not seen.step.state.correction_used
    return not back or _is_budget_event(seen) or seen.event.kind == "OFF"


def p4(seen: Seen) -> bool:
    sends = any(one.code == "correction" for one in seen.step.effects)
    if sends and (seen.before.correction_used or not seen.step.state.correction_used):
        return False
    is_second = (
        seen.event.kind == "SETTLED"
        and (seen.event.relay, seen.event.session) == (R, seen.before.current)
        and (seen.event.outcome, seen.event.parse) == ("clean", "malformed")
        and seen.before.state == "running"
        and seen.before.correction_used
        and not _is_busy(seen.before)
    )
    return not is_second or seen.step.state.reason == "malformed"


def p5(seen: Seen) -> bool:
    before, after = seen.before, seen.step.state
    if before.pending is None:
        return after.step in (before.step, 1, 0)
    if seen.event.kind in ("START", "OFF") and (after.pending is None or after.state == "off"):
        return seen.event.kind == "START" or before.state in ("stopped", "interrupted")
    if after.pending is None:
        return after.step == before.step + 1
    same = (after.pending.hop, after.pending.prompt) == (before.pending.hop, before.pending.prompt)
    return same and after.step == before.step and after.sessions == before.sessions


def p5_reset(seen: Seen) -> bool:
    """Whatever failed may be tried again: its mark is reset unless the send may still live."""
    after = seen.step.state
    if after.state != "attention" or after.pending is None or seen.before.state == "attention":
        return True
    return after.pending.is_started == (after.reason in ("delivery_timeout", "delivery_unknown"))


def p5b(seen: Seen) -> bool:
    """A step only by the exact prompt in its session, which was sent; no second unanswered send."""
    before, after, event = seen.before, seen.step.state, seen.event
    sends = [one for one in seen.step.effects if one.code == "pending"]
    if sends and (before.has_claim or (before.pending and before.pending.is_delivered)):
        return False
    if seen.event.kind == "START" or after.step <= before.step:
        return True
    pending = before.pending
    if pending is None:
        return False
    if event.kind == "USER_MESSAGE_START":
        return (event.hop, event.session) == (pending.hop, pending.replacement)
    is_found = event.kind == "PROCESS_LOST" and event.proof == "found" and pending.is_started
    return is_found or (event.kind == "RESUME" and pending.is_delivered)


def p5c(seen: Seen) -> bool:
    """Only a person wakes what has stopped; what carries another relay's id is inert."""
    is_human = seen.event.kind in ("RESUME", "START", "OFF")
    if seen.before.state in ("stopped", "interrupted", "off") and not is_human:
        return seen.step.state.state == seen.before.state
    return seen.event.relay != "old" or (seen.step.state, seen.step.effects) == (seen.before, ())


def p6(seen: Seen) -> bool:
    kinds = _kinds(seen)
    is_entry = seen.step.state.state == "stopped" and seen.before.state != "stopped"
    return not is_entry or (kinds.count("notify"), kinds.count("model")) == (1, 1)


def p7(seen: Seen) -> bool:
    """No money is spent beyond the limits, whoever asks for it."""
    after = seen.step.state
    cap = after.max_cost
    kinds = _kinds(seen)
    if cap is None or not {"send", "replace"} & set(kinds):
        return True
    if after.cost >= cap:
        return False
    is_hop = "replace" in kinds or any(one.code == "pending" for one in seen.step.effects)
    return not is_hop or (after.cost < 0.95 * cap and after.step < after.max_steps)


def p8(seen: Seen) -> bool:
    after = seen.step.state
    plain = from_json(after.to_json()) == after
    is_new = after.step > seen.before.step and seen.before.step > 0
    is_back = (
        seen.event.kind == "RESUME"
        and seen.before.state in ("stopped", "interrupted")
        and after.is_live
    )
    return plain and (after.tasks == () or not (is_new or is_back))


def p12(seen: Seen) -> bool:
    return seen.step.state.state != "off" or seen.step.state == State()


def p13(seen: Seen) -> bool:
    """`refused` changes nothing; so does what no row knows, except that money is counted."""
    if seen.step.refusal:
        return seen.step.state == seen.before
    if seen.step.row != "ignored":
        return True
    return seen.step.state._replace(costs=()) == seen.before._replace(costs=())


def shape(seen: Seen) -> bool:
    """What every state must look like, whatever came before."""
    after = seen.step.state
    if after.state == "off":
        return True
    has_hop = after.pending is not None
    return (
        len(after.sessions) == after.step
        and (after.state != "advancing" or has_hop)
        and not (has_hop and after.state in ("running", "background", "unsignalled"))
        and (after.state in ("stopped", "attention")) == bool(after.reason)
        and (not after.has_claim or has_hop)
    )


def p14_a_stop_stops(seen: Seen) -> bool:
    """A person's stop and a broken cap end what would go on spending."""
    reasons = ("user_off", "limit_cost")
    is_stop = seen.step.state.reason in reasons and seen.before.is_live
    return not is_stop or "abort" in _kinds(seen)


PROPERTIES = {
    "P1": p1,
    "P1 results": p1_no_result_is_lost,
    "P2": p2,
    "P3 pause": p3_pause,
    "P3 budget": p3_budget,
    "P4": p4,
    "P5": p5,
    "P5 reset": p5_reset,
    "P5b": p5b,
    "P5c": p5c,
    "P6": p6,
    "P7": p7,
    "P8": p8,
    "P12": p12,
    "P13": p13,
    "shape": shape,
    "stop": p14_a_stop_stops,
}
