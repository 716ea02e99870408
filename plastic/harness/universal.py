"""Any harness: the payload read by its shape, and the one deny that every harness understands."""

from __future__ import annotations

import sys

from plastic.harness.paths import changes, is_reader
from plastic.harness.shape import names
from plastic.quickjson import dumps, loads
from plastic.words import ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plastic.words import Verdict

SESSION = ("session_id", "sessionId", "conversation_id", "sessionID", "thread_id")
AGENT = ("agent_id", "agentId", "subagent_id")
EVENT = ("hook_event_name", "hookEventName", "event")
TOOL = ("tool_name", "toolName", "tool")
INPUT = ("tool_input", "toolArgs", "toolInput", "tool_params", "args")
CALL = ("tool_use_id", "toolUseId", "callID", "toolCallId")
RESULT = ("tool_response", "toolResult", "tool_output", "tool_result")
WHOLE, OLD, NEW = ("file_text",), ("old_string", "old_str"), ("new_string", "new_str")
BEFORE = ("pretool", "beforetool", "beforemcp", "beforeshell", "tool.execute.before")
AFTER = ("posttool", "aftertool", "afterfile", "tool.execute.after")
SHELLS = names("bash shell powershell run_shell_command local_shell exec_command run_in_terminal")


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind a payload, read as the harness does that it betrays, else by its keys."""
    sender = _sender(payload)
    if sender:
        use = _reader(sender)(payload)
        if use.fits:
            use.fits = False
            return use
    return _by_keys(payload)


def _sender(payload: dict[str, Any]) -> str:
    """The harness that sends such keys; "" when they could be anybody's."""
    marker = payload.get("harness")
    if marker in ("opencode", "pi"):
        return str(marker)
    if "conversation_id" in payload or "cursor_version" in payload:
        return "cursor"
    if "sessionId" in payload or "toolName" in payload:
        return "copilot"
    if "turn_id" in payload:
        return "codex"
    if _first(payload, EVENT).startswith(("BeforeTool", "AfterTool")):
        return "gemini"
    if "timestamp" in payload:
        return "copilot" if "transcript_path" not in payload else "gemini"
    return "claude" if "transcript_path" in payload else ""


def _reader(harness: str) -> Callable[[dict[str, Any]], ToolUse]:
    name = f"plastic.harness.{harness}"
    __import__(name)
    found: Callable[[dict[str, Any]], ToolUse] = sys.modules[name].read
    return found


def _by_keys(payload: dict[str, Any]) -> ToolUse:
    """What the keys say that most harnesses use."""
    name = _first(payload, EVENT).lower()
    use = ToolUse("universal", _event(name, payload), _first(payload, SESSION).strip(), "", "")
    use.cwd = _first(payload, ("cwd", "directory"))
    use.tool = _first(payload, TOOL)
    use.agent = _first(payload, AGENT) or "main"
    use.call = _first(payload, CALL)
    use.fits = False
    values = _input(payload)
    if use.tool.lower() in SHELLS:
        command = values.get("command")
        use.command = command if isinstance(command, str) else ""
    elif use.event in ("pre", "post"):
        use.reads = is_reader(use.tool)
        use.changes = [] if use.reads else changes(use.tool, values, use.cwd)
        _tell(use, values)
    return use


def _tell(use: ToolUse, values: dict[str, Any]) -> None:
    """What the edit tools of known harnesses say of the result, each in its own words."""
    if len(use.changes) != 1 or use.changes[0].content is not None or use.changes[0].edits:
        return
    whole, old, new = _text(values, WHOLE), _text(values, OLD), _text(values, NEW)
    if old is not None and new is not None:
        use.changes[0].edits = [(old, new, values.get("replace_all") is True)]
    elif whole is not None and use.changes[0].op == "write":
        use.changes[0].content = whole


def _text(values: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    found = [values[key] for key in keys if isinstance(values.get(key), str)]
    return found[0] if found else None


def _event(name: str, payload: dict[str, Any]) -> str:
    """pre, post or other; an event without a name is told by what it carries."""
    if name.startswith(BEFORE):
        return "pre"
    if name.startswith(AFTER):
        return "post"
    if name:
        return "other"
    return "post" if any(key in payload for key in RESULT) else "pre"


def _first(payload: dict[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _input(payload: dict[str, Any]) -> dict[str, Any]:
    """The tool's arguments; some harnesses send them as a JSON text."""
    for key in INPUT:
        value = payload.get(key)
        if isinstance(value, str):
            try:
                value = loads(value)
            except ValueError:
                continue
        if isinstance(value, dict):
            return value
    return {}


def answer(verdict: Verdict, event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code 2 for a deny, in every dialect at once; silence otherwise.

    Context and messages have no shape that all accept, and a wrong one would be an error.
    """
    if verdict.kind != "deny":
        return b"", b"", 0
    text = verdict.text()
    if event != "pre":
        return dumps({"decision": "block", "reason": text}).encode() + b"\n", b"", 0
    nested = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": text,
    }
    out = {
        "decision": "block",
        "reason": text,
        "permission": "deny",
        "user_message": text,
        "agent_message": text,
        "permissionDecision": "deny",
        "permissionDecisionReason": text,
        "hookSpecificOutput": nested,
    }
    error = text.encode("utf-8", "backslashreplace") + b"\n"
    return dumps(out).encode() + b"\n", error, 2
