"""`plastic backlog ready --json` beside two other trackers, on the same graph, as whole processes.

    npm install --prefix DIR bun @os-eco/seeds-cli backlog.md
    python -m benchmarks.rivals DIR [--sizes 1000 10000] [--rounds 20] [--check]

The others have neither parks nor claims nor reports: they get the items, their edges and what is
complete. The three are run in turn. `--check` exits 1 where plastic is not the fastest.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.backlog import WORKER, graph
from plastic.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Item

BIN = Path(sys.executable).parent
DAY = "2026-02-01T00:00:00.000Z"
TASK = """---
id: TASK-{n}
title: {title}
status: {status}
assignee: []
created_date: '2026-02-01 00:00'
labels: []
dependencies: {waits}
priority: {priority}
---
"""


def run(argv: list[str], env: dict[str, str], cwd: Path) -> str:
    """A command that must succeed; its output."""
    return subprocess.run(
        argv, env=env, cwd=cwd, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL
    ).stdout


def plastic(items: list[Item], env: dict[str, str], repo: Path) -> list[str]:
    """A home with these items."""
    run([f"{BIN}/plastic", "init"], env, repo)
    store = SqliteStore(f"{env['PLASTIC_HOME']}/backlog.db", repo.name)
    store.load(items, WORKER)
    store.close()
    return [f"{BIN}/plastic", "backlog", "ready", "--json"]


def seeds(items: list[Item], env: dict[str, str], repo: Path) -> list[str]:
    """A `.seeds` folder with these items."""
    run(["sd", "init"], env, repo)
    blocks: dict[str, list[str]] = {}
    for one in items:
        for blocker in one.blocked_by:
            blocks.setdefault(blocker, []).append(one.id)
    rows = []
    for one in items:
        row: dict[str, object] = {
            "id": one.id,
            "title": one.title,
            "status": "closed" if one.state == "complete" else "open",
            "type": "task",
            "priority": int((one.priority or "P2")[1]),
            "createdAt": DAY,
            "updatedAt": DAY,
        }
        row |= {"blockedBy": list(one.blocked_by)} if one.blocked_by else {}
        row |= {"blocks": blocks[one.id]} if one.id in blocks else {}
        rows.append(json.dumps(row))
    (repo / ".seeds" / "issues.jsonl").write_text("\n".join(rows) + "\n")
    return ["sd", "ready", "--json"]


def backlog_md(items: list[Item], env: dict[str, str], repo: Path) -> list[str]:
    """A folder of tasks with these items, looked at without the remote."""
    run(["backlog", "init", "shop", "--defaults"], env, repo)
    run(["backlog", "config", "set", "remoteOperations", "false"], env, repo)
    names = {"P0": "high", "P1": "high", "P2": "medium", "P3": "low"}
    for one in items:
        n = one.id.partition("-")[2]
        waits = json.dumps([f"TASK-{blocker.partition('-')[2]}" for blocker in one.blocked_by])
        text = TASK.format(
            n=n,
            title=one.title,
            status="Done" if one.state == "complete" else "To Do",
            waits=waits,
            priority=names[one.priority or "P2"],
        )
        (repo / "backlog" / "tasks" / f"task-{n} - Item-{n}.md").write_text(text)
    return ["backlog", "task", "list", "--ready", "--json"]


def world(root: Path, folder: str) -> dict[str, str]:
    """An environment in which only the benchmark's own commands are found first."""
    env = {
        **os.environ,
        "HOME": str(root),
        "PATH": f"{folder}/node_modules/.bin:{os.environ['PATH']}",
        "PLASTIC_HOME": f"{root}/home",
        "PLASTIC_TMP": f"{root}/bridges",
    }
    for who in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{who}_NAME": "bench", f"GIT_{who}_EMAIL": "bench@example.invalid"}
    for name in ("CLAUDE_CODE_SESSION_ID", "GIT_DIR"):
        env.pop(name, None)
    return env


def side_by_side(size: int, rounds: int, folder: str) -> dict[str, float]:
    """Median seconds of one look, for each tracker."""
    items = graph(size, random.Random(7))
    with tempfile.TemporaryDirectory() as root:
        env = world(Path(root), folder)
        looks = {}
        for name, make in (("plastic", plastic), ("seeds", seeds), ("backlog.md", backlog_md)):
            repo = Path(root) / name / "shop"
            repo.mkdir(parents=True)
            run(["git", "init", "-q", "-b", "main"], env, repo)
            run(["git", "commit", "-q", "--allow-empty", "-m", "first"], env, repo)
            looks[name] = (make(items, env, repo), repo)
        times: dict[str, list[float]] = {name: [] for name in looks}
        for _ in range(rounds):
            for name, (argv, repo) in looks.items():
                start = time.perf_counter()
                run(argv, env, repo)
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def main(argv: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", help="where npm installed the others")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(argv)
    behind = []
    for size in options.sizes:
        found = side_by_side(size, options.rounds, options.folder)
        print(f"{size:>7} items: " + ", ".join(f"{k} {v * 1000:.0f} ms" for k, v in found.items()))
        behind += [size] if min(found, key=lambda name: found[name]) != "plastic" else []
    return 1 if behind and options.check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
