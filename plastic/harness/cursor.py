"""Cursor, known from documents only: its payload as a ToolUse, our verdict as a permission."""

from __future__ import annotations

from plastic.harness.shape import absolute, content, guess, line, replacements, text, told
from plastic.quickjson import loads
from plastic.words import Change, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict

EVENTS = {
    "preToolUse": "pre",
    "beforeShellExecution": "pre",
    "beforeMCPExecution": "pre",
    "postToolUse": "post",
    "afterShellExecution": "post",
    "afterMCPExecution": "post",
    "afterFileEdit": "post",
    "postToolUseFailure": "failed",
    "beforeSubmitPrompt": "prompt",
    "sessionStart": "start",
    "sessionEnd": "end",
    "stop": "stop",
    "subagentStart": "agent",
    "preCompact": "compact",
}
# Events that name no tool themselves.
TOOLS = {
    "beforeShellExecution": "Shell",
    "afterShellExecution": "Shell",
    "afterFileEdit": "Write",
}
SHELLS = frozenset(("Shell", "Bash", "run_terminal_cmd", "Terminal"))
READS = frozenset(("Read", "Grep", "Glob", "LS", "Task", "WebSearch", "WebFetch", "SemanticSearch"))
EDITS = frozenset(("Write", "Edit", "StrReplace", "MultiEdit", "Delete", "EditNotebook"))


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload; a sub-agent's conversation leads to its parent's."""
    name = text(payload, "hook_event_name")
    event = EVENTS.get(name, "other") if name else "pre"
    own = text(payload, "conversation_id", "session_id").strip()
    session = text(payload, "parent_conversation_id").strip() or own
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    # A hook of the user runs in `~/.cursor`, and only events of tools say where they are.
    cwd = text(payload, "cwd") if event in ("pre", "post", "failed") or not root else root
    use = ToolUse("cursor", event, session, cwd, "")
    use.tool = text(payload, "tool_name") or TOOLS.get(name, "")
    use.agent = text(payload, "subagent_id") or (own if own and own != session else "main")
    use.call = text(payload, "tool_use_id")
    use.source = text(payload, "source", "reason", "trigger", "status")
    use.fits = "conversation_id" in payload or "cursor_version" in payload
    if event in ("pre", "post", "failed"):
        _fill(use, _input(payload))
    return use


def _input(payload: dict[str, Any]) -> dict[str, Any]:
    """The tool's arguments: an object, its JSON text, or the payload itself."""
    values = payload.get("tool_input")
    if isinstance(values, str):
        try:
            values = loads(values)
        except ValueError:
            values = None
    return values if isinstance(values, dict) else payload


def _fill(use: ToolUse, values: dict[str, Any]) -> None:
    if use.tool in READS:
        use.reads = True
    elif use.tool in SHELLS:
        use.command = text(values, "command")
        use.cwd = absolute(use.cwd, text(values, "working_directory", "cwd") or ".")
    elif use.tool in EDITS and (path := text(values, "file_path", "path", "target_file")):
        change = Change(absolute(use.cwd, path), "remove" if use.tool == "Delete" else "write")
        if use.tool == "Write" and "edits" not in values:
            change.content = content(values, "content")
        elif use.tool != "Delete":
            items = values.get("edits", values)
            change.edits = replacements(items, "old_string", "new_string", "replace_all")
        use.changes.append(change)
    else:
        guess(use, values)


def answer(verdict: Verdict, event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code. Allowing aloud would pass over its own questions: silence.

    Before a tool and with a prompt there is no way to tell the model something.
    """
    out: dict[str, Any] = {}
    if event == "pre" and verdict.kind == "deny":
        said = verdict.text()
        out = {"permission": "deny", "user_message": said, "agent_message": said}
    elif event in ("post", "start") and (context := told(verdict)):
        out["additional_context"] = context
    return line(out), b"", 0


def reply(verdict: Verdict, use: ToolUse) -> tuple[bytes, bytes, int]:
    """The answer; at the start of a session also the variable that its shell will carry."""
    out, err, code = answer(verdict, use.event)
    if use.event == "start" and use.session:
        told_already = loads(out) if out else {}
        out = line({**told_already, "env": {"PLASTIC_SESSION": use.session}})
    return out, err, code
