"""Payloads of harnesses that nobody announced, and the deny that all of them understand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import universal
from plastic.words import ALLOW, Verdict

SHAPES: list[tuple[str, dict[str, Any]]] = [
    (
        "gemini",
        {
            "session_id": "s",
            "cwd": "/w",
            "hook_event_name": "BeforeTool",
            "tool_name": "write_file",
            "tool_input": {"file_path": "/w/a", "content": "x"},
        },
    ),
    (
        "copilot",
        {
            "sessionId": "s",
            "cwd": "/w",
            "toolName": "create",
            "toolArgs": '{"path": "/w/a", "file_text": "x"}',
        },
    ),
    (
        "copilot in Claude's dialect",
        {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "timestamp": "2026-11-30T16:37:02Z",
            "cwd": "/w",
            "tool_name": "Edit",
            "tool_input": {"path": "/w/a", "old_str": "x", "new_str": "y"},
        },
    ),
    (
        "cursor",
        {
            "conversation_id": "s",
            "hook_event_name": "preToolUse",
            "cwd": "/w",
            "tool_name": "Write",
            "tool_input": {"file_path": "a"},
        },
    ),
    ("opencode", {"sessionID": "s", "directory": "/w", "tool": "edit", "args": {"filePath": "a"}}),
]


@pytest.mark.parametrize(("name", "payload"), SHAPES)
def test_payloads_are_read_by_their_shape(name: str, payload: dict[str, Any]) -> None:
    use = universal.read(payload)
    assert (use.event, use.session, use.fits) == ("pre", "s", False)
    assert [one.path for one in use.changes] == ["/w/a"]


@pytest.mark.parametrize(
    ("payload", "event"),
    [
        ({"hook_event_name": "AfterTool"}, "post"),
        ({"hook_event_name": "PostToolUse"}, "post"),
        ({"toolName": "edit", "toolResult": {}}, "post"),
        ({"hook_event_name": "SessionStart"}, "other"),
        ({}, "pre"),
    ],
)
def test_events(payload: dict[str, Any], event: str) -> None:
    assert universal.read(payload).event == event


def test_shells_only_carry_a_command() -> None:
    use = universal.read({"tool_name": "run_shell_command", "tool_input": {"command": "ls"}})
    assert (use.command, use.changes) == ("ls", [])
    assert universal.read({"toolName": "bash", "toolArgs": "no json"}).command == ""


def test_reading_tools_write_nothing() -> None:
    use = universal.read({"tool_name": "read_file", "tool_input": {"file_path": "/a"}})
    assert use.reads
    assert use.changes == []


def test_a_denial_in_every_dialect() -> None:
    verdict = Verdict("deny", "lock", "held", "it is held \ud800", run="plastic start 1")
    out, err, code = universal.answer(verdict, "pre")
    said = json.loads(out)
    reason = verdict.text()
    assert code == 2
    assert err.startswith(b"it is held ")
    assert {said[key] for key in ("reason", "user_message", "agent_message")} == {reason}
    assert said["decision"] == "block"
    assert said["permission"] == said["permissionDecision"] == "deny"
    assert said["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }
    out, err, code = universal.answer(verdict, "post")
    assert (json.loads(out)["decision"], code) == ("block", 0)


def test_no_opinion_is_silence() -> None:
    for verdict in (ALLOW, Verdict("advise", reason="x"), Verdict("allow", notes=("n",))):
        assert universal.answer(verdict, "pre") == (b"", b"", 0)
