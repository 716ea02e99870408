"""The emulator against what the real programs did: `truth.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.emulator import EMULATORS, RUNS, Done, Hook, bridge, claude, copilot, cursor

TRUTH = json.loads((Path(__file__).parent / "truth.json").read_text())
ROWS = [(name, row) for name, rows in TRUTH["rows"].items() for row in rows]


def hook_of(row: dict[str, Any]) -> Hook:
    shape = TRUTH["shapes"][row["shape"]]
    out = shape if isinstance(shape, str) else json.dumps(shape)
    return Hook(out.encode(), row["stderr"].encode(), row["exit"])


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda one: one if isinstance(one, str) else "")
def test_it_does_what_was_seen(name: str, row: dict[str, Any]) -> None:
    hook = hook_of(row)
    done = EMULATORS[name](hook)
    if name == "copilot":
        done = copilot(hook, pascal=row.get("pascal", False))
    assert done.runs is row["runs"], row
    if row.get("said"):
        assert done.text == "R", row


def test_strict_claude_refuses_what_failed() -> None:
    for name, row in ROWS:
        if name == "claude" and "strict" in row:
            assert claude(hook_of(row), strict=True).runs is False, row
        elif name == "claude":
            assert claude(hook_of(row), strict=True).runs is row["runs"], row


def test_each_program_was_looked_at() -> None:
    assert {name for name, _ in ROWS} == {"claude", "codex", "gemini", "copilot"}
    assert len(ROWS) > 60


def test_cursor_by_its_documents() -> None:
    deny = Hook(b'{"permission": "deny", "agent_message": "R"}')
    assert cursor(deny) == Done(False, "R")
    assert cursor(Hook(b"", b"R", 2)) == Done(False, "R")
    for odd in (Hook(b"no json"), Hook(b"", b"", 1), Hook(b"", b"", None)):
        assert cursor(odd) == RUNS
        assert cursor(odd, strict=True).runs is False
    assert cursor(Hook(b"")) == RUNS


def test_our_own_files() -> None:
    assert bridge(Hook(b'{"decision": "block", "reason": "R"}')) == Done(False, "R")
    assert bridge(Hook(b"", b"R\n", 2)) == Done(False, "R")
    assert bridge(Hook(b'{"additionalContext": "C"}')) == bridge(Hook(b"")) == RUNS
