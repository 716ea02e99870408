"""Our hook entries in Codex's hooks.json (or the hook tables of its config.toml)."""

from __future__ import annotations

from typing import Any

from plastic.harness.entry import demanding
from plastic.harness.hookform import Form

# Event -> seconds that Codex waits for the hook; it cuts what a session's end asks for to 3.
EVENTS: dict[str, int] = {
    "PreToolUse": 10,
    "PostToolUse": 10,
    "SessionStart": 10,
    "UserPromptSubmit": 10,
    "SubagentStart": 10,
    "PreCompact": 10,
    "Stop": 30,
    "SessionEnd": 3,
}


def _handler(event: str, line: str, strict: bool) -> dict[str, Any]:  # noqa: FBT001
    wanted = demanding(line) if strict and event == "PreToolUse" else line
    return {"type": "command", "command": wanted, "timeout": EVENTS[event]}


FORM = Form("codex", EVENTS, _handler, matcher=None)
STRICT = (
    "a hook that is missing or breaks stops the tool; "
    "Codex has no switch for one that is late or not trusted: the tool runs"
)
command, entry = FORM.command, FORM.entry
state, installed, removed = FORM.state, FORM.installed, FORM.removed
