"""Our hook entries in Cursor's hooks.json."""

from __future__ import annotations

from typing import Any

from plastic.harness.entry import strictly
from plastic.harness.hookform import Form

# Event -> seconds that Cursor waits for the hook.
EVENTS: dict[str, int] = {
    "preToolUse": 10,
    "postToolUse": 10,
    "postToolUseFailure": 10,
    "sessionStart": 10,
    "beforeSubmitPrompt": 10,
    "subagentStart": 10,
    "preCompact": 10,
    "stop": 30,
    "sessionEnd": 10,
}


def _handler(event: str, line: str, strict: bool) -> dict[str, Any]:  # noqa: FBT001
    handler: dict[str, Any] = {"type": "command", "command": line, "timeout": EVENTS[event]}
    if strict and event == "preToolUse":
        handler |= {"command": strictly(line), "failClosed": True}
    return handler


FORM = Form("cursor", EVENTS, _handler, is_grouped=False, is_versioned=True)
STRICT = "a hook that fails, is late or is missing stops the tool (failClosed)"
command, entry = FORM.command, FORM.entry
state, installed, removed = FORM.state, FORM.installed, FORM.removed
