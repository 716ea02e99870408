"""Real processes race for one lock: exactly one owner, one audit line, tokens that only grow."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest

from plastic.disk.home import Home
from plastic.disk.lockfile import beat, look
from plastic.disk.session import Caller
from plastic.words import Intent
from plastic.work.lock.acquire import arm
from plastic.work.lock.release import release
from plastic.work.lock.takeover import reclaim
from plastic.work.lock.verb import seen, write
from tests.races.contest import age, contest, intent_in
from tests.soak import record

SMALL = (8, 50)
BIG = (64, 1000)


def sizes() -> list[object]:
    """The small race always, the big one with `-m soak`."""
    return [pytest.param(*SMALL), pytest.param(*BIG, marks=pytest.mark.soak)]


def _owner(intent: Intent) -> str:
    lock = seen(intent).lock
    assert lock is not None
    return lock.owner


def _arm(home: Home, intent: Intent, caller: Caller) -> int | None:
    armed = arm(home, intent, caller)
    return armed.token if armed.new else None


def _reclaim(home: Home, intent: Intent, caller: Caller) -> int | None:
    taken = reclaim(home, intent, caller)
    assert taken.view.lock is not None
    return taken.view.lock.token if taken.how == "takeover" else None


def _record(what: str, processes: int, rounds: int, result: str, since: float) -> None:
    """Only the big numbers are written down."""
    if rounds > SMALL[1]:
        record(what, f"{processes} processes x {rounds} rounds", result, time.monotonic() - since)


def _litter(intent: Intent) -> list[str]:
    return [name for name in os.listdir(intent.dir) if name.endswith(".tmp")]


@pytest.mark.parametrize(("processes", "rounds"), sizes())
def test_a_free_lock_has_one_winner(tmp_path: Path, processes: int, rounds: int) -> None:
    """Case 9.1/12."""
    owners: dict[int, str] = {}

    def prepare(home: Home, intent: Intent) -> None:
        lock = seen(intent).lock
        if lock is not None:
            release(home, intent, Caller(lock.owner, "flag"))

    def check(home: Home, intent: Intent, turn: int) -> None:
        owners[turn] = _owner(intent)
        assert _litter(intent) == []

    since = time.monotonic()
    winners = contest(str(tmp_path), processes, rounds, _arm, prepare, check)
    for turn, won in winners.items():
        assert [(f"P{number}", token) for number, token in won] == [(owners[turn], turn + 1)]
    result = "exactly one owner and one new token in every round"
    _record("acquire a free lock", processes, rounds, result, since)


@pytest.mark.parametrize(("processes", "rounds"), sizes())
def test_a_stale_lock_has_one_taker_and_one_line(
    tmp_path: Path, processes: int, rounds: int
) -> None:
    """Case 9.1/13: the studied program had two winners in 3 of 60 rounds."""
    owners: dict[int, str] = {}
    home, intent = intent_in(str(tmp_path))
    arm(home, intent, Caller("first", "flag"))

    def prepare(home: Home, intent: Intent) -> None:
        lock = seen(intent).lock
        assert lock is not None
        # Nobody contends under the owner's name: that would be a rearm.
        write(intent, {**lock.raw, "owner_session": "silent"})
        age(f"{intent.dir}/delivery.lock", 7200)

    def check(home: Home, intent: Intent, turn: int) -> None:
        owners[turn] = _owner(intent)

    since = time.monotonic()
    winners = contest(str(tmp_path), processes, rounds, _reclaim, prepare, check)
    for turn, won in winners.items():
        assert [(f"P{number}", token) for number, token in won] == [(owners[turn], turn + 2)]
    lines = Path(f"{intent.dir}/savepoint.md").read_text().splitlines()
    assert len([line for line in lines if "takeover:" in line]) == rounds
    assert _litter(intent) == []
    result = "exactly one taker, one new token and one audit line in every round"
    _record("take over a stale lock", processes, rounds, result, since)


@pytest.mark.parametrize(("processes", "rounds"), sizes())
def test_acquire_and_release_in_a_storm(tmp_path: Path, processes: int, rounds: int) -> None:
    """Whoever gets the lock holds it alone until it gives it back; every token is issued once."""

    def act(home: Home, intent: Intent, caller: Caller) -> int | None:
        armed = arm(home, intent, caller)
        mark = Path(f"{home.root}/inside")
        with mark.open("x"):
            token = armed.token
        mark.unlink()
        assert release(home, intent, caller) == "released"
        return token

    since = time.monotonic()
    winners = contest(str(tmp_path), processes, rounds, act, lambda *_: None, lambda *_: None)
    tokens = [token for won in winners.values() for _, token in won]
    assert len(tokens) == len(set(tokens))
    result = f"{len(tokens)} owners one after the other, each with a token of its own"
    _record("acquire and release in a storm", processes, rounds, result, since)
    home, intent = intent_in(str(tmp_path))
    assert seen(intent).state == "none"
    assert [name for name in os.listdir(home.held) if name != ".complete"] == []


def test_readers_never_see_a_gap(tmp_path: Path) -> None:
    """Case 9.1/14: 300 rewrites beside a reading loop: never missing, empty or torn."""
    home, intent = intent_in(str(tmp_path))
    arm(home, intent, Caller("O", "flag"))
    stop = threading.Event()
    bad: list[str] = []
    looks = [0]

    def reader() -> None:
        while not stop.is_set():
            view = look(f"{intent.dir}/delivery.lock")
            looks[0] += 1
            if view.state != "fresh":
                bad.append(view.state)

    readers = [threading.Thread(target=reader) for _ in range(2)]
    for one in readers:
        one.start()
    for _ in range(300):
        arm(home, intent, Caller("O", "flag"))
    stop.set()
    for one in readers:
        one.join()
    assert bad == []
    assert looks[0] > 300


@pytest.mark.parametrize(
    ("processes", "rounds"), [(8, 30), pytest.param(9, 2000, marks=pytest.mark.soak)]
)
def test_a_beating_owner_is_never_taken_over(tmp_path: Path, processes: int, rounds: int) -> None:
    """One owner that beats all the time, others that try: no takeover, no lost beat at the end."""
    home, intent = intent_in(str(tmp_path))
    arm(home, intent, Caller("O", "flag"))

    def act(home: Home, intent: Intent, caller: Caller) -> int | None:
        if caller.session == "P0":
            beat(seen(intent), "O", every=0)
            return None
        return _reclaim(home, intent, caller)

    since = time.monotonic()
    winners = contest(str(tmp_path), processes, rounds, act, lambda *_: None, lambda *_: None)
    assert not any(winners.values())
    assert _owner(intent) == "O"
    _record("take over from an owner who beats", processes, rounds, "nobody ever does", since)


def test_registering_in_parallel_loses_nobody(tmp_path: Path) -> None:
    """Eight commands of one owner rewrite the same lock at once."""
    from plastic.work.lock.delegates import delegate

    home, intent = intent_in(str(tmp_path))
    arm(home, intent, Caller("O", "flag"))

    def act(home: Home, intent: Intent, caller: Caller) -> int | None:
        delegate(home, intent, Caller("O", "flag"), f"{caller.session}-{os.urandom(4).hex()}")
        return None

    contest(str(tmp_path), 8, 10, act, lambda *_: None, lambda *_: None)
    raw = json.loads(Path(f"{intent.dir}/delivery.lock").read_text())
    assert len(raw["delegates"]) == len(raw["delegate_activity"]) == 80


@pytest.mark.parametrize(
    ("processes", "rounds"), [(8, 30), pytest.param(64, 200, marks=pytest.mark.soak)]
)
def test_one_claim_of_many(tmp_path: Path, processes: int, rounds: int) -> None:
    from plastic.work.lock.claims import claim, release_claim

    home, intent = intent_in(str(tmp_path))
    arm(home, intent, Caller("O", "flag"))

    def act(home: Home, intent: Intent, caller: Caller) -> int | None:
        claim(home, intent, Caller("O", "flag"), "spec.md", caller.session)
        return 1

    def prepare(home: Home, intent: Intent) -> None:
        release_claim(home, intent, Caller("O", "flag"), "spec.md")

    since = time.monotonic()
    winners = contest(str(tmp_path), processes, rounds, act, prepare, lambda *_: None)
    assert {len(won) for won in winners.values()} == {1}
    _record("claim one artifact", processes, rounds, "exactly one claim in every round", since)
