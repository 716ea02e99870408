"""pi: what our extension file sends as a ToolUse; its answers are those of our OpenCode plugin."""

from __future__ import annotations

from plastic.harness.opencode import answer
from plastic.harness.shape import content, guess, patch, replacements, seconds, text
from plastic.words import Change, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ("answer", "read")

EVENTS = {
    "tool_call": "pre",
    "user_bash": "pre",
    "tool_result": "post",
    "before_agent_start": "prompt",
    "input": "prompt",
    "session_start": "start",
    "agent_end": "stop",
    "agent_settled": "stop",
    "session_shutdown": "end",
    "session_before_compact": "compact",
}
READS = frozenset(("read", "grep", "find", "ls"))
_BLANKS = {ord(one): " " for one in "\u00a0\u202f\u205f\u3000"} | dict.fromkeys(
    range(0x2000, 0x200B), " "
)


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload; pi has no sub-agents of its own."""
    name = text(payload, "hook_event_name")
    event = EVENTS.get(name, "other") if name else "pre"
    session = text(payload, "session_id").strip()
    use = ToolUse("pi", event, session, text(payload, "cwd"), text(payload, "tool_name"))
    use.agent = text(payload, "agent_id") or "main"
    use.call = text(payload, "tool_use_id")
    use.source = text(payload, "source", "reason")
    use.fits = payload.get("harness") == "pi"
    values = payload.get("tool_input")
    if event in ("pre", "post") and isinstance(values, dict):
        if event == "post" and payload.get("is_error") is True:
            use.event = "failed"
        _fill(use, values)
    return use


def _fill(use: ToolUse, values: dict[str, Any]) -> None:
    path = text(values, "path", "file_path")
    if use.tool in READS:
        use.reads = True
    elif use.tool == "bash":
        use.command = text(values, "command")
        use.timeout = seconds(values.get("timeout"))
    elif use.tool in ("write", "edit") and path:
        change = Change(_opened(use.cwd, path))
        if use.tool == "write":
            change.content = content(values, "content")
        else:
            items = values.get("edits", values)
            change.edits = replacements(items, "oldText", "newText", "replaceAll")
        use.changes.append(change)
    elif use.tool == "apply_patch":
        patch(use, text(values, "patch", "input", "command"))
    else:
        guess(use, values)


def _opened(cwd: str, path: str) -> str:
    """The file that pi opens: odd blanks are blanks, one `@` in front and `file:` do not count."""
    from plastic.harness.paths import path_of

    path = path.translate(_BLANKS)
    return path_of(path[1:] if path.startswith("@") else path, cwd) or path
