"""Recorded events of every harness, and hooks that answer them in this process."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plastic import hook
from plastic.harness.table import HARNESSES
from plastic.rules.gates.table import DOORS
from tests.harness.emulator import Hook

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import ToolUse

GOLDEN = Path(__file__).parent.parent / "golden"
NAMES = tuple(HARNESSES)
# What is read and what is said, as files beside the events.
RECORDED = ("read", "answers")


def events(harness: str) -> list[str]:
    """The names of the recorded events."""
    return sorted(
        path.name.removesuffix(".json")
        for path in (GOLDEN / harness).glob("*.json")
        if path.name.removesuffix(".json") not in RECORDED
    )


def event(harness: str, name: str, session: str, repo: str) -> Any:
    """One of them, in this session and this folder."""
    text = (GOLDEN / harness / f"{name}.json").read_text()
    return json.loads(text.replace("{{SESSION}}", session).replace("{{REPO}}", repo))


def recorded(harness: str, what: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / harness / f"{what}.json").read_text())
    return found


def read(harness: str, payload: dict[str, Any]) -> ToolUse:
    """What the module of this harness makes of a payload."""
    name = hook.HARNESSES[harness]
    __import__(name)
    use: ToolUse = sys.modules[name].read(payload)
    return use


def shown(use: ToolUse) -> dict[str, Any]:
    """A tool use as JSON, without what is empty."""
    found: dict[str, Any] = {"event": use.event, "session": use.session}
    found |= {key: getattr(use, key) for key in ("tool", "call", "source") if getattr(use, key)}
    if use.agent != "main":
        found["agent"] = use.agent
    if use.reads:
        found["reads"] = True
    if use.command is not None:
        found["command"] = use.command
    if use.changes:
        found["changes"] = [
            [one.op, one.path, *([one.content] if one.content is not None else []), *one.edits]
            for one in use.changes
        ]
    return found


def answered(home: Home, announced: str, payload: Any) -> Hook:
    """The answer of the hook to a payload that comes under this name."""
    before = hook._names
    hook._names = lambda: {"PLASTIC_HOME": home.root}
    try:
        return Hook(*hook._judged(announced, json.loads(json.dumps(payload)), DOORS["gate"]))
    finally:
        hook._names = before
