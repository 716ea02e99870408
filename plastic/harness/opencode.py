"""OpenCode: what our plugin file sends as a ToolUse, and the answer that it obeys."""

from __future__ import annotations

from plastic.harness.shape import (
    absolute,
    content,
    guess,
    line,
    names,
    patch,
    replacements,
    seconds,
    text,
    told,
)
from plastic.words import Change, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict

EVENTS = {
    "tool.execute.before": "pre",
    "tool.execute.after": "post",
    "chat.message": "prompt",
    "session.created": "start",
    "session.idle": "stop",
    "session.deleted": "end",
    "dispose": "end",
    "experimental.session.compacting": "compact",
}
READS = names(
    "read grep glob list webfetch websearch codesearch todowrite todoread task skill lsp "
    "question invalid"
)
# The tool that runs other tools used to pass by the plugins; what it runs is judged with it.
BATCH = "batch"


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload; the plugin names the root session and the sub-agent's own."""
    name = text(payload, "hook_event_name")
    event = EVENTS.get(name, "other") if name else "pre"
    session = text(payload, "session_id").strip()
    cwd = text(payload, "cwd", "directory")
    use = ToolUse("opencode", event, session, cwd, text(payload, "tool_name"))
    use.agent = text(payload, "agent_id") or "main"
    use.call = text(payload, "tool_use_id")
    use.source = text(payload, "source", "reason")
    use.fits = payload.get("harness") == "opencode"
    if use.agent != "main" and event in ("start", "stop", "end"):
        use.event = "agent" if event == "start" else "other"
    values = payload.get("tool_input")
    if event in ("pre", "post") and isinstance(values, dict):
        if event == "post" and payload.get("is_error") is True:
            use.event = "failed"
        _fill(use, use.tool, values)
    return use


def _fill(use: ToolUse, tool: str, values: dict[str, Any]) -> None:
    path = text(values, "filePath", "file_path")
    if tool in READS:
        use.reads = True
    elif tool == "bash":
        _shell(use, values, use.cwd)
    elif tool in ("write", "edit", "multiedit") and path:
        change = Change(absolute(use.cwd, path))
        if tool == "write":
            change.content = content(values, "content")
        else:
            items = values.get("edits", values)
            change.edits = replacements(items, "oldString", "newString", "replaceAll")
        use.changes.append(change)
    elif tool in ("patch", "apply_patch"):
        patch(use, text(values, "patchText", "patch", "input"))
    elif tool == BATCH:
        _batch(use, values.get("tool_calls"))
    else:
        guess(use, values)


def _shell(use: ToolUse, values: dict[str, Any], base: str) -> None:
    """A command; a further one of the same call starts where it says itself."""
    command = text(values, "command")
    cwd = absolute(base, text(values, "workdir") or ".")
    if use.command is None:
        use.command, use.cwd = command, cwd
    else:
        there = cwd.replace("'", "'\\''")
        use.command += f"\ncd '{there}'\n{command}"
    use.timeout = seconds(values.get("timeout"), 1000.0)


def _batch(use: ToolUse, calls: object) -> None:
    base = use.cwd
    shells = []
    for one in calls if isinstance(calls, list) else []:
        values = one.get("parameters") if isinstance(one, dict) else None
        if not isinstance(values, dict) or one.get("tool") == BATCH:
            continue
        if one.get("tool") == "bash":
            shells.append(values)
        else:
            _fill(use, text(one, "tool"), values)
    for values in shells:
        _shell(use, values, base)
    use.reads = use.reads and not use.changes and not shells


def answer(verdict: Verdict, _event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code, for the plugin: a denial is thrown, the rest is passed on."""
    out: dict[str, Any] = {}
    if verdict.kind == "deny":
        out["decision"] = "block"
        out["reason"] = verdict.text()
        if verdict.context:
            out["additionalContext"] = verdict.context
    elif context := told(verdict):
        out["additionalContext"] = context
    if verdict.notes:
        out["systemMessage"] = "\n".join(verdict.notes)
    return line(out), b"", 0
