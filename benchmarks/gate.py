"""How long a gate decision takes: the whole process with the sh stub, beside a bare Python.

    python -m benchmarks.gate [--rounds 200] [--intents 10000] [--check] [--json]

Every case runs once a round, in an order that is shuffled anew, so that the machine's mood is the
same for all. `--check` exits 1 when a median is above its budget.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from plastic.disk.compiled import stamps
from plastic.disk.home import Home

BUDGET = 1.4  # x `python -I -S -c pass`
HARMLESS = 1.6  # a shell command that the byte test lets through
PARSED = 2.2  # a shell command of at most 2 KB that is read in one round
ROUND = 0.7  # each further round
BUDGET_LARGE = 1.05  # x the same decision in a small home
GATE = str(Path(__file__).parent.parent / "hooks" / "gate")
ME, OTHER = "owner-1", "foreign-2"
DOCUMENTS = {
    "spec.md": "# Spec\n\n" + "A line of the specification.\n" * 60,
    "plan.md": "# Plan\n\n" + "A line of the plan.\n" * 60,
    "checklist.md": "# Checklist\n\n" + "- [ ] a step of the work\n" * 40,
    "actions/ACTION_1.md": "# Action\n\n" + "A line of the action.\n" * 40,
}


class Yard:
    """A home with `intents` Active intents, `held` locks and `bridges`, and a repository."""

    def __init__(self, root: Path, intents: int, held: int, bridges: int) -> None:
        self.home = Home(os.path.realpath(root / "home"))
        self.repo = Path(os.path.realpath(root)) / "shop"
        self.bridges = root / "bridges"
        for path in (self.home.held, self.home.run, str(self.bridges), f"{self.home.root}/log"):
            Path(path).mkdir(parents=True)
        for name in ("objects", "refs"):
            (self.repo / ".git" / name).mkdir(parents=True)
        (self.repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        lines = ["# INDEX", "", "## Active", ""]
        for number in range(1, intents + 1):
            name = f"{number}--demo"
            folder = Path(self.home.store("shop")) / name
            (folder / "actions").mkdir(parents=True)
            for document, text in DOCUMENTS.items():
                (folder / document).write_text(text if number <= held else "")
            lines.append(f"- [{number} \u2014 demo](store/{name}/{name}.md)")
            if number <= held:
                self.lock(folder, ME if number == 1 else OTHER)
        Path(self.home.index("shop")).write_text("\n".join(lines) + "\n\n## Completed\n")
        Path(self.home.held, ".complete").touch()
        for number in range(bridges):
            (self.bridges / f"{number}.json").write_text('{"session": "x"}')
        self.compile()

    def lock(self, folder: Path, owner: str) -> None:
        """A fresh lock with a worktree, linked in held/."""
        tree = self.repo / ".claude" / "worktrees" / folder.name
        tree.mkdir(parents=True)
        (tree / ".git").write_text(f"gitdir: {self.repo}/.git/worktrees/{folder.name}\n")
        raw = {
            "type": "delivery",
            "owner_session": owner,
            "acquired_at": "2026-11-30T10:00:00Z",
            "host": "bench",
            "acq": "4b1f6a52-1d7e-4c7f-9a55-2f5f1d0f6c11",
            "token": 3,
            "ttl": 86400,
            "run_mode": "auto",
            "delegates": [],
            "delegate_activity": [],
            "worktree": {"repo": str(self.repo), "path": str(tree), "provisioned": True},
            "item": None,
        }
        (folder / "delivery.lock").write_text(json.dumps(raw, indent=2))
        Path(self.home.held, folder.name).symlink_to(folder / "delivery.lock")

    def compile(self) -> None:
        """The registry as hooks read it."""
        Path(self.home.projects_yml).write_text("version: 1\n")
        project = {"path": str(self.repo), "common": f"{self.repo}/.git", "gates": {}}
        raw = {
            "format": 1,
            "stamps": stamps(self.home),
            "projects": {"shop": {**project, "require_intent": False}},
            "ttl": 1800,
            "quarantine": 300,
            "observe": 0,
            "errors": [],
            "stale": False,
        }
        Path(self.home.run, "config.json").write_text(json.dumps(raw))

    def event(self, case: str, turn: int) -> Any:
        """The payload of one case; each call has an id of its own, as a harness sends it."""
        folder = f"{self.home.store('shop')}/1--demo"
        tree = f"{self.repo}/.claude/worktrees/1--demo"
        payload: dict[str, Any] = {
            "session_id": OTHER if "deny" in case else ME,
            "transcript_path": "/home/ana/.claude/projects/shop/x.jsonl",
            "cwd": str(self.repo) if "deny" in case else tree,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_use_id": f"toolu_{turn:024d}",
        }
        if case in SHELL:
            command = SHELL[case].format(folder=folder, tree=tree)
            return {**payload, "tool_name": "Bash", "tool_input": {"command": command}}
        path = {
            "allow: code in the worktree": f"{self.repo}/.claude/worktrees/1--demo/app.py",
            "allow: a document": f"{folder}/checklist.md",
            "deny: a foreign document": f"{folder}/spec.md",
            "deny: a foreign worktree": f"{self.repo}/.claude/worktrees/1--demo/app.py",
            "outside": "/somewhere/else/app.py",
        }[case]
        edit = {"old_string": "a" * 200, "new_string": "b" * 300, "replace_all": False}
        return {**payload, "tool_name": "Edit", "tool_input": {"file_path": path, **edit}}


PYTEST = "cd {tree} && python3 -m pytest -q tests/test_cart.py 2>&1 | tail -20"
COMMIT = "git add -A && git commit -qm 'Round the tax' && git log --oneline -3"
STEP = (
    "mkdir -p build/part && cp src/cart.py build/part/cart.py && sed -i s/a/b/ build/part/cart.py\n"
)
SHELL = {
    "shell: harmless": "git status --short | head -20 && ls -la src",
    "shell: harmless, 200 KB": "echo '" + "a > b; " * 30_000 + "'",
    "shell: opaque, 200 KB": "python3 - <<'E'\n" + "x = 1 > 0\n" * 20_000 + "E",
    "shell: tests and commit": f"{PYTEST} && {COMMIT}",
    "shell: 2 KB of writes": STEP * 21,
    "shell: 2 KB with variables": "P=build/part\n" + STEP.replace("build/part", "$P") * 26,
    "shell: deny": "echo x > {folder}/spec.md",
    "shell: two rounds": "bash -c 'make all > build.log'",
    "shell: three rounds": "bash -c \"bash -c 'make all > build.log'\"",
}
BUDGETS = {
    **dict.fromkeys(SHELL, PARSED),
    "shell: harmless": HARMLESS,
    "shell: harmless, 200 KB": HARMLESS,
    "shell: two rounds": PARSED + ROUND,
    "shell: three rounds": PARSED + 2 * ROUND,
}
CASES = (
    "allow: code in the worktree",
    "allow: a document",
    "deny: a foreign document",
    "deny: a foreign worktree",
    "outside",
    *SHELL,
)


def timed(argv: list[str], env: dict[str, str], data: bytes) -> float:
    """Seconds of one process, from its start to its end, with `data` on its stdin."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
    os.write(writer, data)
    os.close(writer)
    quiet = os.open(os.devnull, os.O_WRONLY)
    moves = [(os.POSIX_SPAWN_DUP2, reader, 0), (os.POSIX_SPAWN_DUP2, quiet, 1)]
    start = time.perf_counter()
    os.waitpid(os.posix_spawn(argv[0], argv, env, file_actions=moves), 0)
    took = time.perf_counter() - start
    os.close(reader)
    os.close(quiet)
    return took


def measure(yards: dict[str, Yard], rounds: int) -> dict[str, float]:
    """Medians in milliseconds by case, `bare` among them."""
    taken: dict[str, list[float]] = {}
    todo = [("bare", "", "")] + [(f"{size}/{case}", size, case) for size in yards for case in CASES]
    for turn in range(-3, rounds):
        random.shuffle(todo)
        for name, size, case in todo:
            if not size:
                took = timed([sys.executable, "-I", "-S", "-c", "pass"], dict(os.environ), b"")
            else:
                yard = yards[size]
                env = {
                    **os.environ,
                    "PLASTIC_HOME": yard.home.root,
                    "PLASTIC_TMP": str(yard.bridges),
                    "PLASTIC_PYTHON": sys.executable,
                }
                data = json.dumps(yard.event(case, turn + 10)).encode()
                took = timed([GATE, "claude"], env, data)
            if turn >= 0:  # the first rounds warm caches: bytecode, config, Active ids
                taken.setdefault(name, []).append(took * 1000)
    return {name: statistics.median(values) for name, values in taken.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--intents", type=int, default=10_000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        yards = {
            "10": Yard(Path(folder, "a"), 10, 10, 10),
            f"{options.intents}": Yard(Path(folder, "b"), options.intents, 12, 500),
        }
        found = measure(yards, options.rounds)
    bare, (small, large) = found["bare"], yards
    rows = []
    for case in CASES:
        one, many = found[f"{small}/{case}"], found[f"{large}/{case}"]
        rows.append((case, one, one / bare, many, many / bare, many / one))
    if options.json:
        names = ("case", "small_ms", "small_ratio", "large_ms", "large_ratio", "growth")
        print(
            json.dumps(
                {"bare_ms": bare, "rows": [dict(zip(names, row, strict=True)) for row in rows]}
            )
        )
    else:
        show(rows, bare, large)
    late = [
        row
        for row in rows
        if max(row[2], row[4]) > BUDGETS.get(row[0], BUDGET) or row[5] > BUDGET_LARGE
    ]
    return 1 if options.check and late else 0


def show(
    rows: list[tuple[str, float, float, float, float, float]], bare: float, large: str
) -> None:
    """The table for people."""
    print(f"python -I -S -c pass: {bare:.2f} ms; growth at most {BUDGET_LARGE} x")
    print("| decision | budget | 10 intents | ratio | " + large + " intents | ratio | growth |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for case, one, ratio, many, other, growth in rows:
        print(
            f"| {case} | {BUDGETS.get(case, BUDGET):.1f} | {one:.2f} ms | {ratio:.2f} "
            f"| {many:.2f} ms | {other:.2f} | {growth:.3f} |"
        )


if __name__ == "__main__":
    sys.exit(main())
