"""Judges a shell text as the door does: parse, analyse, and again for the texts that it runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from plastic.rules.shell.analyse import analyse
from plastic.rules.shell.answer import Write

SHFMT = os.environ.get("PLASTIC_SHFMT") or str(Path(sys.executable).parent / "shfmt")
CWD = "/repo/.claude/worktrees/12--login"
ROUNDS = 5


class Judged:
    """The answers of all rounds."""

    def __init__(self) -> None:
        self.writes: list[Write] = []
        self.opaque: list[str] = []
        self.mentions: list[str] = []

    @property
    def kind(self) -> str:
        if self.writes:
            return "write"
        return "opaque" if self.opaque else "read"

    @property
    def paths(self) -> list[str]:
        """What is written, as a person would write it; the reach of a write behind `+`."""
        return [
            ("-" if one.op == "remove" else "") + one.shown + (f"+{one.reach}" if one.reach else "")
            for one in self.writes
        ]


def parse(text: str) -> dict[str, Any] | None:
    """The tree of shfmt, None when it does not parse."""
    done = subprocess.run(
        [SHFMT, "-ln", "bash", "--to-json"],
        input=text.encode("utf-8", "surrogatepass"),
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        return None
    tree: dict[str, Any] = json.loads(done.stdout)
    return tree


def judge(
    text: str, cwd: str | None = CWD, variables: dict[str, str] | None = None, rounds: int = ROUNDS
) -> Judged:
    """Everything that is known of a text."""
    judged = Judged()
    tree = parse(text)
    if tree is None:
        judged.opaque.append("it does not parse")
        return judged
    answer = analyse(tree, cwd, {"HOME": "/root"} if variables is None else variables)
    judged.writes += answer.writes
    judged.opaque += answer.opaque
    judged.mentions += answer.mentions
    for one in answer.texts:
        if rounds == 0:
            judged.opaque.append("it is nested too deeply")
            break
        inner = judge(one.command, one.cwd, one.variables, rounds - 1)
        judged.writes += inner.writes
        judged.opaque += inner.opaque
        judged.mentions += inner.mentions
    return judged
