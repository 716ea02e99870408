"""Codex CLI: its payload as a ToolUse, and our verdict in the one shape that its parser accepts."""

from __future__ import annotations

from plastic.harness.shape import guess, line, names, patch, text, told
from plastic.words import ToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict

EVENTS = {
    "PreToolUse": "pre",
    "PostToolUse": "post",
    "UserPromptSubmit": "prompt",
    "SessionStart": "start",
    "Stop": "stop",
    "SessionEnd": "end",
    "SubagentStart": "agent",
    "PreCompact": "compact",
}
# Events whose answer may carry text for the model, under this name.
NAMES = {ours: theirs for theirs, ours in EVENTS.items() if ours not in ("stop", "end", "compact")}
# It shows every shell tool as `Bash`; the others are names of older versions.
SHELLS = names("Bash shell local_shell exec_command unified_exec")
READS = names(
    "spawn_agent send_input send_message wait wait_agent close_agent exec resume_agent "
    "update_plan view_image web_search request_user_input list_dir read_file grep_files "
    "list_mcp_resources read_mcp_resource"
)
PATCHES = ("apply_patch", "applypatch")
_SIMPLE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+"
# What only other harnesses send.
FOREIGN = ("sessionId", "toolName", "timestamp", "conversation_id", "cursor_version", "harness")


def read(payload: dict[str, Any]) -> ToolUse:
    """The event behind one payload; sub-agents come with the session of their root."""
    name = text(payload, "hook_event_name")
    event = EVENTS.get(name, "other") if name else "pre"
    session = text(payload, "session_id").strip()
    use = ToolUse("codex", event, session, text(payload, "cwd"), text(payload, "tool_name"))
    use.agent = text(payload, "agent_id") or "main"
    use.call = text(payload, "tool_use_id")
    use.source = text(payload, "source", "reason", "trigger")
    use.fits = not any(key in payload for key in FOREIGN)
    if event in ("pre", "post"):
        use.fits = use.fits and "turn_id" in payload
        values = payload.get("tool_input")
        _fill(use, values if isinstance(values, dict) else {"command": values})
    return use


def _fill(use: ToolUse, values: dict[str, Any]) -> None:
    if use.tool in PATCHES:
        _patch(use, values)
    elif use.tool in SHELLS:
        _shell(use, values.get("command", values.get("cmd")))
    elif use.tool == "write_stdin":
        use.command = text(values, "chars")  # for a shell that is still open
    elif use.tool in READS:
        use.reads = True
    else:
        guess(use, values)


def _patch(use: ToolUse, values: dict[str, Any]) -> None:
    """The patch is a text, or the last word of a command in words."""
    found = values.get("command", values.get("input", values.get("patch")))
    if isinstance(found, list):
        found = found[-1] if found else ""
    patch(use, found if isinstance(found, str) else "")


def _shell(use: ToolUse, command: object) -> None:
    """A command is a text or a list of words; `apply_patch` as a word is the tool itself."""
    if not isinstance(command, list):
        use.command = command if isinstance(command, str) else ""
        return
    words = [word for word in command if isinstance(word, str)]
    name = words[0].rpartition("/")[2] if words else ""
    if name in PATCHES and len(words) == 2:
        patch(use, words[1])
    elif len(words) == 3 and name in ("bash", "sh", "zsh") and words[1] in ("-c", "-lc"):
        use.command = words[2]
    else:
        use.command = " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    """A word as a shell reads it back."""
    if word and not word.strip(_SIMPLE):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def answer(verdict: Verdict, event: str) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code. With one key that it does not know the tool would run.

    A call that is found wrong when it has run keeps its output: the reason comes beside it.
    """
    out: dict[str, Any] = {}
    context = told(verdict)
    if event == "pre" and verdict.kind == "deny":
        deny = {"permissionDecision": "deny", "permissionDecisionReason": verdict.text()}
        out["hookSpecificOutput"] = {"hookEventName": "PreToolUse", **deny}
    elif context and event in NAMES:
        out["hookSpecificOutput"] = {"hookEventName": NAMES[event], "additionalContext": context}
    if verdict.notes:
        out["systemMessage"] = "\n".join(verdict.notes)
    return line(out), b"", 0
