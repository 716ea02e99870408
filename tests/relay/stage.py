"""A stage for relays: a program whose turns the test writes, as shell, and what came of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plastic.disk.person import require_person
from plastic.harness.agents.known import AGENTS
from plastic.harness.agents.shape import Caps, Launch, Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from tests.world import Done, World

ROOT = Path(__file__).parents[2]
# Each run takes the next number, keeps its stdin, and does what the test wrote for that number.
_AGENT = """#!/bin/sh
cd "{dir}"
n=$(($(cat count 2>/dev/null || echo 0) + 1)); echo $n > count
cat > "got-$n"
env > "env-$n"
code='import sys; sys.path.insert(0, "{root}")
from plastic.cli.entry import plastic
sys.exit(plastic())'
plastic() {{ "{python}" -c "$code" "$@"; }}
signal() {{ plastic relay signal "$@"; }}
cd "$OLDPWD"
[ -f "{dir}/turn-$n" ] || exit 0
. "{dir}/turn-$n"
"""


class Talker:
    """An agent that tells everything in lines of JSON, as harnesses do in theirs."""

    name = "talker"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="exact",
        chooses_session=True,
        keeps_background=False,
        proof="stream",
    )

    def __init__(self, program: str) -> None:
        self.program = program

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        return Launch((self.program,), {"TALKER": f"first {session} {model}"}, prompt)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        return Launch((self.program,), {"TALKER": f"again {session} {named}"}, prompt)

    def read(self, line: bytes) -> list[Said]:
        try:
            return [Said(**json.loads(line))]
        except (ValueError, TypeError):
            return []

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        return (f"{home}/talk-*",)


def say(kind: str, **more: object) -> str:
    """The shell that lets a talker tell something."""
    line = json.dumps({"kind": kind, **more}).replace("'", "'\\''")
    return f"printf '%s\\n' '{line}'\n"


def typing_person(env: Mapping[str, str], id: str, action: str) -> None:
    """Whoever acts sits at a terminal and types what is asked for."""
    require_person(env, id, action, lambda _: id)


class Stage:
    """One program, and the relay commands around it."""

    def __init__(self, world: World, patch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.python = sys.executable
        self.dir = world.root / "agent"
        self.dir.mkdir()
        self.program = self.dir / "agent.sh"
        self.program.write_text(_AGENT.format(dir=self.dir, python=sys.executable, root=ROOT))
        self.program.chmod(0o755)
        patch.setitem(AGENTS, "talker", Talker)
        patch.setattr("plastic.disk.person._at_terminal", lambda: True)
        patch.setattr("plastic.cli.relay.people.require_person", typing_person)

    def turns(self, *bodies: str) -> None:
        """What each run of the program does."""
        for number, body in enumerate(bodies, 1):
            (self.dir / f"turn-{number}").write_text(body)

    def start(self, *words: str, prompt: str = "begin", agent: str = "command") -> Done:
        """`plastic relay start` with the program."""
        program = ("--agent", agent, "--command", str(self.program))
        return self.do("start", *program, *words, "--json", prompt)

    def talk(self, *words: str) -> Done:
        """The same with the program as a talker."""
        return self.start(*words, agent="talker")

    def do(self, verb: str, *words: str) -> Done:
        """Another verb."""
        return self.world.plastic("relay", verb, *words, cwd=self.world.repo)

    def status(self) -> dict[str, Any]:
        """`plastic relay status --json`."""
        value: dict[str, Any] = self.do("status", "--json").json
        return value

    def is_at(self, state: str, reason: str | None, step: int) -> None:
        """Where the relay stands."""
        found = self.status()
        assert (found["state"], found["reason"], found["step"]) == (state, reason, step), found

    def got(self) -> list[str]:
        """The prompts that the program was given, in order."""
        count = int((self.dir / "count").read_text()) if (self.dir / "count").exists() else 0
        return [(self.dir / f"got-{number}").read_text() for number in range(1, count + 1)]

    def env(self, number: int) -> dict[str, str]:
        """The environment of one run."""
        lines = (self.dir / f"env-{number}").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    @property
    def place(self) -> Path:
        """The folder of the only relay."""
        (found,) = (one for one in (self.world.root / "home/relay").iterdir() if one.is_dir())
        return found
