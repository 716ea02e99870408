"""The numbered cases of the relay that the rule decides; tests/relay has those of programs."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from plastic.rules.relay.events import Event
from plastic.rules.relay.reduce import reduce
from plastic.rules.relay.signals import parse, render
from plastic.rules.relay.state import State

R = "r1"
OK = Event("RESUME", is_person=True, source="idle", fresh="f8")
LOST = "PROCESS_LOST"


def ev(kind: str, session: str = "s1", **more: Any) -> Event:
    """An event of the relay in a session."""
    return Event(kind, relay=R, session=session, **more)


def settled(parse: str = "none", session: str = "s1", text: str = "next", **more: Any) -> Event:
    return ev("SETTLED", session, parse=parse, text=text, fresh="h2", **more)


START = ev("START", fresh="h1", text="go", max_steps=3, max_cost=10.0)
BEGUN = ev("USER_MESSAGE_START", hop="h1")
HOP = settled("hand-off")
READY = ev("REPLACE_READY", "s2", hop="h2")
ARRIVED = ev("USER_MESSAGE_START", "s2", hop="h2")
FAILED = ev("SEND_ERROR", "s2", hop="h2", attempt=1)
IN_S2 = OK._replace(session="s2")
LATE = ev("TIMER", "", text="delivery", hop="h2")
TASK = ev("BG_CREATED", task="t", text="tests", is_detached=True)
NOTIFIED = ev("NOTIFICATION_START", tasks=("t",))
NOTED = ev("TURN_START", source="notification")
OFF = Event("OFF")
BAD = settled("malformed", text="more than one")
REPLY = Event("INPUT", source="interactive", text="so", fresh="f3", is_person=True)
RPC = Event("INPUT", relay=R, source="rpc", text="so", fresh="f3")


class Case(NamedTuple):
    """What happens after START, and where the relay is then: state, reason, step, prompts sent."""

    number: str
    events: tuple[Event, ...]
    state: str
    reason: str = ""
    step: int = 1
    sent: int = 1  # START sends the first
    refusal: str = ""  # of the last event


CASES = [
    Case("13", (BEGUN, settled(), NOTED, settled("done")), "stopped", "done"),
    Case("23", (BEGUN, BAD, settled(), NOTED, BAD), "attention", "malformed", sent=2),
    Case("24", (BEGUN, BAD, BAD, REPLY, BAD), "running", sent=4),
    Case("26", (BEGUN, BAD, BAD, NOTED, BAD), "attention", "malformed", sent=2),
    Case("29", (BEGUN, settled("stop"), HOP), "stopped", "stop"),
    Case("31", (BEGUN, settled("pause"), RPC), "user_paused"),
    Case("32", (BEGUN, settled("pause"), REPLY), "running", sent=2),
    Case("33", (BEGUN, settled("pause"), Event(LOST), OK), "running", sent=2),
    Case("34", (BEGUN, TASK, settled("done")), "background"),
    Case("36", (BEGUN, TASK, settled("done"), NOTIFIED, settled("done")), "stopped", "done"),
    Case("37", (BEGUN, TASK, settled(), NOTED, settled("done")), "background"),
    Case(
        "38", (BEGUN, TASK, ev("BG_CONSUMED", task="t"), settled("done")), "stopped", "done"
    ),
    Case("39", (BEGUN, TASK, ev("BG_COMPLETED", task="t"), settled(), OK), "running", sent=2),
    Case("41", (BEGUN, ev("BG_STARTED", task="t"), settled("done")), "stopped", "done"),
    Case(
        "42",
        (
            *(BEGUN, TASK, ev("BG_CONSUMED", task="t"), ev("BG_REOPENED", task="t")),
            settled("done"),
        ),
        "background",
    ),
    Case("43", (BEGUN, TASK, settled(), settled(outcome="error")), "stopped", "error"),
    Case("43a", (BEGUN, TASK, settled("done"), ev("BG_CONSUMED", task="t")), "unsignalled"),
    Case("44", (BEGUN, TASK, BAD), "background"),
    Case("46", (BEGUN, HOP, READY, ARRIVED), "running", step=2, sent=2),
    Case(
        "47", (BEGUN, HOP, ev("REPLACE_CANCELLED", hop="h2")), "attention", "replace_cancelled"
    ),
    Case("48", (BEGUN, HOP, ev("REPLACE_FAILED", hop="h2")), "attention", "replace_failed"),
    Case(
        "49", (BEGUN, HOP, ev("TIMER", "", text="dispatch", hop="h2")), "attention",
        "dispatch_timeout",
    ),
    Case("50", (BEGUN, HOP, READY, LATE), "attention", "delivery_timeout", sent=2),
    Case(
        "51", (BEGUN, HOP, READY, LATE, OK), "attention", "delivery_timeout", sent=2,
        refusal="claim",
    ),
    Case(
        "52", (BEGUN, HOP, READY, LATE, Event(LOST, proof="absent"), OK._replace(session="s2"),
               ARRIVED), "running", step=2, sent=3,
    ),
    Case(
        "53",
        (
            *(BEGUN, HOP, READY, LATE, Event(LOST, proof="absent"), OK._replace(session="s1")),
            ev("REPLACE_READY", "s3", hop="h2"),
            ev("USER_MESSAGE_START", "s3", hop="h2"),
        ),
        "running",
        step=2,
        sent=3,
    ),
    Case("54", (BEGUN, HOP, READY, RPC._replace(session="s2", text="next")), "advancing", sent=2),
    Case("56", (BEGUN, HOP, READY, ARRIVED, ARRIVED), "running", step=2, sent=2),
    Case("57", (BEGUN, HOP, OFF, READY), "stopped", "user_off"),
    Case("57a", (BEGUN, HOP, READY, OFF, ARRIVED, OK), "running", step=2, sent=2),
    Case("57b", (BEGUN, HOP, READY, LATE, ARRIVED), "running", step=2, sent=2),
    Case("58", (BEGUN, HOP, READY, READY), "advancing", sent=2),
    Case("58a", (BEGUN, HOP, READY, FAILED), "attention", "replace_failed", sent=2),
    # The same answer once more, after a second try: it is not about that one.
    Case("58b", (BEGUN, HOP, READY, FAILED, IN_S2, FAILED, ARRIVED), "running", step=2, sent=3),
    Case("59", (BEGUN, HOP, OFF, OK, READY, ARRIVED), "running", step=2, sent=2),
    Case("61", (BEGUN, HOP, READY, Event(LOST, proof="found")), "interrupted", step=2, sent=2),
    Case(
        "62", (BEGUN, HOP, READY, Event(LOST, proof="unknown")), "attention", "delivery_unknown",
        sent=2,
    ),
    Case(
        "63", (BEGUN, HOP, READY, Event(LOST, proof="absent"), OK, READY, ARRIVED), "running",
        step=2, sent=3,
    ),
    Case(
        "64", (BEGUN, HOP, Event("STAGE_MODEL", text="big")), "advancing", refusal="advancing"
    ),
    Case("68", (BEGUN, ev("COST", usd=10.0)), "stopped", "limit_cost"),
    Case(
        "69", (BEGUN, ev("COST", usd=10.0), OK._replace(max_cost=10.5)), "stopped", "limit_cost",
        refusal="cost",
    ),
    Case("69b", (BEGUN, ev("COST", usd=10.0), OK._replace(max_cost=11.0)), "running", sent=2),
    Case("69a", (BEGUN, HOP, ev("COST", usd=9.6), READY), "stopped", "limit_guard"),
    Case(
        "71", (BEGUN, settled("pause"), ev("COST", usd=9.99), OK._replace(max_cost=9.0)),
        "user_paused", refusal="cost",
    ),
    Case(
        "77", (BEGUN, settled("stop"), OK._replace(is_person=False, session="strange")),
        "stopped", "stop", refusal="session",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"relay case {case.number}")
def test_case(case: Case) -> None:
    state, sent, refusal = State(), 0, ""
    for event in (START, *case.events):
        step = reduce(state, event)
        sent += sum(one.kind == "send" for one in step.effects)
        state, refusal = step.state, step.refusal
    assert (state.state, state.reason, state.step) == (case.state, case.reason, case.step)
    assert (sent, refusal) == (case.sent, case.refusal)
    assert len(state.sessions) == state.step
    if state.pending is not None:
        assert state.pending.prompt == "next", "case 47: the bytes stay as they were"


def test_the_signal_that_was_not_heard_is_kept() -> None:
    """Relay cases 34 and 43a: what status shows."""
    state = State()
    for event in (START, BEGUN, TASK, settled("done", text="all"), ev("BG_CONSUMED", task="t")):
        state = reduce(state, event).state
    assert state.signal == ("done", "all")


@pytest.mark.parametrize(
    ("case", "message", "kind"),
    [
        ("19", "```\n" + render("done", R, "x") + "\n```", "none"),
        ("19", "> " + render("done", R, "x").replace("\n", "\n> "), "none"),
        ("21", render("hand-off", R, "x") * 2, "malformed"),
        ("27", render("hand-off", R, "  \n"), "malformed"),
        ("28", render("done", "other", "x"), "malformed"),
    ],
)
def test_what_a_message_says(case: str, message: str, kind: str) -> None:
    """The cases that the grammar decides."""
    assert parse(message, R).kind == kind, case


# Rows that the search has no alphabet for: each is met here.
BARE = (START, BEGUN)
TWO = (*BARE, TASK, ev("BG_CREATED", task="u", is_detached=True), settled("done"))
ROWS: list[tuple[str, tuple[Event, ...], Event, str, str]] = [
    ("1b", (), START._replace(pricing="unknown"), "off", "unpriced"),
    ("25a", TWO, ev("BG_CONSUMED", task="t"), "background", ""),
    ("31a", (*BARE, settled("stop")), OK._replace(max_cost=-1.0), "stopped", "limits"),
    (
        "31b",
        (*BARE, settled("pause"), ev("COST", usd=9.0)),
        REPLY,
        "user_paused",
        "cost",
    ),
    ("36a", BARE, ev("SESSION_NAMED", text="named-1"), "running", ""),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_beyond_the_search(row: tuple[str, tuple[Event, ...], Event, str, str]) -> None:
    number, before, event, state, refusal = row
    found = State()
    for one in before:
        found = reduce(found, one).state
    if number == "31b":  # the cap was lowered since
        found = found._replace(max_cost=9.0)
    step = reduce(found, event)
    assert (step.row, step.state.state, step.refusal) == (number, state, refusal)


def test_a_price_that_becomes_unknown_closes_the_cap() -> None:
    """Fail closed: no session is begun under a cap that nobody can hold."""
    state = State()
    for event in (START, BEGUN, ev("COST", usd=0.1, pricing="unknown"), HOP):
        state = reduce(state, event).state
    assert state.state == "stopped"
    assert state.reason in ("limit_guard", "limit_cost")
