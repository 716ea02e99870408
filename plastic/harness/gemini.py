"""Gemini CLI: its payload as a ToolUse, and our verdict as the top-level decision it looks at."""

from __future__ import annotations

from plastic.harness.shape import (
    absolute,
    content,
    flags,
    guess,
    line,
    names,
    replacements,
    text,
    told,
)
from plastic.words import Change, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict

EVENTS = {
    "BeforeTool": "pre",
    "AfterTool": "post",
    "BeforeAgent": "prompt",
    "AfterAgent": "stop",
    "SessionStart": "start",
    "SessionEnd": "end",
    "PreCompress": "compact",  # before every request to the model: not worth a process
}
OWN = names(
    "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection "
    "PreCompress"
)
# Where text for the model arrives: before a tool it has no effect.
NAMES = {
    "post": "AfterTool",
    "failed": "AfterTool",
    "prompt": "BeforeAgent",
    "start": "SessionStart",
}
READS = names(
    "read_file read_many_files list_directory glob search_file_content grep_search "
    "google_web_search web_fetch save_memory write_todos activate_skill ask_user "
    "codebase_investigator delegate_to_agent enter_plan_mode exit_plan_mode"
)


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload. Nothing in it tells a sub-agent or one call from another."""
    name = text(payload, "hook_event_name")
    event = EVENTS.get(name, "other") if name else "pre"
    session = text(payload, "session_id").strip()
    use = ToolUse("gemini", event, session, text(payload, "cwd"), text(payload, "tool_name"))
    use.source = text(payload, "source", "reason", "trigger")
    use.fits = name in OWN or ("timestamp" in payload and "transcript_path" in payload)
    if "harness" in payload or "sessionId" in payload or "stop_reason" in payload:
        use.fits = False
    values = payload.get("tool_input")
    if event in ("pre", "post") and isinstance(values, dict):
        response = payload.get("tool_response")
        if event == "post" and isinstance(response, dict) and response.get("error"):
            use.event = "failed"
        _fill(use, values)
    return use


def _fill(use: ToolUse, values: dict[str, Any]) -> None:
    if use.tool in READS:
        use.reads = True
    elif use.tool == "run_shell_command":
        use.command = text(values, "command")
        use.cwd = absolute(use.cwd, text(values, "dir_path", "directory") or ".")
        use.background = flags(values, "is_background", "run_in_background")
    elif use.tool in ("write_file", "replace") and (path := text(values, "file_path")):
        change = Change(absolute(use.cwd, path.strip() or path))
        if use.tool == "write_file":
            change.content = content(values, "content")
        else:
            change.edits = replacements(values, "old_string", "new_string", "allow_multiple")
        use.changes.append(change)
    else:
        guess(use, values)


def answer(verdict: Verdict, event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code. `ask` hangs it and exit 2 loses to JSON: neither is used."""
    out: dict[str, Any] = {}
    notes = list(verdict.notes)
    if event == "pre" and verdict.kind == "deny":
        out["decision"] = "deny"
        out["reason"] = verdict.text()
    elif context := told(verdict):
        if event in NAMES:
            own = {"hookEventName": NAMES[event], "additionalContext": context}
            out["hookSpecificOutput"] = own
        elif verdict.kind != "allow":
            notes.append(verdict.text())
    if notes:
        out["systemMessage"] = "\n".join(notes)
    return line(out), b"", 0
