"""Our hook entries in a file of our own beside the other hooks of GitHub Copilot CLI."""

from __future__ import annotations

from typing import Any

from plastic.harness.entry import forgiving, strictly
from plastic.harness.hookform import Form

# Event -> seconds that Copilot waits for the hook. Its own spelling of the names: in the other one
# it does not tell of the start of a sub-agent.
EVENTS: dict[str, int] = {
    "preToolUse": 10,
    "postToolUse": 10,
    "postToolUseFailure": 10,
    "sessionStart": 10,
    "userPromptSubmitted": 10,
    "subagentStart": 10,
    "agentStop": 30,
    "sessionEnd": 10,
}


def _handler(event: str, line: str, strict: bool) -> dict[str, Any]:  # noqa: FBT001
    """Copilot stops the tool of a hook that fails: only strict wants that of a missing one."""
    wanted = line
    if event == "preToolUse":
        wanted = strictly(line) if strict else forgiving(line)
    return {"type": "command", "bash": wanted, "timeoutSec": EVENTS[event]}


FORM = Form("copilot", EVENTS, _handler, key="bash", is_grouped=False, is_versioned=True)
STRICT = (
    "a hook that fails or is missing stops the tool; "
    "Copilot CLI has no switch for one that is late: the tool runs"
)
command, entry = FORM.command, FORM.entry
state, installed, removed = FORM.state, FORM.installed, FORM.removed
