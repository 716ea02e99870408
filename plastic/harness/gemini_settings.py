"""Our hook entries in Gemini CLI's settings.json."""

from __future__ import annotations

from typing import Any

from plastic.harness.entry import demanding, pardoning
from plastic.harness.hookform import Form

# Event -> MILLISECONDS that Gemini CLI waits for the hook: every other harness counts seconds.
# PreCompress is left out: it fires before every call of the model.
EVENTS: dict[str, int] = {
    "BeforeTool": 10_000,
    "AfterTool": 10_000,
    "SessionStart": 10_000,
    "BeforeAgent": 10_000,
    "AfterAgent": 30_000,
    "SessionEnd": 10_000,
}
NAME = "plastic"  # what `hooksConfig.disabled` may list


def _handler(event: str, line: str, strict: bool) -> dict[str, Any]:  # noqa: FBT001
    """Gemini takes every exit code but 0 and 1 for a refusal, 127 of a missing gate too."""
    wanted = demanding(line) if strict and event == "BeforeTool" else pardoning(line)
    return {"type": "command", "name": NAME, "command": wanted, "timeout": EVENTS[event]}


FORM = Form("gemini", EVENTS, _handler)
STRICT = (
    "a hook that is missing or breaks stops the tool; "
    "Gemini CLI has no switch for one that is late: the tool runs"
)
command, entry = FORM.command, FORM.entry
state, installed, removed = FORM.state, FORM.installed, FORM.removed
