"""How long `plastic start` takes beside a raw `git worktree add`, alone and twelve at once.

    python -m benchmarks.start [--files 50000] [--rounds 5] [--parallel 12] [--where DIR] [--json]

Both are measured in turns in one run, so that the machine's mood is the same for both.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BUDGET_ONE = 1.25
BUDGET_PARALLEL = 1.3
PLASTIC = [
    sys.executable,
    "-c",
    "import sys; from plastic.cli.main import plastic; sys.exit(plastic())",
]
PER_FOLDER = 250


class Yard:
    """A throw-away home and a repository of `files` files of about a kilobyte each."""

    def __init__(self, top: Path, files: int) -> None:
        self.top = top
        self.repo = top / "repo"
        config = top / "gitconfig"
        config.write_text(
            "[user]\n\tname = Bench\n\temail = bench@example.invalid\n[gc]\n\tauto = 0\n"
        )
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "PLASTIC_", "CLAUDE", "CODEX"))
        }
        self.env = {
            **kept,
            "HOME": str(top),
            "PLASTIC_HOME": str(top / "home"),
            "PLASTIC_TMP": str(top / "bridges"),
            "GIT_CONFIG_GLOBAL": str(config),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONPATH": str(Path(__file__).parent.parent),
        }
        self._fill(files)
        self.plastic("init", str(self.repo))

    def _fill(self, files: int) -> None:
        self.repo.mkdir()
        self.git("init", "-q", "-b", "main")
        for number in range(files):
            folder = self.repo / f"src{number // PER_FOLDER}"
            folder.mkdir(exist_ok=True)
            (folder / f"file{number}.py").write_text(f"# {number}\n" + "x = 1234567890\n" * 64)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def run(self, *argv: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            argv, cwd=cwd or self.top, env=self.env, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"{argv}: {done.stderr}")
        return done.stdout

    def git(self, *argv: str) -> str:
        return self.run("git", *argv, cwd=self.repo)

    def plastic(self, *argv: str) -> str:
        return self.run(*PLASTIC, *argv)

    def intents(self, number: int) -> list[str]:
        """New intents, born outside of any measurement."""
        made = []
        for _ in range(number):
            text = self.plastic("new", "Change one thing", "--project", "repo", "--json")
            made.append(json.loads(text)["id"])
        return made

    def clear(self) -> None:
        """Remove every worktree and branch but the main ones, and let the disk settle."""
        shutil.rmtree(self.repo / ".claude", ignore_errors=True)
        for path in self.top.glob("raw-*"):
            shutil.rmtree(path)
        for line in self.git("worktree", "list", "--porcelain").splitlines():
            if line.startswith("worktree ") and line[9:] != os.path.realpath(self.repo):
                self.git("worktree", "remove", "-f", "-f", line[9:])
        for name in self.git("for-each-ref", "--format=%(refname)", "refs/heads").split():
            if name != "refs/heads/main":
                self.git("update-ref", "-d", name)
        os.sync()


def timed(*argv: str, yard: Yard, cwd: Path) -> float:
    begin = time.perf_counter()
    yard.run(*argv, cwd=cwd)
    return time.perf_counter() - begin


def raw(yard: Yard, number: int) -> float:
    words = ("git", "worktree", "add", "-q", "-b", f"raw/{number}", f"../raw-{number}")
    return timed(*words, yard=yard, cwd=yard.repo)


def start(yard: Yard, id: str) -> float:
    return timed(*PLASTIC, "start", id, "--session", f"s-{id}", yard=yard, cwd=yard.top)


def one_by_one(yard: Yard, rounds: int) -> dict[str, Any]:
    """Raw and plastic in turns; the first round warms both and does not count."""
    plain, ours = [], []
    for number, id in enumerate(yard.intents(rounds + 1)):
        pair = [raw(yard, number), start(yard, id)]
        if number:
            plain.append(pair[0])
            ours.append(pair[1])
        yard.clear()
    raw_s, start_s = statistics.median(plain), statistics.median(ours)
    return {"raw_s": raw_s, "start_s": start_s, "ratio": start_s / raw_s, "budget": BUDGET_ONE}


def together(yard: Yard, width: int) -> dict[str, Any]:
    """`width` starts at once against as many raw adds one after the other."""
    ids = yard.intents(width)
    plain = sum(raw(yard, number) for number in range(width))
    yard.clear()
    begin = time.perf_counter()
    children = [
        subprocess.Popen(
            [*PLASTIC, "start", id, "--session", f"s-{id}"],
            cwd=yard.top,
            env=yard.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for id in ids
    ]
    good = [child.wait() for child in children].count(0)
    wall = time.perf_counter() - begin
    branches = yard.git("for-each-ref", "--format=%(refname)", "refs/heads/plastic").split()
    trees = yard.git("worktree", "list").splitlines()[1:]
    whole = sum(
        not yard.run("git", "status", "--porcelain", cwd=Path(line.split()[0])) for line in trees
    )
    yard.clear()
    return {
        "good": good,
        "of": width,
        "whole": whole,
        "orphan_branches": len(branches) - len(trees),
        "raw_in_sequence_s": plain,
        "wall_s": wall,
        "ratio": wall / plain,
        "budget": BUDGET_PARALLEL,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--parallel", type=int, default=12)
    parser.add_argument("--where", default=None, help="a directory to work in")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.where) as top:
        yard = Yard(Path(os.path.realpath(top)), asked.files)
        found = {
            "files": asked.files,
            "rounds": asked.rounds,
            "one": one_by_one(yard, asked.rounds),
            "parallel": together(yard, asked.parallel),
        }
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    for line in shown(found):
        print(line)


def shown(found: dict[str, Any]) -> list[str]:
    """The same for people."""
    one, many = found["one"], found["parallel"]
    width = many["of"]
    return [
        f"repository of {found['files']} files, median of {found['rounds']} rounds",
        f"  git worktree add     {one['raw_s']:8.2f} s",
        (
            f"  plastic start        {one['start_s']:8.2f} s   "
            f"{one['ratio']:.2f} x (at most {one['budget']})"
        ),
        f"  {width} adds in sequence  {many['raw_in_sequence_s']:8.2f} s",
        (
            f"  {width} starts at once    {many['wall_s']:8.2f} s   "
            f"{many['ratio']:.2f} x (at most {many['budget']})"
        ),
        (
            f"  {many['good']} of {width} started, {many['whole']} whole, "
            f"{many['orphan_branches']} orphan branches"
        ),
    ]


if __name__ == "__main__":
    main()
