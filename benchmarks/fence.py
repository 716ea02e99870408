"""What the fence costs its owner: a commit, a fetch of many refs, a push, a rebase, a start.

    python -m benchmarks.fence [--rounds 40] [--refs 500] [--where DIR] [--json]

The same worktree with the fence, and with the two lines that name its hooks taken out, in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.start import PLASTIC, Yard

if TYPE_CHECKING:
    from collections.abc import Callable

# What is measured -> how much more it may cost, in milliseconds.
BUDGETS = {"commit": 15.0, "fetch": 1500.0}
SESSION = "bench-1"


class Fenced(Yard):
    """A yard whose intent is held; git runs in its worktree as the owner, or as nobody."""

    def __init__(self, top: Path, refs: int) -> None:
        super().__init__(top, 20)
        self.refs = refs
        self.env["CLAUDE_CODE_SESSION_ID"] = SESSION
        self.run(*PLASTIC, "start", "--title", "Measure it", cwd=self.repo)
        self.tree = next((self.repo / ".claude/worktrees").iterdir())
        self.config = self.repo / ".git/config"
        self.far = top / "far.git"
        self.here("git", "clone", "-q", "--bare", str(self.repo), str(self.far))
        head = self.here("git", "rev-parse", "HEAD").strip()
        lines = "".join(f"create refs/heads/n{number} {head}\n" for number in range(refs))
        self.here("git", "-C", str(self.far), "update-ref", "--stdin", text=lines)

    def here(self, *argv: str, text: str = "", **env: str) -> str:
        done = subprocess.run(
            argv, cwd=self.tree, env={**self.env, **env}, input=text, text=True,
            capture_output=True, check=True,
        )  # fmt: skip
        return done.stdout

    def timed(self, *argv: str) -> float:
        start = time.perf_counter()
        self.here(*argv)
        return (time.perf_counter() - start) * 1000

    def commit(self) -> float:
        return self.timed("git", "commit", "-q", "--allow-empty", "-m", "more")

    def fetch(self) -> float:
        """All refs anew."""
        found = self.timed("git", "fetch", "-q", str(self.far), "+refs/heads/n*:refs/remotes/far/*")
        kept = self.config.read_bytes()
        self.config.write_bytes(self.bare(kept))
        names = self.here("git", "for-each-ref", "--format=delete %(refname)", "refs/remotes/far")
        self.here("git", "update-ref", "--stdin", text=names)
        self.config.write_bytes(kept)
        return found

    def push(self) -> float:
        found = self.timed("git", "push", "-q", str(self.far), "+HEAD:refs/heads/pushed")
        self.here("git", "-C", str(self.far), "update-ref", "-d", "refs/heads/pushed")
        return found

    def rebase(self) -> float:
        """Five commits, as often as it is asked."""
        return self.timed("git", "rebase", "-q", "--no-ff", "HEAD~5")

    @staticmethod
    def bare(config: bytes) -> bytes:
        return config.partition(b"[includeIf")[0]


def both(yard: Fenced, measure: Callable[[], float], rounds: int) -> tuple[float, float]:
    """Medians without and with the fence."""
    found: dict[bool, list[float]] = {False: [], True: []}
    fenced = yard.config.read_bytes()
    for turn in range(2 * rounds):
        is_fenced = bool(turn % 2)
        yard.config.write_bytes(fenced if is_fenced else yard.bare(fenced))
        # Written in the very moment it would be as young as what the hooks know of it.
        time.sleep(0.01)
        if is_fenced:
            yard.here("git", "commit", "-q", "--allow-empty", "-m", "warm")
        found[is_fenced].append(measure())
    yard.config.write_bytes(fenced)
    return statistics.median(found[False]), statistics.median(found[True])


def measured(where: str | None, rounds: int, refs: int) -> dict[str, Any]:
    """Every figure, and the load that the machine was under."""
    top = Path(tempfile.mkdtemp(prefix="plastic-bench-", dir=where))
    try:
        yard = Fenced(top, refs)
        found: dict[str, Any] = {"load": os.getloadavg()[0], "refs": refs}
        for name, some in (("commit", rounds), ("push", rounds // 2), ("rebase", rounds // 4),
                           ("fetch", max(rounds // 8, 3))):  # fmt: skip
            without, fenced = both(yard, getattr(yard, name), max(some, 1))
            found[name] = {"without_ms": without, "with_ms": fenced, "more_ms": fenced - without}
        return found
    finally:
        shutil.rmtree(top, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--refs", type=int, default=500)
    parser.add_argument("--where", help="a directory on the file system to measure")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = measured(args.where, args.rounds, args.refs)
    if args.json:
        print(json.dumps(found))
        return 0
    print(f"load {found['load']:.1f}; {found['refs']} refs to fetch")
    over = False
    for name in ("commit", "push", "rebase", "fetch"):
        one, budget = found[name], BUDGETS.get(name)
        end = f" (at most {budget:.0f})" if budget else ""
        over = over or (budget is not None and one["more_ms"] > budget)
        print(f"{name:8}{one['without_ms']:9.1f} ms{one['with_ms']:9.1f} ms  "
              f"{one['more_ms']:+.1f} ms{end}")  # fmt: skip
    return int(over)


if __name__ == "__main__":
    raise SystemExit(main())
