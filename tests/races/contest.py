"""Many processes do the same thing to one intent at the same moment, round after round."""

from __future__ import annotations

import json
import os
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plastic.disk.home import Home
from plastic.disk.session import Caller
from plastic.words import Intent, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.synchronize import Barrier

FORK = get_context("fork")
PATIENCE = 600  # seconds for one barrier; only a hung test reaches it


def intent_in(root: str) -> tuple[Home, Intent]:
    """The only intent of a home without projects."""
    home = Home(root)
    directory = f"{home.store(None)}/1--race"
    os.makedirs(directory, exist_ok=True)
    return home, Intent("1", "race", directory, None)


def _contender(
    number: int, rounds: int, barrier: Barrier, root: str, act: Callable[..., Any], results: str
) -> None:
    home, intent = intent_in(root)
    won = []
    for turn in range(rounds):
        barrier.wait(PATIENCE)
        try:
            token = act(home, intent, Caller(f"P{number}", "flag"))
        except Refusal as refusal:
            token = None
            if refusal.exit == 5:
                raise
        if token is not None:
            won.append((turn, token))
        barrier.wait(PATIENCE)
        barrier.wait(PATIENCE)
    Path(f"{results}/{number}.json").write_text(json.dumps(won))
    sys.stdout.flush()
    os._exit(0)


def contest(
    root: str,
    processes: int,
    rounds: int,
    act: Callable[[Home, Intent, Caller], int | None],
    prepare: Callable[[Home, Intent], None],
    check: Callable[[Home, Intent, int], None],
) -> dict[int, list[tuple[int, int]]]:
    """Winners by round, each as (process, token); `prepare` and `check` run between the rounds."""
    home, intent = intent_in(root)
    results = f"{root}/results"
    os.makedirs(results, exist_ok=True)
    barrier = FORK.Barrier(processes + 1)
    children = [
        FORK.Process(target=_contender, args=(number, rounds, barrier, root, act, results))
        for number in range(processes)
    ]
    for child in children:
        child.start()
    for turn in range(rounds):
        prepare(home, intent)
        barrier.wait(PATIENCE)
        barrier.wait(PATIENCE)
        check(home, intent, turn)
        barrier.wait(PATIENCE)
    for child in children:
        child.join(PATIENCE)
        assert child.exitcode == 0
    winners: dict[int, list[tuple[int, int]]] = {turn: [] for turn in range(rounds)}
    for number in range(processes):
        for turn, token in json.loads(Path(f"{results}/{number}.json").read_text()):
            winners[turn].append((number, token))
    return winners


def age(path: str, seconds: float) -> None:
    """Set a lock's heartbeat back."""
    then = time.time() - seconds
    os.utime(path, (then, then))
