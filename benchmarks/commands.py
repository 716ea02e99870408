"""How long looking takes: `plastic-lock who` and friends, beside a bare Python.

    python -m benchmarks.commands [--rounds 40] [--check]

The installed scripts are run as a shell would run them, in an order that is shuffled every round.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUDGET = 15.0  # x `python -I -S -c pass`
BIN = Path(sys.executable).parent
CASES = {
    "plastic-lock who": ["plastic-lock", "who", "1"],
    "plastic-lock status": ["plastic-lock", "status", "1", "--session", "s1"],
    "plastic list": ["plastic", "list"],
    "plastic show": ["plastic", "show", "1"],
    "plastic --help": ["plastic", "--help"],
}
BUDGETED = ("plastic-lock who", "plastic-lock status")


def seconds(argv: list[str], env: dict[str, str], cwd: str) -> float:
    """The wall time of one run, which must succeed."""
    start = time.perf_counter()
    subprocess.run(argv, env=env, cwd=cwd, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def world(root: str) -> tuple[dict[str, str], str]:
    """A home with one boarded intent, and the repository."""
    repo = f"{root}/shop"
    env = {
        **os.environ,
        "HOME": f"{root}/user",
        "PLASTIC_HOME": f"{root}/home",
        "PLASTIC_TMP": f"{root}/bridges",
        "GIT_AUTHOR_NAME": "bench",
        "GIT_AUTHOR_EMAIL": "bench@example.invalid",
        "GIT_COMMITTER_NAME": "bench",
        "GIT_COMMITTER_EMAIL": "bench@example.invalid",
    }
    for name in ("CLAUDE_CODE_SESSION_ID", "GIT_DIR"):
        env.pop(name, None)
    for folder in (repo, f"{root}/user"):
        Path(folder).mkdir()
    for argv in (
        ["git", "init", "-q", "-b", "main"],
        ["git", "commit", "-q", "--allow-empty", "-m", "first"],
        [f"{BIN}/plastic", "init"],
        [f"{BIN}/plastic", "new", "Rename cart"],
        [f"{BIN}/plastic", "start", "1", "--session", "s1"],
    ):
        seconds(argv, env, repo)
    return env, repo


def main() -> int:
    """Measure, print a table, and compare with the budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    runs = {name: [f"{BIN}/{argv[0]}", *argv[1:]] for name, argv in CASES.items()}
    runs["bare"] = [sys.executable, "-I", "-S", "-c", "pass"]
    times: dict[str, list[float]] = {name: [] for name in runs}
    with tempfile.TemporaryDirectory() as root:
        env, repo = world(os.path.realpath(root))
        for _ in range(asked.rounds):
            for name in random.sample(list(runs), len(runs)):
                times[name].append(seconds(runs[name], env, repo))
    bare = statistics.median(times["bare"])
    print(f"python -I -S -c pass: {bare * 1000:.2f} ms; budget {BUDGET:.0f} x\n")
    print("| command | median | ratio |\n| --- | --- | --- |")
    over = False
    for name in CASES:
        median = statistics.median(times[name])
        over = over or (name in BUDGETED and median > BUDGET * bare)
        print(f"| `{name}` | {median * 1000:.1f} ms | {median / bare:.1f} |")
    return 1 if over and asked.check else 0


if __name__ == "__main__":
    sys.exit(main())
