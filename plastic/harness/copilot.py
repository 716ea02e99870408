"""Copilot CLI and VS Code: both spellings of their payload, and a verdict that both look at."""

from __future__ import annotations

from plastic.harness.shape import (
    absolute,
    content,
    guess,
    line,
    names,
    patch,
    replacements,
    text,
    told,
)
from plastic.quickjson import loads
from plastic.words import Change, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict

EVENTS = {
    "pretooluse": "pre",
    "posttooluse": "post",
    "posttoolusefailure": "failed",
    "userpromptsubmit": "prompt",
    "userpromptsubmitted": "prompt",
    "sessionstart": "start",
    "sessionend": "end",
    "stop": "stop",
    "agentstop": "stop",
    "subagentstart": "agent",
    "precompact": "compact",
}
# One edit may come in both spellings (it reads `.claude/settings.json` too): one name for a tool.
TOOLS = {
    "create": "Write",
    "create_file": "Write",
    "edit": "Edit",
    "str_replace": "Edit",
    "replace_string_in_file": "Edit",
    "bash": "Bash",
    "powershell": "Bash",
    "run_in_terminal": "Bash",
    "view": "Read",
    "task": "Agent",
}
READS = names(
    "Read Agent glob grep rg web_fetch web_search report_intent read_bash list_bash stop_bash "
    "read_agent list_agents update_todo skill ask_user Grep Glob WebFetch WebSearch TodoWrite "
    "Skill AskUserQuestion sql"
)
PATHS = ("path", "filePath", "file_path")


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload; a sub-agent's session leads to its parent's."""
    event = _event(payload)
    own = text(payload, "sessionId", "session_id").strip()
    parent = text(payload, "parentAgentId", "parent_agent_id").strip()
    agent = text(payload, "agentId", "agent_id")
    tool = text(payload, "toolName", "tool_name")
    use = ToolUse("copilot", event, parent or own, text(payload, "cwd"), TOOLS.get(tool, tool))
    use.agent = agent or "main"
    use.call = text(payload, "tool_use_id", "toolUseId", "toolCallId")
    use.source = text(payload, "source", "reason", "trigger")
    use.fits = _fits(payload)
    if event == "stop" and agent:
        use.event = "other"  # the end of a sub-agent's turn
    if event in ("pre", "post", "failed"):
        _fill(use, payload)
    return use


def _event(payload: dict[str, Any]) -> str:
    """The event by its name; camelCase payloads have none and are told by what they carry."""
    name = text(payload, "hook_event_name", "hookEventName", "hookName")
    if name:
        return EVENTS.get(name.lower(), "other")
    if "toolName" in payload or "tool_name" in payload:
        if "toolResult" in payload or "tool_result" in payload:
            return "post"
        return "failed" if "error" in payload else "pre"
    if "stopReason" in payload:
        return "other" if "agentName" in payload else "stop"
    if "agentName" in payload:
        return "agent"
    if "trigger" in payload:
        return "compact"
    if "source" in payload:
        return "start"
    if "prompt" in payload:
        return "prompt"
    return "end" if "reason" in payload else "other"


def _fits(payload: dict[str, Any]) -> bool:
    """Times and session ids in its own way; transcripts only where a turn ends."""
    if "harness" in payload or "conversation_id" in payload or "turn_id" in payload:
        return False
    if "sessionId" in payload or "toolName" in payload:
        return True
    alone = "transcript_path" not in payload or "stop_reason" in payload
    return "timestamp" in payload and (alone or "agent_name" in payload)


def _fill(use: ToolUse, payload: dict[str, Any]) -> None:
    values: Any = payload.get("toolArgs", payload.get("tool_input"))
    if use.tool == "apply_patch":
        _patch(use, values)
        return
    if isinstance(values, str):
        try:
            values = loads(values)
        except ValueError:
            values = None
    if not isinstance(values, dict):
        values = {}
    path = text(values, *PATHS)
    if use.tool in READS:
        use.reads = True
    elif use.tool == "Bash":
        use.command = text(values, "command")
        use.background = values.get("mode") in ("async", "detached")
    elif use.tool == "write_bash":
        use.command = text(values, "input")  # for a shell that is still open
    elif use.tool in ("Write", "Edit") and path:
        use.changes.append(_change(use, path, values))
    else:
        guess(use, values)


def _change(use: ToolUse, path: str, values: dict[str, Any]) -> Change:
    change = Change(absolute(use.cwd, path))
    if use.tool == "Write":
        key = "file_text" if "file_text" in values else "content"
        change.content = content(values, key)
        return change
    for old, new in (
        ("old_str", "new_str"),
        ("oldString", "newString"),
        ("old_string", "new_string"),
    ):
        if old in values:
            change.edits = replacements(values, old, new, "replace_all")
    return change


def _patch(use: ToolUse, values: object) -> None:
    if isinstance(values, dict):
        values = text(values, "input", "patch", "command")
    patch(use, values if isinstance(values, str) else "")


def answer(verdict: Verdict, event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code. Nested, a denial is not seen in the camelCase spelling."""
    out: dict[str, Any] = {}
    if event == "pre" and verdict.kind == "deny":
        deny = {"permissionDecision": "deny", "permissionDecisionReason": verdict.text()}
        out = {**deny, "hookSpecificOutput": {"hookEventName": "PreToolUse", **deny}}
    elif event not in ("stop", "end", "other") and (context := told(verdict)):
        out["additionalContext"] = context
    if verdict.notes:
        out["systemMessage"] = "\n".join(verdict.notes)
    return line(out), b"", 0
