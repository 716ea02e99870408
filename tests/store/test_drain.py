"""Eight processes drain one queue while some of them are killed: each item is done once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plastic.rules.backlog.items import Item
from plastic.store.sqlite import SqliteStore
from tests.soak import record
from tests.store.drainer import fast
from tests.store.world import PM

ROOT = Path(__file__).parents[2]
PROCESSES = 8


def fill(path: str, count: int) -> None:
    """A queue in which every fourth item waits for the one before it."""
    store = SqliteStore(path, "shop", durability="relaxed", clock=fast)
    base = Item("", priority="P1", phase="implementation", region="local", base="b", created=1.0)
    store.load(
        [
            base._replace(
                id=f"issue-{number}",
                blocked_by=(f"issue-{number - 1}",) if number % 4 == 0 else (),
            )
            for number in range(1, count + 1)
        ],
        PM,
    )
    with store.writing() as tx:
        tx.run("UPDATE items SET most = 1000000")
    store.close()


def drain(path: str, deaths: float) -> int:
    """Run the processes, a new one for each that dies; how many died."""
    died = serial = 0
    running: list[subprocess.Popen[str]] = []

    def begin() -> None:
        nonlocal serial
        serial += 1
        argv = [sys.executable, "-m", "tests.store.drainer", path, f"w{serial}", str(deaths)]
        running.append(
            subprocess.Popen(
                [*argv, str(serial)],
                cwd=ROOT,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        )

    for _ in range(PROCESSES):
        begin()
    while running:
        one = running.pop(0)
        said, _ = one.communicate(timeout=300)
        # A lease of this fast clock may lapse under a living worker: it is told so, and no more.
        odd = [line for line in said.splitlines() if not line.startswith("Lost: ")]
        assert odd == [], said
        if one.returncode != 0:
            died += 1
            begin()
    return died


def check(path: str) -> int:
    """Each item is complete, once, by one grant that ended so; how many grants there were."""
    store = SqliteStore(path, "shop", durability="relaxed", clock=fast)
    with store.writing() as tx:  # what `fill` had set apart, so that nobody was tried too often
        tx.run("UPDATE items SET most = 3")
    assert store.audit() == []
    grants = 0
    for item in store.items():
        ledger = store.grants(item.id)
        grants += len(ledger)
        assert item.state == "complete"
        assert [one.ended_by for one in ledger].count("complete") == 1
        assert ledger[-1].ended_by == "complete"
        tokens = [one.token for one in ledger]
        assert tokens == list(range(1, len(tokens) + 1))
    store.close()
    return grants


def test_each_item_is_completed_once_though_workers_die(tmp_path: Path) -> None:
    path = str(tmp_path / "backlog.db")
    fill(path, 60)
    died = drain(path, 0.05)
    assert check(path) >= 60
    assert died >= 0


@pytest.mark.soak
def test_the_same_with_thousands(tmp_path: Path) -> None:
    path = str(tmp_path / "backlog.db")
    fill(path, 5000)
    start = time.monotonic()
    died = drain(path, 0.05)
    grants = check(path)
    record(
        "backlog: 8 processes drain one queue, 5 % are killed",
        "5000 items",
        f"each completed once; {died} killed, {grants} grants",
        time.monotonic() - start,
    )
