"""Claude Code: its hook payload as a ToolUse, and our verdict in the one shape that it honours."""

from __future__ import annotations

from plastic.quickjson import dumps
from plastic.words import Change, ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict

# Everything else is `other`: it only beats.
EVENTS = {
    "PreToolUse": "pre",
    "PostToolUse": "post",
    "PostToolUseFailure": "failed",
    "UserPromptSubmit": "prompt",
    "SessionStart": "start",
    "Stop": "stop",
    "SubagentStop": "other",
    "SessionEnd": "end",
    "SubagentStart": "agent",
    "PreCompact": "compact",
}
NAMES = {"pre": "PreToolUse", "post": "PostToolUse", "failed": "PostToolUseFailure"}
# Events whose answer may carry a text for the agent.
TELLS = {"start": "SessionStart", "prompt": "UserPromptSubmit", "agent": "SubagentStart"}
# Tools that write no file whose name is in their input.
READS = frozenset(
    {"Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoRead", "TodoWrite"}
    | {"Task", "Agent", "Skill", "SlashCommand", "ToolSearch", "AskUserQuestion", "SendMessage"}
    | {"EnterPlanMode", "ExitPlanMode", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList"}
    | {"TaskOutput", "TaskStop", "BashOutput", "KillShell", "KillBash", "Monitor", "LSP"}
    | {"ListMcpResourcesTool", "ReadMcpResourceTool", "CronCreate", "CronDelete", "CronList"}
    | {"EnterWorktree", "ExitWorktree"}
)
SHELLS = frozenset(("Bash", "PowerShell"))
LONGEST = 1e15  # milliseconds; a longer timeout is none
# Keys that only other harnesses send; some of them read our entry in `.claude/settings.json`.
FOREIGN = ("sessionId", "toolName", "toolArgs", "conversation_id", "cursor_version", "harness")


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload; what is missing or odd in it is left empty."""
    name = payload.get("hook_event_name")
    tool = _text(payload.get("tool_name"))
    use = ToolUse("claude", _event(name), _text(payload.get("session_id")).strip(), "", tool)
    use.cwd = _text(payload.get("cwd"))
    use.agent = _text(payload.get("agent_id")) or "main"
    use.call = _text(payload.get("tool_use_id"))
    use.source = _text(payload.get("source")) or _text(payload.get("reason"))
    if payload.get("stop_hook_active") is True:
        use.source = "again"
    use.fits = _fits(payload, name)
    values = payload.get("tool_input", payload.get("tool_params"))
    if isinstance(values, dict) and use.event in NAMES:
        _fill(use, tool, values)
        use.background = use.command is not None and _left(values, payload.get("tool_response"))
    return use


def _left(values: dict[str, Any], response: object) -> bool:
    """Whether a command goes on when its call has ended."""
    moved = isinstance(response, dict) and response.get("backgroundTaskId")
    return values.get("run_in_background") is True or bool(moved)


def _event(name: object) -> str:
    """A payload that names no event is judged: leaving the name out must not open the gate."""
    return EVENTS.get(name, "other") if isinstance(name, str) and name else "pre"


def _fits(payload: dict[str, Any], name: object) -> bool:
    """Whether nothing in the payload betrays another harness."""
    for key in FOREIGN:
        if key in payload:
            return False
    if "turn_id" in payload and "tool_name" in payload:
        return False
    if "timestamp" in payload and "transcript_path" not in payload:
        return False
    # All of Claude's events are two words and more in this spelling; Gemini's are others.
    return not isinstance(name, str) or not name.startswith(("BeforeTool", "AfterTool"))


def _fill(use: ToolUse, tool: str, values: dict[str, Any]) -> None:
    """The paths, the command and the timeout of the tool's input."""
    if tool in READS:
        use.reads = True
    elif tool in SHELLS:
        use.command = _text(values.get("command"))
        limit = values.get("timeout")
        if isinstance(limit, (int, float)) and not isinstance(limit, bool) and 0 < limit < LONGEST:
            use.timeout = limit / 1000.0
    elif tool in ("Write", "Edit", "MultiEdit", "NotebookEdit"):
        path = values.get("notebook_path" if tool == "NotebookEdit" else "file_path")
        if isinstance(path, str) and path:
            # The harness cuts blanks off before it opens the file.
            use.changes.append(_change(tool, _absolute(use.cwd, path.strip() or path), values))
    else:
        from plastic.harness.paths import changes, is_reader

        use.reads = is_reader(tool)
        if not use.reads:
            use.changes = changes(tool, values, use.cwd)


def _change(tool: str, path: str, values: dict[str, Any]) -> Change:
    if tool == "Write":
        content = values.get("content")
        return Change(path, content=content if isinstance(content, str) else None)
    if tool == "Edit":
        return Change(path, edits=_edits([values]))
    if tool == "MultiEdit":
        return Change(path, edits=_edits(values.get("edits")))
    return Change(path)


def _edits(items: object) -> list[tuple[str, str, bool]]:
    """Replacements in order; empty, which is "not known beforehand", when one of them is odd."""
    found = []
    for item in items if isinstance(items, list) else []:
        old = item.get("old_string") if isinstance(item, dict) else None
        new = item.get("new_string") if isinstance(item, dict) else None
        if not isinstance(old, str) or not isinstance(new, str):
            return []
        found.append((old, new, item.get("replace_all") is True))
    return found


def _absolute(cwd: str, path: str) -> str:
    return path if path.startswith(("/", "~/")) else f"{cwd.rstrip('/')}/{path}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def answer(verdict: Verdict, event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code. A deny is nested JSON with exit 0: the model gets the reason.

    Silence is "no opinion": the harness's own permission rules go on to decide.
    """
    out: dict[str, Any] = {}
    if event in NAMES and verdict.kind != "allow":
        text = verdict.text()
        own = {"hookEventName": NAMES[event]}
        if verdict.kind == "advise":
            out["hookSpecificOutput"] = {**own, "additionalContext": text}
        elif event == "pre":
            denial = {"permissionDecision": "deny", "permissionDecisionReason": text}
            out["hookSpecificOutput"] = {**own, **denial}
        else:
            out["decision"] = "block"
            out["reason"] = text
    if verdict.context and event in TELLS:
        told = {"hookEventName": TELLS[event], "additionalContext": verdict.context}
        out["hookSpecificOutput"] = told
    if verdict.notes:
        out["systemMessage"] = "\n".join(verdict.notes)
    return (dumps(out) + "\n").encode() if out else b"", b"", 0
