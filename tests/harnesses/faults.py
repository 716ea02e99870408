"""A hook that cannot do its work, installed in a real program: what becomes of the tool."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from plastic.harness.faults import FAULTS
from tests.harnesses.acts import OWNER, RIVAL
from tests.harnesses.program import ROOT
from tests.harnesses.scene import Ready

if TYPE_CHECKING:
    from tests.harnesses.program import Program

# The name of the file that the model writes chooses the fault. After the last one there is no gate.
NAMES = ("bug", "python", "package", "killed", "late", "gate")
GATE = """#!/bin/sh
event=$(cat)
case "$event" in
*bug.txt*) gate='{broken}' ;;
*python.txt*) gate='{real}' PLASTIC_PYTHON=/none/python ;;
*package.txt*) gate='{alone}' ;;
*killed.txt*) kill -9 $$ ;;
*late.txt*) exec sleep 12 ;;
*) exit 0 ;;
esac
printf '%s' "$event" | "$gate" "$@"
"""


def seen(program: Program, *argv: str) -> dict[str, str]:
    """Fault -> whether the tool `runs` or is `refused`; `argv` are words of `plastic install`."""
    world = program.world
    ready = Ready(world)
    world.start(ready.id, OWNER)
    gate = _faulty(world.root)
    _install(program, gate, *argv)
    turns = [[program.write(f"{ready.code(name + '.txt')}")] for name in NAMES]
    turns.insert(-1, [program.shell(f"mv '{gate}' '{gate}.away'")])
    run = program.say(turns, cwd=world.repo, session=RIVAL)
    assert len(run.results()) == len(turns), run.results()
    assert not gate.exists(), run.results()
    return {name: "runs" if ready.code(name + ".txt").exists() else "refused" for name in NAMES}


def printed(program: Program, *, strict: bool) -> dict[str, str]:
    """The same as references/harnesses.md has it."""
    return {name: FAULTS[name].outcome(program.name)[strict] for name in NAMES}


def _install(program: Program, gate: Path, *argv: str) -> None:
    """Our entry with another gate, and with one second where it would have ten."""
    done = program.world.plastic("install", program.name, "--json", *argv, env=program.env())
    assert done.rc == 0, done.err
    settings = Path(done.json["settings"])
    text = settings.read_text().replace(done.json["gate"], str(gate))
    settings.write_text(re.sub(r'("timeout\w*": 1)0', r"\1", text))
    assert str(gate) in settings.read_text()


def _faulty(root: Path) -> Path:
    alone, broken = root / "alone", root / "broken"
    shutil.copytree(ROOT / "hooks", alone / "hooks")
    shutil.copytree(ROOT / "hooks", broken / "hooks")
    (broken / "plastic" / "work" / "gate").mkdir(parents=True)
    for name in os.listdir(ROOT / "plastic"):
        if name not in ("work", "hook.py", "__pycache__"):
            (broken / "plastic" / name).symlink_to(ROOT / "plastic" / name)
    shutil.copy(ROOT / "plastic" / "hook.py", broken / "plastic" / "hook.py")
    (broken / "plastic" / "work" / "gate" / "judge.py").write_text("raise ValueError(3)\n")
    gate = root / "faulty" / "hooks" / "gate"
    shutil.copytree(ROOT / "hooks", gate.parent)
    gate.write_text(
        GATE.format(
            real=ROOT / "hooks" / "gate",
            alone=alone / "hooks" / "gate",
            broken=broken / "hooks" / "gate",
        )
    )
    return gate
