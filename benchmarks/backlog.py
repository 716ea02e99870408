"""How long the backlog takes: a look at the ready set, and eight processes at one queue.

    python -m benchmarks.backlog [--sizes 1000 10000] [--seconds 5] [--keep DIR] [--check] [--json]

The graph has two blockers an item on average, half of it complete, 1 % defects, 5 % parked and 200
claims. `--keep DIR` keeps the databases of the looks there and takes them up again: a million items
are loaded for some minutes, and looked at in one second. `--check` exits 1 when a figure is outside
its budget: run that on an idle machine only.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.answers import Actor, Fence
from plastic.rules.backlog.completion import Evidence
from plastic.rules.backlog.items import Item, Route
from plastic.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

READY_MS = 5.0  # p99 at the largest size
READY_GROWTH = 2.0  # x the smallest size
FULL_RATE = 300.0  # claim + complete + unblock a second
RELAXED_RATE = 5000.0
PROCESSES = 8
CLAIMS = 200
WORKER = Actor("bench")
DONE = Evidence(commit="c0ffee", contained=True)
ROUTE = Route("pm", "shape", "Which shape?", "issue-1", "two shapes fit")


def graph(size: int, rolls: random.Random) -> list[Item]:
    """Items that wait for earlier ones only, so that there is no cycle."""
    items = []
    for number in range(1, size + 1):
        roll = rolls.random()
        state = "complete" if roll < 0.5 else "parked" if roll < 0.55 else "live"
        waits = rolls.sample(range(1, number), min(number - 1, rolls.choice((1, 2, 3))))
        items.append(
            Item(
                f"issue-{number}",
                f"Item {number}",
                created=float(number),
                priority=None if rolls.random() < 0.01 else rolls.choice(("P0", "P1", "P2", "P3")),
                phase="implementation",
                region="local",
                base="main",
                state=state,
                route=ROUTE if state == "parked" else None,
                blocked_by=tuple(f"issue-{one}" for one in waits),
            )
        )
    return items


def look(size: int, rounds: int, folder: str) -> dict[str, Any]:
    """One database of this size: load, then many looks with every report."""
    path = f"{folder}/{size}.db"
    is_new = not Path(path).exists()
    store = SqliteStore(path, "shop", durability="relaxed")
    start = time.perf_counter()
    if is_new:
        store.load(graph(size, random.Random(7)), WORKER)
    loaded = time.perf_counter() - start
    for number in range(CLAIMS if is_new else 0):
        store.claim(None, f"w{number}", lease=7200)
    with store.reading() as tx:
        claims = tx.value("SELECT count(*) FROM items WHERE claimed = 1")
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        found = store.ready()
        times.append((time.perf_counter() - start) * 1000)
    store.close()
    times.sort()
    return {
        "what": f"ready, {size} items",
        "size": size,
        "p50_ms": statistics.median(times),
        "p99_ms": times[max(0, int(len(times) * 0.99) - 1)],
        "load_s": loaded,
        "mb": Path(path).stat().st_size / 1e6,
        "claims": claims,
        "reports": sum(found.counts.values()),
        "pending": found.pending,
    }


def worker(path: str, name: str, durability: str, until: float, out: Any) -> None:
    """Claim, complete, unblock, until the time is up."""
    gc.freeze()  # what a worker has loaded is not looked through again and again
    store = SqliteStore(path, "shop", durability=durability)
    done, worst = 0, 0.0
    while time.time() < until:
        start = time.perf_counter()
        got = store.claim(None, name)
        if not got.granted or got.token is None:
            break
        store.complete(got.id, Fence(got.token), WORKER, DONE)
        done += 1
        worst = max(worst, time.perf_counter() - start)
    store.close()
    out.put((done, worst))


def drain(durability: str, seconds: float, items: int, folder: str) -> dict[str, Any]:
    """Eight processes at one queue, in which every other item waits for the one before it."""
    path = f"{folder}/{durability}.db"
    store = SqliteStore(path, "shop", durability="relaxed")
    base = Item("", priority="P1", phase="implementation", region="local", base="main", created=1.0)
    store.load(
        [
            base._replace(
                id=f"issue-{number}",
                blocked_by=(f"issue-{number - 1}",) if number % 2 == 0 else (),
            )
            for number in range(1, items + 1)
        ],
        WORKER,
    )
    store.close()
    done, spent, worst = together(
        worker, lambda n, until, out: (path, f"w{n}", durability, until, out), seconds
    )
    return {
        "what": f"claim + complete + unblock, {PROCESSES} processes, {durability}",
        "durability": durability,
        "per_second": done / spent,
        "done": done,
        "worst_wait_s": worst,
    }


def bare_worker(path: str, n: int, until: float, out: Any) -> None:
    """What the rows of such a cycle cost without us: the statements, and not one line of a rule."""
    db = sqlite3.connect(path, timeout=60, isolation_level=None)
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA wal_autocheckpoint = 8000")
    done = 0
    while time.time() < until:
        db.execute("BEGIN IMMEDIATE")
        found = db.execute(
            "SELECT n FROM items WHERE state = 0 ORDER BY created LIMIT 1"
        ).fetchone()
        if found is None:
            db.execute("ROLLBACK")
            break
        db.execute("UPDATE items SET state = 1, owner = ? WHERE n = ?", (n, found[0]))
        db.execute("INSERT INTO grants VALUES (?, 1, ?)", (found[0], n))
        db.execute("COMMIT")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE items SET state = 2 WHERE n = ?", found)
        db.execute("UPDATE grants SET owner = -1 WHERE item = ? AND token = 1", found)
        db.execute("UPDATE items SET state = state - 3 WHERE n = ? AND state = 3", (found[0] + 1,))
        db.execute("COMMIT")
        done += 1
    db.close()
    out.put((done, 0.0))


def floor(seconds: float, items: int, folder: str) -> dict[str, Any]:
    """Eight processes with SQLite alone: the most that this machine gives for two such commits."""
    path = f"{folder}/bare.db"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA page_size = 2048")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE items (n INTEGER PRIMARY KEY, state, created, owner)")
    db.execute("CREATE INDEX open ON items (created) WHERE state = 0")
    db.execute("CREATE TABLE grants (item, token, owner, PRIMARY KEY (item, token)) WITHOUT ROWID")
    db.execute("BEGIN")
    rows = [(number, 0 if number % 2 else 3, 1.0) for number in range(1, items + 1)]
    db.executemany("INSERT INTO items VALUES (?, ?, ?, NULL)", rows)
    db.execute("COMMIT")
    db.close()
    done, spent, _ = together(bare_worker, lambda n, until, out: (path, n, until, out), seconds)
    return {
        "what": f"two bare transactions of SQLite, {PROCESSES} processes",
        "per_second": done / spent,
        "done": done,
    }


def together(
    act: Callable[..., None], words: Callable[..., tuple[Any, ...]], seconds: float
) -> tuple[int, float, float]:
    """Eight processes at once: how much they did, in which time, and the longest wait."""
    out: Any = multiprocessing.Queue()
    start = time.time()
    workers = [
        multiprocessing.Process(target=act, args=words(number, start + seconds, out))
        for number in range(PROCESSES)
    ]
    for one in workers:
        one.start()
    found = [out.get() for _ in workers]
    for one in workers:
        one.join()
    return sum(count for count, _ in found), time.time() - start, max(wait for _, wait in found)


def misses(rows: list[dict[str, Any]]) -> list[str]:
    """The figures outside their budget."""
    looks = [row for row in rows if "p99_ms" in row]
    wrong = [f"{row['what']}: {row['p99_ms']:.2f} ms" for row in looks if row["p99_ms"] > READY_MS]
    if len(looks) > 1 and looks[-1]["p50_ms"] > READY_GROWTH * looks[0]["p50_ms"]:
        wrong.append(f"{looks[-1]['what']}: more than {READY_GROWTH} x {looks[0]['what']}")
    for row in rows:
        least = {"full": FULL_RATE, "relaxed": RELAXED_RATE}.get(row.get("durability", ""))
        if least is not None and row["per_second"] < least:
            wrong.append(f"{row['what']}: {row['per_second']:.0f}/s")
    return wrong


def main(argv: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--items", type=int, default=40_000)
    parser.add_argument("--keep", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(dir=Path.cwd() if options.check else None) as folder:
        rows = [look(size, options.rounds, options.keep or folder) for size in options.sizes]
        rows += [
            drain(durability, options.seconds, options.items, folder)
            for durability in ("full", "relaxed")
        ]
        rows.append(floor(options.seconds, options.items, folder))
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            figures = ", ".join(
                f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
                for name, value in row.items()
                if name not in ("what", "size", "durability")
            )
            print(f"{row['what']}: {figures}")
    wrong = misses(rows)
    for line in wrong:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if wrong and options.check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
