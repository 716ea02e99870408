"""What a decision for each harness loads beyond one for Claude Code: its module, little else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.gates.scene import ROOT
from tests.harness.played import event
from tests.test_hot_path import STUB

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
SHAPE = "plastic.harness.shape"
# Advice before a tool is kept until the harness can deliver it.
LATE = ("plastic.work.gate.late", "plastic.disk.trail", "plastic.work.gate.traces")
GUESSED = ("plastic.harness.paths", "plastic.harness.keys")
# Harness -> a recorded event that writes, and what it may load beside its own module.
CASES = {
    "codex": ("PreToolUse.apply_patch", {SHAPE, "plastic.applypatch"}),
    "gemini": ("BeforeTool.write_file", {SHAPE, *LATE}),
    "cursor": ("preToolUse.Write", {SHAPE, *LATE}),
    "opencode": ("tool.execute.before.write", {SHAPE}),
    "pi": ("tool_call.write", {SHAPE, "plastic.harness.opencode", *GUESSED}),
    "copilot": ("PreToolUse.Write", {SHAPE}),
}


def loaded(scene: Scene, harness: str, payload: Any) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", STUB, str(ROOT), harness],
        input=json.dumps(payload).encode(),
        env={**os.environ, "PLASTIC_HOME": scene.home.root},
        capture_output=True,
        check=True,
    )
    return set(done.stderr.decode().split())


@pytest.mark.parametrize("harness", CASES)
def test_a_decision_loads_its_module_and_no_more(scene: Scene, harness: str) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    tree = f"{scene.repo}/.claude/worktrees/{made.name}"
    name, more = CASES[harness]
    claude = event("claude", "PreToolUse.Write", F, tree)
    payload = event(harness, name, F, tree)
    for one, first in (("claude", claude), (harness, payload)):
        loaded(scene, one, first)  # writes the bundle, and that the harness was here
    found = loaded(scene, harness, payload) - loaded(scene, "claude", claude)
    own = f"plastic.harness.{harness}"
    assert own in found
    assert found <= {*more, own, "__future__"}
