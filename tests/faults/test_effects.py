"""Every effect of every mutating command: killed or failing there, nothing is half or lost."""

from __future__ import annotations

import random
import re
import shlex
import time
from itertools import count, repeat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.sweep import ELSEWHERE, VERBS, Town, build, faulted
from tests.faults.trial import trial, usual
from tests.soak import record
from tests.work.ends import Mould

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.faults.trial import Fault
    from tests.world import World

ERRORS = ("ENOSPC", "EROFS", "EACCES", "EDQUOT", "EIO", "ESTALE", "EINTR")
SAMPLE = 2  # effects a command in every test run
KINDS = {"kill": "kill -9 before", "errno": "an error of the system at"}
STEP = 5  # one effect in so many meets a fault of ours


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Town]:
    return Mould(tmp_path_factory.mktemp("sweep"), build)


def faulty(note: Path, number: int, action: str) -> Fault:
    return lambda act: faulted(act, note, number, action)


@pytest.mark.parametrize("name", ["end", "reclaim", "release"])
def test_a_command_that_dies_or_fails_somewhere(
    mould: Mould[Town], tmp_path: Path, name: str
) -> None:
    """A sample; each number comes in the soak."""
    note, verb = tmp_path / "note", VERBS[name]
    found, wanted = usual(mould, name, verb, note)
    dice = random.Random(name)
    for action in ("kill", f"errno={dice.choice(ERRORS)}"):
        for number in dice.sample(range(1, len(found) + 1), SAMPLE):
            fault = faulty(note, number, action)
            assert trial(mould, name, verb, fault, f"effect {number} {action}", wanted) is None


@pytest.mark.soak
@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_effect(mould: Mould[Town], tmp_path: Path, name: str, kind: str) -> None:
    since = time.monotonic()
    dice = random.Random(6)
    actions = (f"errno={dice.choice(ERRORS)}" if kind == "errno" else kind for _ in count())
    faults, wrong = swept(mould, name, tmp_path / "note", actions)
    assert wrong == [], "\n\n".join(wrong)
    ending = f"0 torn, 0 lost, {faults} as wanted after the same command again"
    what = f"{KINDS[kind]} every effect of `{name}`"
    record(what, f"{faults} effects", ending, time.monotonic() - since)


@pytest.mark.soak
def test_a_fault_of_ours(mould: Mould[Town], tmp_path: Path) -> None:
    since, faults = time.monotonic(), 0
    for name in VERBS:
        more, wrong = swept(mould, name, tmp_path / "note", repeat("raise"), STEP)
        assert wrong == [], "\n\n".join(wrong)
        faults += more
    what = f"a fault of ours at one effect in {STEP} of every command"
    ending = f"0 torn, 0 lost, {faults} as wanted after the same command again"
    record(what, f"{len(VERBS)} commands, {faults} effects", ending, time.monotonic() - since)


def swept(
    mould: Mould[Town], name: str, note: Path, actions: Iterator[str], step: int = 1
) -> tuple[int, list[str]]:
    """How many faults there were, and what was wrong after them."""
    verb, wrong = VERBS[name], []
    found, wanted = usual(mould, name, verb, note)
    numbers = range(1, len(found) + 1, step)
    for number, action in zip(numbers, actions, strict=False):
        fault = faulty(note, number, action)
        seen = trial(mould, name, verb, fault, f"effect {number} {action}", wanted)
        if seen:
            wrong.append(f"{found[number - 1]}: {seen}")
    return len(numbers), wrong


def test_every_verb_is_swept_or_says_where(shop: World) -> None:
    """A new verb needs a row."""
    words = {
        "plastic": ("", "worktree", "salvage"),
        "plastic-lock": ("",),
    }
    known = {shlex.split(verb.line)[0:3:1][1] for verb in VERBS.values()}
    known |= {"-".join(shlex.split(verb.line)[1:3]) for verb in VERBS.values()}
    known |= {one for key in ELSEWHERE for one in key.split()}
    for command, groups in words.items():
        act = shop.plastic if command == "plastic" else shop.lock
        for group in groups:
            text = act(*group.split(), "--help").out.partition("Commands:")[2]
            verbs = re.findall(r"^  ([a-z][a-z-]*)  ", text, re.MULTILINE)
            assert verbs
            names = {f"{group}-{one}" if group else one for one in verbs} - {*groups, "lock"}
            assert names <= known, names - known
