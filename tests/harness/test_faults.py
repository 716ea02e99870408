"""A hook that is killed, late, gone or in a mad world: the outcome in each harness, as printed.

The real gate is started by the line that is really installed; what the harness does with its end
is what the program was seen to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.harness.entry import command
from plastic.harness.faults import FAULTS, JUDGED, REFUSED, RUNS
from plastic.harness.obedience import Ended, runs
from plastic.harness.table import HARNESSES
from plastic.work.house.target import SETTINGS
from tests.gates.scene import GATE, ROOT

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
MAD = {
    "PYTHONHOME": "/none",
    "PYTHONPATH": "/none",
    "PYTHONSTARTUP": "/none",
    "PYTHONUTF8": "7",
    "LANG": "\udcff",
    "LC_ALL": "no_SUCH",
    "TMPDIR": "/none",
    "IFS": "/",
    "CDPATH": "/none",
    "GIT_DIR": "/none",
    "PLASTIC_SHFMT": "/none",
}


def installed(harness: str, python: str, gate: str, *, strict: bool) -> str:
    """The line of the harness's settings before a tool; a plugin file does what it says itself."""
    form = SETTINGS[harness]
    line = command(python, gate, harness)
    entry = getattr(form, "entry", None)
    if entry is None:
        return f"PLASTIC_STRICT=1 {line}" if strict else line
    event = next(one for one in form.EVENTS if one.lower() in ("pretooluse", "beforetool"))
    return next(one for one in texts(entry(event, line, strict=strict)) if "hooks/gate" in one)


def texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for part in inner for one in texts(part)]


class Stage:
    """A world with one fault in it, and a write that a foreign lock forbids."""

    def __init__(self, scene: Scene, fault: str) -> None:
        self.scene, self.fault = scene, fault
        made = scene.planned()
        scene.lock(made, ME)
        self.path = f"{made.dir}/notes.md"
        self.python, self.gate = sys.executable, str(GATE)
        self.env = {**os.environ, "PLASTIC_HOME": scene.home.root}
        self.prefix = ""
        getattr(self, f"_{fault}")()

    def _environment(self) -> None:
        self.env |= MAD

    def _path(self) -> None:
        self.env["PATH"] = ""

    def _cwd(self) -> None:
        self.prefix = f"mkdir {self.scene.root}/gone; cd {self.scene.root}/gone; rmdir ../gone; "

    def _bug(self) -> None:
        where = self.scene.root / "broken"
        shutil.copytree(ROOT / "hooks", where / "hooks")
        (where / "plastic").mkdir()
        for name in os.listdir(ROOT / "plastic"):
            if name != "work" and not name.startswith("hot"):
                (where / "plastic" / name).symlink_to(ROOT / "plastic" / name)
        shutil.copyfile(ROOT / "plastic" / "hook.py", where / "plastic" / "hook.tmp")
        os.replace(where / "plastic" / "hook.tmp", where / "plastic" / "hook.py")
        (where / "plastic" / "work" / "gate").mkdir(parents=True)
        (where / "plastic" / "work" / "gate" / "judge.py").write_text("raise ValueError(3)\n")
        self.gate = str(where / "hooks" / "gate")

    def _python(self) -> None:
        self.python = "/none/python"

    def _package(self) -> None:
        shutil.copytree(ROOT / "hooks", self.scene.root / "alone" / "hooks")
        self.gate = str(self.scene.root / "alone" / "hooks" / "gate")

    def _gate(self) -> None:
        self.gate = "/none/hooks/gate"

    def _killed(self) -> None:
        script = self.scene.root / "python"
        script.write_text("#!/bin/sh\nkill -9 $$\n")
        script.chmod(0o755)
        self.python = str(script)

    def ended(self, harness: str, *, strict: bool) -> Ended:
        import json

        from plastic.harness.sample import write

        line = installed(harness, self.python, self.gate, strict=strict)
        cwd = f"{self.scene.root}/gone" if self.fault == "cwd" else str(self.scene.repo)
        done = subprocess.run(
            ["/bin/sh", "-c", self.prefix + line],
            input=json.dumps(write(harness, self.path, cwd)).encode(),
            env=self.env,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


# Of the harnesses with one form of line one is started; the others get the same end.
LIKE = {"cursor": "claude", "opencode": "claude", "pi": "claude"}


@pytest.mark.parametrize("strict", [False, True], ids=["as installed", "strict"])
@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "late"])
def test_the_outcome_is_the_printed_one(scene: Scene, fault: str, strict: bool) -> None:
    stage = Stage(scene, fault)
    ends: dict[str, Ended] = {}
    for harness in HARNESSES:
        like = harness if FAULTS[fault].usually[0] == JUDGED else LIKE.get(harness, harness)
        if like not in ends:
            ends[like] = stage.ended(like, strict=strict)
        wanted = FAULTS[fault].outcome(harness)[strict]
        goes_on = runs(harness, ends[like], closed=strict, camel=True)
        assert goes_on is (wanted == RUNS), (harness, ends[like])
        if fault == "bug" and not strict:
            assert "the gates are broken" in ends[like].out, "and it is said where it is seen"
        if fault == "package" and not strict:
            assert ends[like] == Ended(0), "somebody who removed it need not hear of it"


def test_a_late_hook() -> None:
    for harness in HARNESSES:
        for strict in (False, True):
            wanted = FAULTS["late"].outcome(harness)[strict]
            assert runs(harness, Ended(None), closed=strict) is (wanted == RUNS), harness


def test_the_two_tables_agree() -> None:
    for name, one in HARNESSES.items():
        assert one.on_crash == FAULTS["killed"].outcome(name)[0], name
        assert one.on_timeout == FAULTS["late"].outcome(name)[0], name
        assert one.strict == (FAULTS["bug"].outcome(name)[1], FAULTS["late"].outcome(name)[1])
    assert {JUDGED, RUNS, REFUSED} >= {
        text
        for one in FAULTS.values()
        for pair in [one.usually, *one.others.values()]
        for text in pair
    }


def test_a_deadline_of_ours_is_shorter_than_any_harness_waits() -> None:
    """The children that a hook waits for end before the harness gives the hook up."""
    from plastic.disk import compiled, shfmt
    from plastic.work.life import pauses

    assert shfmt.PATIENCE + compiled.PATIENCE <= 6.0
    assert pauses.PATIENCE + compiled.PATIENCE <= 6.0
    for form in SETTINGS.values():
        waits = getattr(form, "EVENTS", {})
        tools = [seconds for event, seconds in waits.items() if "ool" in event]
        assert all(seconds >= 10 for seconds in tools)
    assert Path(GATE).exists()
