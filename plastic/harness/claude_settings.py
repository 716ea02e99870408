"""Our hook entries in Claude Code's settings: what they are, put in and taken out as text."""

from __future__ import annotations

from typing import Any

from plastic.harness.entry import strictly
from plastic.harness.hookform import Form

# Event -> seconds that Claude Code waits for the hook. The plugin (hooks/hooks.json) has the same.
EVENTS: dict[str, int] = {
    "PreToolUse": 10,
    "PostToolUse": 10,
    "PostToolUseFailure": 10,
    "SessionStart": 10,
    "UserPromptSubmit": 10,
    "SubagentStart": 10,
    "PreCompact": 10,
    "Stop": 30,
    "SessionEnd": 10,
}


def _handler(event: str, line: str, strict: bool) -> dict[str, Any]:  # noqa: FBT001
    handler: dict[str, Any] = {"type": "command", "command": line, "timeout": EVENTS[event]}
    if strict and event == "PreToolUse":
        handler |= {"command": strictly(line), "onFailure": "block"}
    return handler


FORM = Form("claude", EVENTS, _handler)
STRICT = "a hook that fails, is late or is missing stops the tool (onFailure: block)"
command, entry = FORM.command, FORM.entry
state, installed, removed = FORM.state, FORM.installed, FORM.removed
