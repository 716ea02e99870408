"""Many sessions at work in one repository while processes are killed, stopped and clocks step.

Every command is a real process. A session does whatever comes to its mind, holder or not: what it
may not do must be refused. Each line that it writes is in a file of its own, never written again.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.checker import Checker

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World

ENTRY = "import sys; from plastic.cli.entry import {0}; sys.exit({0}())"
AT_ONCE = 6  # processes: more only wait for the processor
OPEN = 4  # intents that are worked on at the same time
CODES = {0, 1, 2, 3, 4, 5, 6, -signal.SIGKILL}
STEPS = (-7200.0, -7200.0, -900.0, 7200.0)  # of the clock, as a heartbeat sees it


class Town:
    """A shop, its sessions, and what they did."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.seed = seed
        self.checker = Checker(world.home.root, world.repo)
        self.slots = threading.Semaphore(AT_ONCE)
        self.lines: list[str] = []
        self.count: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.births = threading.Lock()

    def bad(self, text: str) -> None:
        self.wrong.append(text)
        print(text, file=sys.stderr, flush=True)  # half an hour is long to wait for it

    # -- one process ---------------------------------------------------------------------------

    def run(
        self, session: str, *words: str, cwd: Path | None = None, dice: random.Random | None = None
    ) -> int:
        """A program as this session; with dice it may be killed or stopped on its way."""
        argv = list(words)
        if words[0] in ("plastic", "plastic-lock"):
            argv = [sys.executable, "-c", ENTRY.format(words[0].replace("-", "_")), *words[1:]]
        env = {
            **os.environ,
            "PLASTIC_HOME": self.world.home.root,
            "CLAUDE_CODE_SESSION_ID": session,
        }
        with self.slots:
            child = subprocess.Popen(
                argv,
                cwd=cwd or self.world.repo,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            if dice is not None:
                self.harm(child, dice)
            try:
                said = child.communicate(timeout=120)[0].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                said = child.communicate()[0].decode("utf-8", "replace")
                self.bad(f"{' '.join(words)} did not end: {said[-300:]}")
        self.count[words[0]] += 1
        self.count[f"{' '.join(words[:2])} {child.returncode}"] += 1
        if words[0].startswith("plastic") and (
            child.returncode not in CODES or "Traceback" in said or "a bug of ours" in said
        ):
            self.bad(f"{' '.join(words)}: {child.returncode}: {said[-800:]}")
        return child.returncode

    def harm(self, child: subprocess.Popen[bytes], dice: random.Random) -> None:
        fate = dice.random()
        if fate > 0.3:
            return
        time.sleep(dice.uniform(0.05, 1.5))
        try:
            if fate < 0.1:
                os.kill(child.pid, signal.SIGKILL)  # its git goes on alone
                self.count["killed"] += 1
            elif fate < 0.15:
                os.killpg(child.pid, signal.SIGKILL)
                self.count["killed"] += 1
            else:
                os.killpg(child.pid, signal.SIGSTOP)
                self.count["stopped"] += 1
                time.sleep(dice.uniform(0.1, 4))
                os.killpg(child.pid, signal.SIGCONT)
        except ProcessLookupError:
            pass

    # -- one session ---------------------------------------------------------------------------

    def live(self, number: int, is_over: Callable[[int], bool]) -> None:
        dice = random.Random(self.seed * 1000 + number)
        session = f"session-{number}"
        turn = 0
        try:
            while not is_over(turn):
                turn += 1
                intent = self.some(session, dice)
                self.act(session, intent, dice)
        except Exception as error:
            self.bad(f"{session}: {error!r}")

    def some(self, session: str, dice: random.Random) -> Path:
        with self.births:
            going = [one for one in self.checker.intents() if not self.is_over(one)]
            if len(going) < OPEN:
                self.run(session, "plastic", "new", f"Work {self.seed} {time.time_ns()}")
                going = [one for one in self.checker.intents() if not self.is_over(one)]
        return dice.choice(going)

    @staticmethod
    def is_over(intent: Path) -> bool:
        ended = "  Done  " in (intent / "savepoint.md").read_text()
        return ended and not (intent / "delivery.lock").exists()

    def tree(self, intent: Path) -> Path:
        return self.world.repo / ".claude/worktrees" / intent.name

    def act(self, session: str, intent: Path, dice: random.Random) -> None:
        id = intent.name.partition("--")[0]
        tree = self.tree(intent)
        acts: list[tuple[int, Callable[[], object]]] = [
            (3, lambda: self.run(session, "plastic", "start", id, dice=dice)),
            (5, lambda: self.write(session, tree)),
            (3, lambda: self.commit(session, tree)),
            (2, lambda: self.run(session, "plastic", "sync", id, dice=dice)),
            (2, lambda: self.run(session, "plastic-lock", "release", id, dice=dice)),
            (1, lambda: self.run(session, "plastic-lock", "beat", id, dice=dice)),
            (1, lambda: self.run(session, "plastic-lock", "fix", id, dice=dice)),
            (1, lambda: self.run(session, "plastic-lock", "claim", id, "spec.md", dice=dice)),
            (1, lambda: self.hand_over(session, id, dice)),
            (3, lambda: self.take_over(session, intent, id, dice)),
            (3, lambda: self.end(session, intent, id, dice)),
            (1, lambda: self.run(session, "plastic", "worktree", "remove", id, dice=dice)),
            (1, lambda: self.run(session, "plastic", "worktree", "prune", dice=dice)),
            (1, lambda: self.run(session, "plastic", "doctor", dice=dice)),
        ]
        dice.choices([act for _, act in acts], [weight for weight, _ in acts])[0]()

    def write(self, session: str, tree: Path) -> None:
        line = f"line-{session}-{time.time_ns()}"
        if not tree.is_dir():
            return
        try:
            fd = os.open(tree / f"{line}.txt", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except (FileNotFoundError, NotADirectoryError):
            return
        os.write(fd, f"{line}\n".encode())
        os.close(fd)
        self.lines.append(line)

    def commit(self, session: str, tree: Path) -> None:
        if (tree / ".git").exists():
            here = f"git --git-dir={tree}/.git --work-tree={tree}"
            self.run(session, "sh", "-c", f"cd {tree} && {here} add -A && git commit -qm work")

    def hand_over(self, session: str, id: str, dice: random.Random) -> None:
        other = f"session-{dice.randrange(20)}"
        self.run(session, "plastic-lock", "transfer", id, "--to", other, dice=dice)

    def take_over(self, session: str, intent: Path, id: str, dice: random.Random) -> None:
        try:
            then = time.time() + dice.choice(STEPS)
            os.utime(intent / "delivery.lock", (then, then))
        except FileNotFoundError:
            return
        self.run(session, "plastic-lock", "reclaim", id, "--despite-evidence", dice=dice)

    def end(self, session: str, intent: Path, id: str, dice: random.Random) -> None:
        how = dice.choice(("delivered", "delivered", "abandoned"))
        self.documents(intent, how)
        flags = dice.choice(([], ["--discard-worktree-changes"]))
        if self.run(session, "plastic", "end", id, f"--{how}", *flags, dice=dice) == 0:
            self.count["ended"] += 1

    @staticmethod
    def documents(intent: Path, how: str) -> None:
        texts = {
            "spec.md": "# Spec\n\nWhat.\n",
            "plan.md": "# Plan\n\nHow.\n",
            "actions/ACTION_1.md": "# Action\n\nDo.\n",
            "checklist.md": "- [x] done\n",
            "outcome.md": f"---\ndisposition: {how}\n---\n\n# Outcome\n\nIt is there.\n",
        }
        for name, text in texts.items():
            (intent / name).write_text(text)

    # -- the end -------------------------------------------------------------------------------

    def clear(self) -> None:
        """What git's own dead processes left, taken away as a person does."""
        time.sleep(3)
        git = self.world.repo / ".git"
        for path in [*git.glob("index.lock"), *git.glob("worktrees/*/index.lock")]:
            path.unlink()
            self.count["index.lock removed"] += 1

    def close(self, intent: Path) -> None:
        """With everything quiet, whatever was killed is finished by plain commands."""
        id = intent.name.partition("--")[0]
        if self.is_over(intent) and not (intent / ".end.json").exists():
            return
        lock = intent / "delivery.lock"
        if lock.exists():
            os.utime(lock, (time.time() - 7200,) * 2)
            self.run("last", "plastic-lock", "reclaim", id, "--despite-evidence")
        else:
            self.run("last", "plastic", "start", id)
        for how in ("abandoned", "delivered"):
            self.documents(intent, how)
            words = ("plastic", "end", id, f"--{how}", "--discard-worktree-changes")
            if self.run("last", *words) == 0:
                return
        self.bad(f"{intent.name} cannot be ended")


def live(town: Town, sessions: int, is_over: Callable[[int], bool]) -> list[str]:
    """Let them all live at once, watched; then end what is open. What was wrong."""
    threads = [
        threading.Thread(target=town.live, args=(number, is_over)) for number in range(sessions)
    ]
    for one in threads:
        one.start()
    while any(one.is_alive() for one in threads):
        town.checker.look()
        time.sleep(0.25)
    town.clear()
    for intent in town.checker.intents():
        town.close(intent)
    town.checker.look()
    lost = town.checker.lost(town.lines)
    return [*town.wrong, *town.checker.over(), *(f"lost: {line}" for line in lost)]
