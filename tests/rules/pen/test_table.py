"""The table of the pen: complete, and each command in each state as the numbered cases say."""

from __future__ import annotations

import pytest

from plastic.rules.pen.ask import Ask, Move, No
from plastic.rules.pen.block import TTL, Pen, faults, instance, split
from plastic.rules.pen.clock import stamp
from plastic.rules.pen.guards import ASKS, GUARDS, identity
from plastic.rules.pen.runs import RUNS
from plastic.rules.pen.table import COLUMNS, NOBODY, TABLE, Cell, column, decide
from plastic.rules.pen.texts import REFUSALS

NOW = 1_800_000_000
AGENTS = ("ana", "bo", "cy")
# Everything that a guard may want, so that only what a case takes away can refuse it.
GIVEN = Ask(
    "claim",
    "ana",
    NOW,
    reason="because",
    nonce="0a1b2c3d",
    request="open",
    is_forced=True,
    is_person=True,
    scope="more",
    until=stamp(NOW + 100),
    name="dan",
)


def pen(state: str, since: int = NOW - 10, left: int = TTL - 10, **more: str) -> Pen:
    """`WORKING_BO`, `IDLE` …, with a window that has `left` seconds to go."""
    kind, _, name = state.partition("_")
    expires = stamp(NOW + left) if kind == "WORKING" else "-"
    rows = {
        "holder": name.lower() or "none",
        "state": state,
        "agents": ",".join(AGENTS),
        "turn": "4",
        "since": stamp(since),
        "expires": expires,
        "note": "-",
        **more,
    }
    body = "".join(f"{key}: {value}\n" for key, value in rows.items())
    found = split(f"<!-- M8SHIFT:LOCK:BEGIN -->\n{body}<!-- M8SHIFT:LOCK:END -->")
    assert found is not None
    assert faults(found) == []
    return found


SEEN = (
    pen("IDLE"),
    pen("WORKING_ANA"),
    pen("WORKING_BO"),
    pen("WORKING_BO", left=-1),
    pen("AWAITING_ANA"),
    pen("AWAITING_BO"),
    pen("PAUSED"),
    pen("DONE"),
)


def ask(verb: str, **values: object) -> Ask:
    own = {"verb": verb, "to": "bo" if verb not in ("claim", "resume") else "", **values}
    if verb in NOBODY:
        own |= {"actor": "", "to": ""}
    return GIVEN._replace(**own)  # type: ignore[arg-type]


def made(before: Pen, move: Move | No) -> Pen:
    assert isinstance(move, Move), move.code
    found = split(before.text())
    assert found is not None
    for key, value in move.changes.items():
        found.change(key, value)
    return found


def test_the_columns_are_the_states() -> None:
    assert [column(one, "ana", NOW) for one in SEEN] == list(range(len(COLUMNS)))
    assert all(len(row) == len(COLUMNS) for row in TABLE.values())


@pytest.mark.parametrize("verb", TABLE)
@pytest.mark.parametrize("at", range(len(COLUMNS)), ids=COLUMNS)
def test_every_cell(verb: str, at: int) -> None:
    """With all guards content: what the table says, and always a block that holds."""
    cell = TABLE[verb][at]
    found = decide(SEEN[at], ask(verb))
    if isinstance(cell, str):
        assert isinstance(found, No)
        assert found.code == cell
        return
    after = made(SEEN[at], found)
    assert faults(after) == []
    assert cell.state in ("same", after.kind)
    assert int(after.get("turn")) == 4 + (cell.turn == "+1")
    if cell.since == "kept":
        assert after.get("since") == SEEN[at].get("since")
    else:
        assert after.get("since") == stamp(NOW)
    if after.kind == "WORKING" and cell.state == "WORKING":
        assert after.get("expires") == stamp(NOW + TTL)


def test_every_code_has_its_sentence_and_its_command() -> None:
    cells = [one for row in TABLE.values() for one in row]
    codes = {one for one in cells if isinstance(one, str)}
    assert codes <= set(REFUSALS)
    assert set(REFUSALS) == set(RUNS)
    used = {name for one in cells if isinstance(one, Cell) for name in one.guards}
    assert used == set(GUARDS) == set(ASKS)


def code(state: Pen, verb: str, **values: object) -> str:
    found = decide(state, ask(verb, **values))
    return found.code if isinstance(found, No) else "ok"


WORKING, STALE = "WORKING_BO", -1
AGENT: dict[str, object] = {"is_person": False}
BEAT: dict[str, object] = {"alive": "2027-01-15T08:00:00Z"}
# Case -> state, seconds of the window that are left, command, what differs, what comes of it.
CASES: list[tuple[str, str, int, str, dict[str, object], str]] = [
    ("E3", "AWAITING_BO", 9, "claim", {}, "awaited"),
    ("E3 forced", "AWAITING_BO", 9, "claim --force", {}, "awaited"),
    ("E4: a plain claim on a stale pen", WORKING, STALE, "claim", {}, "stale"),
    ("E4: with force", WORKING, STALE, "claim --force", {}, "ok"),
    ("3.2: force on a live pen", WORKING, 9, "claim --force", {}, "live"),
    ("3.2: force at the very end", WORKING, 0, "claim --force", {}, "live"),
    ("E6: force on one's own", "WORKING_ANA", 9, "claim --force", {}, "ok"),
    ("E6: force on a free pen", "IDLE", 9, "claim --force", {}, "ok"),
    ("E7", "WORKING_ANA", STALE, "claim", {}, "ok"),
    ("E8: from IDLE", "IDLE", 9, "append", {}, "unclaimed"),
    ("E8: without a claim", "AWAITING_ANA", 9, "append", {}, "unclaimed"),
    ("E8: after the hand-over", "AWAITING_BO", 9, "append", {}, "awaited"),
    ("E8: from PAUSED", "PAUSED", 9, "append", {}, "paused"),
    ("E8: from DONE", "DONE", 9, "append", {}, "done"),
    ("E9: late, not displaced", "WORKING_ANA", STALE, "append", {}, "ok"),
    ("E9: late, displaced", WORKING, 9, "append", {}, "held"),
    ("E11: to itself, whoever holds", WORKING, 9, "append", {"to": "ana"}, "self"),
    ("E11: off the roster", WORKING, 9, "append", {"to": "dan"}, "no-agent"),
    ("E11: to nobody", "WORKING_ANA", 9, "append", {"to": ""}, "no-recipient"),
    ("E12: release of a finished session", "DONE", 9, "release", {}, "done"),
    ("E12: with force", "DONE", 9, "release --force", {}, "done"),
    ("E13", "DONE", 9, "done", {}, "ok"),
    ("E14: at IDLE", "IDLE", 9, "done", {}, "ok"),
    ("E14: at PAUSED", "PAUSED", 9, "done", {}, "ok"),
    ("E14: while a peer works", WORKING, 9, "done", {}, "held"),
    ("E14: while a peer is awaited", "AWAITING_BO", 9, "done", {}, "awaited"),
    ("E14: forced", "AWAITING_BO", 9, "done --force", {}, "ok"),
    ("E14: forced, no reason", "AWAITING_BO", 9, "done --force", {"reason": " "}, "no-reason"),
    ("E16: unread", "WORKING_ANA", 9, "release", {"unread": 4}, "unread"),
    ("E16: read", "WORKING_ANA", 9, "release", {"unread": 0}, "ok"),
    ("E16: unread, forced", "WORKING_ANA", 9, "release --force", {"unread": 4}, "ok"),
    ("E17: no reason", "WORKING_ANA", 9, "release --force", {"reason": ""}, "no-reason"),
    ("E17: paused", "PAUSED", 9, "release --force", {}, "paused"),
    ("E18: a live pen, no person", WORKING, 9, "release --force", {"is_person": False}, "person"),
    ("E18: a live pen, a person", WORKING, 9, "release --force", {"to": "cy"}, "ok"),
    ("E18: done on a live pen", WORKING, 9, "done --force", {"is_person": False}, "person"),
    ("E27: a beat appears", WORKING, STALE, "claim --force", {**AGENT, **BEAT}, "alive"),
    ("E27: a person knows better", WORKING, STALE, "claim --force", BEAT, "ok"),
    ("E27: its own holder", "WORKING_ANA", STALE, "claim --force", {**AGENT, **BEAT}, "ok"),
    ("E18: a beat", WORKING, STALE, "release --force", {"to": "cy", **AGENT, **BEAT}, "alive"),
    ("E14: a beat", WORKING, STALE, "done --force", {**AGENT, **BEAT}, "alive"),
    ("1.4: a beat", WORKING, STALE, "init --force", {**AGENT, **BEAT}, "alive"),
    ("E29: back to the old holder", "WORKING_ANA", 9, "release --force", {"unread": 4}, "ok"),
    ("E31: refresh, not claimed", "AWAITING_ANA", 9, "claim --refresh", {}, "no-window"),
    ("E31: refresh at IDLE", "IDLE", 9, "claim --refresh", {}, "no-window"),
    ("E31: refresh of another's", WORKING, STALE, "claim --refresh", {}, "no-window"),
    ("E31: refresh of one's own", "WORKING_ANA", STALE, "claim --refresh", {}, "ok"),
    ("E32: pause by another", WORKING, 9, "pause", {}, "held"),
    ("E32: twice", "PAUSED", 9, "pause", {}, "paused"),
    ("E32: at IDLE", "IDLE", 9, "pause", {}, "unclaimed"),
    ("E32: with an open task", "WORKING_ANA", 9, "pause", {"task": 3}, "open-task"),
    ("E33", "PAUSED", 9, "claim", {}, "paused"),
    ("E34: without a reason", "PAUSED", 9, "resume", {"reason": ""}, "no-reason"),
    ("E34: by an agent, no scope", "PAUSED", 9, "resume", {**AGENT, "scope": ""}, "no-scope"),
    ("E34: by an agent with one", "PAUSED", 9, "resume", AGENT, "ok"),
    ("E34: from elsewhere", "IDLE", 9, "resume", {}, "not-paused"),
    ("E37: not the holder", WORKING, 9, "request", {"to": "cy"}, "not-holder"),
    ("E37: at IDLE", "IDLE", 9, "request", {}, "free"),
    ("E37: paused", "PAUSED", 9, "request", {}, "paused"),
    ("E37: of oneself", "WORKING_ANA", 9, "request", {}, "mine"),
    ("E39: answered before", "WORKING_ANA", 9, "yield", {"request": "closed"}, "request-closed"),
    ("E39: no such request", "WORKING_ANA", 9, "yield", {"request": ""}, "request-missing"),
    ("E39: steer without force", "AWAITING_BO", 9, "steer", {"is_forced": False}, "no-force"),
    ("E39: steer at work", WORKING, 9, "steer", {}, "held"),
    ("E39: steer", "AWAITING_BO", 9, "steer", {}, "ok"),
    ("2.2: cooldown at work", WORKING, 9, "cooldown", {}, "working"),
    ("2.2: cooldown twice", "PAUSED", 9, "cooldown", {}, "paused"),
    ("2.2: cooldown replaced", "PAUSED", 9, "cooldown --replace", {}, "ok"),
    ("2.2: cooldown for another", "AWAITING_BO", 9, "cooldown", {"whom": "cy"}, "not-awaited"),
    ("2.2: cooldown until soon", "IDLE", 9, "cooldown", {"until": "soon"}, "no-moment"),
    ("3.1: join on an expired pen", "WORKING_ANA", STALE, "roster add", {}, "expired"),
    ("E53: join as nobody", "WORKING_ANA", 9, "roster add", {"name": "none"}, "bad-name"),
    ("3.2: off the roster", "IDLE", 9, "claim", {"actor": "eve"}, "no-agent"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_case(case: tuple[str, str, int, str, dict[str, object], str]) -> None:
    _, state, left, verb, values, expected = case
    assert code(pen(state, left=left), verb, **values) == expected


@pytest.mark.parametrize(
    "verb", ["append", "release", "release --force", "done", "done --force", "pause", "yield"]
)
def test_nothing_moves_the_pen_during_a_merge(verb: str) -> None:
    """Case E71; the integrator's claim keeps the sentinel."""
    merging = pen("WORKING_ANA", integrating="feat-a@0123abc")
    assert code(merging, verb) == "integrating"
    after = made(merging, decide(merging, ask("claim")))
    assert after.get("integrating") == "feat-a@0123abc"


@pytest.mark.parametrize("verb", ["claim --force", "release --force", "done --force"])
def test_no_force_during_a_merge(verb: str) -> None:
    """Case E71: past its expiry as well."""
    merging = pen("WORKING_BO", left=-1, integrating="feat-a@0123abc")
    assert code(merging, verb, to="cy") == "integrating"


def test_a_window_keeps_its_beginning_and_its_token() -> None:
    """Cases E7, E2: claimed again by the same name, it is the same window."""
    first = made(pen("IDLE"), decide(pen("IDLE"), ask("claim")))
    assert instance(first) == "20270115T080000Z-0a1b2c3d"
    assert first.get("epoch") == "1"
    later = decide(first, ask("claim", now=NOW + TTL + 50, nonce="ffffffff"))
    again = made(first, later)
    assert isinstance(later, Move)
    assert later.changes == {"expires": stamp(NOW + 2 * TTL + 50)}
    assert later.event == ""
    assert instance(again) == instance(first)


@pytest.mark.parametrize(
    "changed",
    [
        {"left": -2},  # refreshed, also to another past moment (case E26)
        {"left": 100},
        {"turn": "5"},
        {"session": "x"},
    ],
)
def test_force_on_what_has_changed(changed: dict[str, object]) -> None:
    """Cases E26, E27: what was looked at is no more."""
    seen = identity(pen("WORKING_BO", left=-1))
    now = pen("WORKING_BO", **{"left": -1, **changed})  # type: ignore[arg-type]
    assert code(now, "claim --force", seen=seen) in ("changed", "live")
    assert code(pen("WORKING_BO", left=-1), "claim --force", seen=seen) == "ok"


def test_a_handover_during_force() -> None:
    """Case E27."""
    seen = identity(pen("WORKING_BO", left=-1))
    assert code(pen("AWAITING_CY"), "claim --force", seen=seen) == "awaited"


def test_two_by_force() -> None:
    """Case E28: the second finds a live pen."""
    stale = pen("WORKING_BO", left=-1)
    seen = identity(stale)
    first = made(stale, decide(stale, ask("claim --force", actor="cy", seen=seen)))
    assert code(first, "claim --force", seen=seen) == "live"


@pytest.mark.parametrize("verb", ["claim", "claim --refresh", "append", "release", "done", "pause"])
def test_an_older_instance_is_refused(verb: str) -> None:
    """What it presents is of an earlier window; without anything the name decides."""
    mine = pen("WORKING_ANA", pen_id=f"{compact(NOW - 10)}-aaaaaaaa", epoch="7")
    current = {"pen_id": f"{compact(NOW - 10)}-aaaaaaaa", "epoch": 7}
    assert code(mine, verb) == "ok"
    assert code(mine, verb, **current) == "ok"
    assert code(mine, verb, pen_id=f"{compact(NOW - 10)}-bbbbbbbb") == "displaced"
    assert code(mine, verb, epoch=6) == "displaced"


def test_a_claim_that_presents_an_older_epoch() -> None:
    awaited = pen("AWAITING_ANA", pen_id="20260101T000000Z-aaaaaaaa", epoch="7")
    assert code(awaited, "claim", epoch=5) == "displaced"
    assert code(awaited, "claim", epoch=7) == "ok"
    assert code(awaited, "claim") == "ok"


def test_lines_of_an_earlier_window_are_no_token() -> None:
    """A program that writes none opened this window: its lines are what it found."""
    found = pen("WORKING_ANA", pen_id="20260101T000000Z-aaaaaaaa", epoch="7")
    assert code(found, "append", pen_id="20260101T000000Z-aaaaaaaa") == "displaced"
    assert code(found, "append", epoch=7) == "displaced"
    assert code(found, "append") == "ok"


def compact(moment: int) -> str:
    return stamp(moment).replace("-", "").replace(":", "")


def test_a_cooldown_is_kept() -> None:
    """Case E36: nobody resumes before its end, and then the agent that it was for."""
    idle = pen("AWAITING_ANA")
    paused = made(idle, decide(idle, ask("cooldown", whom="ana")))
    agent = {"is_person": False}
    assert code(paused, "resume", **agent) == "cooldown"
    assert code(paused, "resume", actor="bo", to="", **agent) == "cooldown"
    assert code(paused, "resume") == "ok", "a person may know better"
    later = {"now": NOW + 101, **agent}
    assert code(paused, "resume", actor="bo", to="", **later) == "cooldown-of"
    after = made(paused, decide(paused, ask("resume", **later)))
    assert after.get("pen_cooldown") == ""
    assert after.get("state") == "AWAITING_ANA"


def test_a_cooldown_of_an_earlier_pause_binds_nobody() -> None:
    stale = f"{stamp(NOW + 100)} any {stamp(NOW - 500)}"
    assert code(pen("PAUSED", pen_cooldown=stale), "resume", is_person=False) == "ok"


def test_the_note_is_the_reason() -> None:
    work = pen("WORKING_ANA", note="old")
    assert made(work, decide(work, ask("pause"))).get("note") == "because"
    assert made(work, decide(work, ask("append", reason=""))).get("note") == "-"
    assert made(work, decide(work, ask("claim"))).get("note") == "old", "no transition"
