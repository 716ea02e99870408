"""A write of one file as each harness announces it before the tool: what doctor's canary sends."""

from __future__ import annotations

from typing import Any

SESSION = "plastic-doctor"
CALL = "call_doctor"
TEXT = "canary\n"


def write(harness: str, path: str, cwd: str) -> dict[str, Any]:
    """The payload of a write of `path` by a session that holds nothing."""
    common: dict[str, Any] = {"session_id": SESSION, "cwd": cwd}
    call = {"tool_use_id": CALL}
    if harness == "claude":
        return {**common, **_pre("PreToolUse", "Write", file_path=path, content=TEXT), **call}
    if harness == "codex":
        patch = f"*** Begin Patch\n*** Add File: {path}\n+{TEXT}*** End Patch\n"
        turn = {"turn_id": "turn_doctor", "transcript_path": None}
        return {**common, **turn, **_pre("PreToolUse", "apply_patch", command=patch), **call}
    if harness == "gemini":
        told = {"timestamp": "2026-01-01T00:00:00.000Z", "transcript_path": "/none"}
        return {**common, **told, **_pre("BeforeTool", "write_file", file_path=path, content=TEXT)}
    if harness == "cursor":
        own = {"conversation_id": SESSION, "workspace_roots": [cwd], "cwd": cwd}
        return {**own, **_pre("preToolUse", "Write", file_path=path, content=TEXT), **call}
    if harness == "copilot":
        values = {"path": path, "file_text": TEXT}
        return {"sessionId": SESSION, "timestamp": 1, "cwd": cwd, "toolName": "create"} | {
            "toolArgs": values
        }
    mark = {"harness": harness, **common}
    if harness == "opencode":
        return {**mark, **_pre("tool.execute.before", "write", filePath=path, content=TEXT), **call}
    return {**mark, **_pre("tool_call", "write", path=path, content=TEXT), **call}


def _pre(event: str, tool: str, **values: str) -> dict[str, Any]:
    return {"hook_event_name": event, "tool_name": tool, "tool_input": values}
