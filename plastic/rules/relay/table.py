"""The transition table of the relay: the code runs from it, references/relay.md is printed from it.

Rows are asked in this order and the first that fits is taken, refusals before all others. No row
fits: nothing changes, and the journal says `ignored`.
"""

from __future__ import annotations

from typing import NamedTuple

from plastic.rules.relay.events import EVENTS
from plastic.rules.relay.state import LIVE, STATES


class Row(NamedTuple):
    """One transition. `next` is a state, `state(reason)`, or `same`; the rest are names."""

    number: str
    states: tuple[str, ...]
    event: str
    guards: tuple[str, ...]
    next: str
    changes: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()


IDLE = ("background", "unsignalled", "user_paused", "attention")
ENDED = ("stopped", "interrupted")
TALK = ("unsignalled", "user_paused", "background")
STOP = ("notify", "model")
BG = ("BG_CREATED", "BG_STARTED", "BG_COMPLETED", "BG_FAILED", "BG_CONSUMED", "BG_REOPENED")


def _all(number: str, states: tuple[str, ...], events: tuple[str, ...], *rest: object) -> list[Row]:
    return [Row(number, states, event, *rest) for event in events]  # type: ignore[arg-type]


def _no(number: str, states: tuple[str, ...], event: str, guards: tuple[str, ...], why: str) -> Row:
    return Row(number, states, event, guards, "same", (), (f"refuse {why}",))


REFUSALS: list[Row] = [
    *_all("75", STATES, tuple(EVENTS), ("foreign",), "same", (), ("foreign",)),
    _no("1a", STATES, "START", ("not valid limits",), "limits"),
    _no("1b", STATES, "START", ("not priced",), "unpriced"),
    _no("1c", LIVE, "START", ("owned",), "owned"),
    _no("4", LIVE, "START", ("same session",), "live"),
    _no("6", ("off",), "OFF", (), "nothing"),
    _no("6", ("off",), "RESUME", (), "nothing"),
    _no("31a", STATES, "RESUME", ("not valid limits",), "limits"),
    _no("69", ENDED, "RESUME", ("not right session",), "session"),
    _no("45", ("attention", "stopped"), "RESUME", ("not claim free",), "claim"),
    _no("56", ("advancing",), "RESUME", (), "advancing"),
    _no("57", ("advancing",), "STAGE_MODEL", (), "advancing"),
    _no("74", (*ENDED, "off"), "STAGE_MODEL", (), "stopped"),
    _no(
        "66", (*ENDED, "attention"), "RESUME", ("pending", "not delivered", "not step ok"), "steps"
    ),
    _no("66", ("stopped",), "RESUME", ("by limit_steps", "not step ok"), "steps"),
    _no("68", ("stopped",), "RESUME", ("by limit_cost", "not guard ok"), "cost"),
    _no("68", ("stopped",), "RESUME", ("by limit_guard", "not guard ok"), "cost"),
    _no("31", (*LIVE, *ENDED), "RESUME", ("not cost ok",), "cost"),
    _no("31", (*IDLE, *ENDED), "RESUME", ("pending", "not guard ok"), "cost"),
    _no("31b", IDLE, "INPUT", ("human", "not cost ok"), "cost"),
    _no("42a", ("attention",), "INPUT", ("human", "not agent side"), "resume"),
]

START: list[Row] = [
    Row("1", ("off",), "START", (), "running", ("new relay",), ("send first",)),
    Row("2", ENDED, "START", (), "running", ("new relay",), ("send first",)),
    Row("3", LIVE, "START", (), "running", ("new relay",), ("notify replaced", "send first")),
    Row("60", ("stopped",), "OFF", (), "off", (), ("discard", "notify forgotten")),
    Row("61", ("interrupted",), "OFF", (), "off", (), ("discard",)),
    # Every turn of a headless child is a send of the relay's own: `off` ends what would go on
    # spending.
    Row("59", LIVE, "OFF", (), "stopped(user_off)", ("no timers",), ("abort", *STOP)),
]

SETTLED: list[Row] = [
    *(
        Row(number, ("running",), "SETTLED", guards, next, changes, effects)
        for number, guards, next, changes, effects in (
            # An agent that failed may never have seen its prompt; one that ended well has.
            ("7", ("outcome error",), "stopped(error)", ("error",), STOP),
            ("8", ("outcome aborted",), "stopped(abort)", ("error",), STOP),
            (
                "9",
                ("busy",),
                "background",
                ("prompt seen", "suppressed"),
                (),
            ),
            ("10", ("is none",), "unsignalled", ("prompt seen",), ("notify",)),
            (
                "11",
                ("is pause",),
                "user_paused",
                ("prompt seen", "question"),
                ("notify",),
            ),
            ("12", ("is done",), "stopped(done)", ("prompt seen",), STOP),
            ("13", ("is stop",), "stopped(stop)", ("prompt seen",), STOP),
            (
                "14",
                ("is malformed", "not correction used", "cost ok"),
                "running",
                ("correction spent",),
                ("send correction",),
            ),
            ("15", ("is malformed",), "attention(malformed)", ("prompt seen",), ("notify",)),
            (
                "16",
                ("is hand-off", "not step ok"),
                "stopped(limit_steps)",
                ("prompt seen", "hop"),
                STOP,
            ),
            (
                "17",
                ("is hand-off", "not guard ok"),
                "stopped(limit_guard)",
                ("prompt seen", "hop"),
                STOP,
            ),
            (
                "18",
                ("is hand-off",),
                "advancing",
                ("prompt seen", "hop", "new replacement"),
                ("replace",),
            ),
        )
    ),
    Row("30", ("background",), "SETTLED", ("outcome error",), "stopped(error)", ("error",), STOP),
    Row("30", ("background",), "SETTLED", ("outcome aborted",), "stopped(abort)", ("error",), STOP),
    Row("35", ("user_paused",), "SETTLED", ("outcome clean",), "same", ("suppressed",)),
    Row("36", ("user_paused",), "SETTLED", (), "same", ("error",)),
]

COST: list[Row] = [
    # The amount is counted before the table is asked (reduce.py); here is what follows from it.
    Row("58", ("advancing",), "COST", ("not cost ok",), "stopped(limit_cost)", ("no timers",),
        ("abort", *STOP)),
    Row("19", ("running",), "COST", ("not cost ok",), "stopped(limit_cost)", (), ("abort", *STOP)),
    Row("37", IDLE, "COST", ("not cost ok",), "stopped(limit_cost)", (), ("abort", *STOP)),
]  # fmt: skip

TURNS: list[Row] = [
    Row("20", ("running",), "TURN_START", ("human",), "running", ("budget full",)),
    Row("26", ("background",), "TURN_START", ("human",), "running", ("budget full",)),
    Row("26", ("background",), "TURN_START", (), "running"),
    Row("32", ("unsignalled",), "TURN_START", ("human",), "running", ("budget full",)),
    Row("32", ("unsignalled",), "TURN_START", (), "running"),
    Row("40", ("attention",), "TURN_START", ("agent side", "human"), "running", ("budget full",)),
    Row("40", ("attention",), "TURN_START", ("agent side",), "running"),
    Row("25", ("background",), "NOTIFICATION_START", (), "running", ("tasks seen",)),
    Row("32", ("unsignalled",), "NOTIFICATION_START", (), "running", ("tasks seen",)),
    Row("40", ("attention",), "NOTIFICATION_START", ("agent side",), "running", ("tasks seen",)),
    Row("34", ("running", "user_paused", "attention"), "NOTIFICATION_START", (), "same",
        ("tasks seen",)),
    Row("20", ("running",), "INPUT", ("human",), "running", ("budget full",)),
    Row("38", TALK, "INPUT", ("human",), "running", ("budget full", "answered"), ("send reply",)),
    Row("40a", ("attention",), "INPUT", ("human",), "running", ("budget full",), ("send reply",)),
    Row("47a", (*LIVE, *ENDED), "USER_MESSAGE_START", ("seen",), "same", ("prompt seen",)),
    *_all("36a", (*LIVE, *ENDED), ("SESSION_NAMED",), (), "same", ("name",)),
]  # fmt: skip

BACKGROUND: list[Row] = [
    Row("25a", ("background",), "BG_CONSUMED", ("not last task",), "same", ("task",)),
    Row("25b", ("background",), "BG_CONSUMED", (), "unsignalled", ("task",), ("notify",)),
    *_all("22", LIVE, BG, (), "same", ("task",)),
    Row("23", ("running", *IDLE), "STAGE_MODEL", (), "same", ("model",)),
]

ADVANCE: list[Row] = [
    Row("46a", ("advancing",), "REPLACE_READY", ("not tried", "not guard ok"),
        "stopped(limit_guard)", ("no timers",), STOP),
    Row("46", ("advancing",), "REPLACE_READY", ("not tried",), "same", ("to replacement",),
        ("send pending",)),
    Row("47", ("advancing",), "USER_MESSAGE_START", ("arrived",), "running", ("commit",)),
    Row("54a", ("attention",), "USER_MESSAGE_START", ("arrived", "timed out", "not claim free"),
        "running", ("commit",), ("notify",)),
    Row("62a", ("stopped",), "USER_MESSAGE_START", ("arrived", "not claim free"), "same",
        ("mark delivered",)),
    *_all("51", ("advancing",), ("SEND_REJECTED", "SEND_ERROR"), ("tried", "this attempt"),
          "attention(replace_failed)", ("not started", "claim gone"), ("notify",)),
    *_all("54b", ("attention", "stopped"), ("SEND_REJECTED", "SEND_ERROR"),
          ("this attempt", "not delivered"),
          "same", ("not started", "claim gone")),
    Row("52", ("advancing",), "REPLACE_FAILED", ("not tried",), "attention(replace_failed)",
        ("not started",), ("notify",)),
    Row("52", ("advancing",), "REPLACE_CANCELLED", ("not tried",), "attention(replace_cancelled)",
        ("not started",), ("notify",)),
    Row("53", ("advancing",), "TIMER", ("due dispatch", "not tried"),
        "attention(dispatch_timeout)", ("not started",), ("notify",)),
    # The claim is kept: the send may still be under way.
    Row("54", ("advancing",), "TIMER", ("due delivery", "tried"), "attention(delivery_timeout)",
        ("no timers",), ("notify",)),
    Row("62", (*ENDED, "attention"), "REPLACE_READY", ("not told",), "same", ("orphan told",),
        ("notify orphan",)),
]  # fmt: skip

PENDING = (("43", ("attention",)), ("64", ("stopped",)), ("72", ("interrupted",)))
RESUME: list[Row] = [
    Row("24", ("running",), "RESUME", ("not idle",), "same", ("limits",), ("notify busy",)),
    Row("24", ("running",), "RESUME", (), "running", ("limits", "budget full"),
        ("send signal_now",)),
    Row("28", ("background",), "RESUME", ("running task",), "same",
        ("limits", "results released"), ("notify",)),
    Row("29", ("background",), "RESUME", (), "running",
        ("limits", "budget full", "results released"), ("send continue",)),
    Row("33", ("unsignalled",), "RESUME", (), "running", ("limits", "budget full"),
        ("send signal_now",)),
    Row("39", ("user_paused",), "RESUME", (), "running", ("limits", "budget full", "answered"),
        ("send continue",)),
    Row("41", ("attention",), "RESUME", ("agent side",), "running", ("limits", "budget full"),
        ("send guidance",)),
    # 57a: what arrived after the stop is only counted, never sent again.
    Row("64b", ("stopped",), "RESUME", ("delivered",), "running", ("limits", "commit")),
    *(
        Row(number, states, "RESUME", ("pending", *guards), "advancing",
            ("limits", "budget full", "tasks forgotten", *changes), effects)
        for number, states in PENDING
        for guards, changes, effects in (
            (("in replacement",), ("to replacement again",), ("send pending",)),
            ((), ("new replacement",), ("replace",)),
        )
    ),
    Row("71a", (*ENDED, "attention"), "RESUME", ("unseen",), "running",
        ("limits", "budget full", "tasks forgotten"), ("send open",)),
    Row("41a", ("attention",), "RESUME", (), "running", ("limits", "budget full"),
        ("send continue",)),
    Row("63", ("stopped",), "RESUME", (), "running", ("limits", "budget full", "tasks forgotten"),
        ("send reconsider",)),
    Row("71", ("interrupted",), "RESUME", (), "running",
        ("limits", "budget full", "tasks forgotten", "answered"), ("send inspect",)),
]  # fmt: skip

LOST: list[Row] = [
    Row("70a", ("advancing", "attention"), "PROCESS_LOST", ("tried", "proof found"),
        "interrupted", ("remember state", "commit"), ("notify",)),
    Row("70b", ("advancing", "attention"), "PROCESS_LOST", ("tried", "proof unknown"),
        "attention(delivery_unknown)", ("tasks forgotten", "no timers", "mark unknown"),
        ("notify",)),
    Row("70c", LIVE, "PROCESS_LOST", ("unseen", "proof found"), "interrupted",
        ("remember state", "prompt seen", "tasks forgotten", "not started", "claim gone"),
        ("notify",)),
    Row("70d", ("running",), "PROCESS_LOST", ("unseen", "proof unknown"),
        "attention(delivery_unknown)", ("tasks forgotten", "no timers"), ("notify",)),
    Row("70", LIVE, "PROCESS_LOST", (), "interrupted",
        ("remember state", "tasks forgotten", "not started", "claim gone"), ("notify",)),
    Row("73a", ("stopped",), "PROCESS_LOST", ("tried", "proof found"), "same", ("mark delivered",)),
    Row("73b", ("stopped",), "PROCESS_LOST", ("tried", "not delivered", "proof unknown"), "same",
        ("mark unknown",), ("notify delivery_unknown",)),
    Row("73a", ("stopped",), "PROCESS_LOST", (), "same", ("claim gone",)),
]  # fmt: skip

TABLE: list[Row] = [
    *REFUSALS,
    *START,
    *SETTLED,
    *COST,
    *TURNS,
    *BACKGROUND,
    *ADVANCE,
    *RESUME,
    *LOST,
]
# The same by event and state: what a step looks at.
ROWS: dict[tuple[str, str], list[Row]] = {
    (event, state): [row for row in TABLE if row.event == event and state in row.states]
    for event in EVENTS
    for state in STATES
}
