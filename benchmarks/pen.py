"""How long a command at the pen takes: a file of 10,000 turns beside one of 10.

    python -m benchmarks.pen [--rounds 20] [--turns 10000] [--check]

The installed script is run as a shell would run it, the two files in turn. `--check` exits 1 when a
median is above its budget.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUDGET = 2.0  # x the same command at FEW turns
FEW = 10
BIN = Path(sys.executable).parent
CASES = {
    "pen status": ["status"],
    "pen claim": ["claim", "ana"],
    "pen guard": ["guard", "ana"],
    "pen peek": ["peek", "bo"],
    "pen log": ["log"],
    "pen append": ["append", "ana", "--to", "bo", "--done", "part of the work"],
}
TURN = """
<!-- M8SHIFT:TURN {n} {who} BEGIN -->
- from:    {who}
- to:      {to}
- ask:     look at the cart
- done:    part {n} of the work
- files:   cart.py
- handoff: {to}
- at:      2026-06-22T18:00:00Z
<!-- M8SHIFT:TURN {n} {who} END -->
"""


def tree(root: Path, turns: int) -> Path:
    """A folder with a pen of so many turns, and ana at work."""
    root.mkdir()
    run(root, ["init", "--agents", "ana,bo"])
    path = root / "M8SHIFT.md"
    text = path.read_text()
    rows = [line for line in text.splitlines() if line.startswith("turn:")]
    text = text.replace(rows[0], rows[0].replace("0", str(turns)))
    pairs = (("ana", "bo"), ("bo", "ana"))
    for n in range(1, turns + 1):
        who, to = pairs[n % 2]
        text += TURN.format(n=n, who=who, to=to)
    path.write_text(text)
    run(root, ["claim", "ana"])
    return root


def run(folder: Path, words: list[str]) -> float:
    """The wall time of one command; `guard` and `peek` may say not yet."""
    env = {**os.environ, "PLASTIC_HOME": f"{folder.parent}/home"}
    start = time.perf_counter()
    done = subprocess.run(
        [f"{BIN}/plastic", "pen", *words], cwd=folder, env=env, capture_output=True, check=False
    )
    assert done.returncode in (0, 3), done.stderr.decode()
    return time.perf_counter() - start


def main() -> int:
    """Measure, print a table, compare with the budget."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--check", action="store_true")
    wanted = parser.parse_args()
    over = False
    with tempfile.TemporaryDirectory() as folder:
        places = [tree(Path(folder, "few"), FEW), tree(Path(folder, "many"), wanted.turns)]
        for name, words in CASES.items():
            found: list[list[float]] = [[], []]
            for _ in range(wanted.rounds):
                for place, times in zip(places, found, strict=True):
                    file = place / "M8SHIFT.md"
                    before = file.read_bytes()
                    times.append(run(place, words))
                    file.write_bytes(before)  # every round begins alike
            few, many = (statistics.median(times) * 1000 for times in found)
            over |= many > BUDGET * few
            print(f"{name:<12} {few:7.1f} ms {many:7.1f} ms  x {many / few:.2f}")
    return 1 if over and wanted.check else 0


if __name__ == "__main__":
    sys.exit(main())
