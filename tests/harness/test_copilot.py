"""Copilot CLI and VS Code: forms of their payloads that no recording has, and every answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import copilot
from plastic.words import ALLOW, Verdict
from tests.harness import emulator
from tests.harness.emulator import Hook

DENY = Verdict("deny", "lock", "held", "it is held", run="plastic start 1")


def camel(tool: str, values: Any, **more: Any) -> dict[str, Any]:
    return {
        "sessionId": "s",
        "timestamp": 1,
        "cwd": "/w",
        "toolName": tool,
        "toolArgs": values,
    } | more


def pascal(tool: str, values: Any, **more: Any) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "timestamp": "2026-12-01T09:00:00.000Z",
        "cwd": "/w",
        "tool_name": tool,
        "tool_input": values,
    } | more


def vscode(tool: str, values: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-12-01T09:00:00.000Z",
        "cwd": "/w",
        "sessionId": "s",
        "hookEventName": "PreToolUse",
        "transcript_path": "/t",
        "tool_name": tool,
        "tool_input": values,
        "tool_use_id": "tool-1",
    }


EDITS: list[tuple[dict[str, Any], str, tuple[str, str, str | None, list[Any]]]] = [
    (camel("create", {"path": "a", "file_text": "x"}), "Write", ("write", "/w/a", "x", [])),
    (camel("create", '{"path": "/a", "file_text": "x"}'), "Write", ("write", "/a", "x", [])),
    (
        camel("edit", {"path": "a", "old_str": "x", "new_str": "y"}),
        "Edit",
        ("write", "/w/a", None, [("x", "y", False)]),
    ),
    (pascal("Write", {"path": "a", "file_text": "x"}), "Write", ("write", "/w/a", "x", [])),
    (
        pascal("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}),
        "Edit",
        ("write", "/w/a", None, [("x", "y", False)]),
    ),
    (vscode("create_file", {"filePath": "/a", "content": "x"}), "Write", ("write", "/a", "x", [])),
    (
        vscode("replace_string_in_file", {"filePath": "/a", "oldString": "x", "newString": "y"}),
        "Edit",
        ("write", "/a", None, [("x", "y", False)]),
    ),
    (
        vscode("insert_edit_into_file", {"filePath": "/a", "code": "x"}),
        "insert_edit_into_file",
        ("write", "/a", None, []),
    ),
    (camel("apply_patch", "*** Delete File: a"), "apply_patch", ("remove", "/w/a", None, [])),
    (
        vscode("apply_patch", {"input": "*** Add File: a\n+x"}),
        "apply_patch",
        ("write", "/w/a", "x\n", []),
    ),
]


@pytest.mark.parametrize(("payload", "tool", "change"), EDITS)
def test_edits(payload: dict[str, Any], tool: str, change: Any) -> None:
    use = copilot.read(payload)
    (one,) = use.changes
    assert (use.event, use.tool, use.session, use.fits) == ("pre", tool, "s", True)
    assert (one.op, one.path, one.content, one.edits) == change


@pytest.mark.parametrize(
    "payload",
    [
        camel("bash", {"command": "ls"}),
        camel("powershell", {"command": "ls"}),
        pascal("Bash", {"command": "ls"}),
        vscode("run_in_terminal", {"command": "ls"}),
        camel("write_bash", {"input": "ls"}),
    ],
)
def test_commands(payload: dict[str, Any]) -> None:
    assert copilot.read(payload).command == "ls"


def test_a_command_may_go_on() -> None:
    assert copilot.read(camel("bash", {"command": "x", "mode": "async"})).background
    assert not copilot.read(camel("bash", {"command": "x", "mode": "sync"})).background


@pytest.mark.parametrize("values", [None, "", "{", [], "7"])
def test_odd_arguments(values: Any) -> None:
    assert copilot.read(camel("create", values)).changes == []
    assert copilot.read(camel("apply_patch", values)).changes == []


@pytest.mark.parametrize(
    ("keys", "event"),
    [
        ({"toolName": "edit"}, "pre"),
        ({"toolName": "edit", "toolResult": {}}, "post"),
        ({"toolName": "edit", "error": "no"}, "failed"),
        ({"prompt": "x"}, "prompt"),
        ({"source": "new", "initialPrompt": "x"}, "start"),
        ({"reason": "complete"}, "end"),
        ({"stopReason": "end_turn"}, "stop"),
        ({"stopReason": "end_turn", "agentName": "x"}, "other"),
        ({"agentName": "x"}, "agent"),
        ({"hookName": "permissionRequest", "toolName": "edit"}, "other"),
        ({"hookEventName": "PreCompact"}, "compact"),
        ({"trigger": "auto"}, "compact"),
        ({}, "other"),
    ],
)
def test_events_without_a_name(keys: dict[str, Any], event: str) -> None:
    assert copilot.read({"sessionId": "s", "cwd": "/w", **keys}).event == event


def test_the_session_is_the_root() -> None:
    inner = {"sessionId": "a", "agentId": "a", "parentAgentId": "root"}
    use = copilot.read({**camel("edit", {"path": "a"}), **inner})
    assert (use.session, use.agent) == ("root", "a")
    snake = {"session_id": "a", "agent_id": "a", "parent_agent_id": "root"}
    use = copilot.read({**pascal("Edit", {"path": "a"}), **snake})
    assert (use.session, use.agent) == ("root", "a")


@pytest.mark.parametrize("key", ["harness", "conversation_id", "turn_id"])
def test_foreign_keys(key: str) -> None:
    assert not copilot.read({**camel("edit", {}), key: "x"}).fits


def test_claudes_own_payload_does_not_fit() -> None:
    event = {**pascal("Write", {"file_path": "a"}), "transcript_path": "/t"}
    assert not copilot.read(event).fits
    del event["timestamp"]
    assert not copilot.read(event).fits


@pytest.mark.parametrize("spelling", [True, False])
def test_a_denial_is_one_that_it_obeys(spelling: bool) -> None:
    done = emulator.copilot(Hook(*copilot.answer(DENY, "pre")), pascal=spelling)
    assert (done.runs, done.text) == (False, DENY.text())


def test_vs_code_reads_the_nested_denial() -> None:
    done = emulator.claude(Hook(*copilot.answer(DENY, "pre")))
    assert (done.runs, done.text) == (False, DENY.text())


@pytest.mark.parametrize("event", ["pre", "post", "failed", "start", "prompt", "agent"])
def test_what_is_only_said(event: str) -> None:
    hook = Hook(*copilot.answer(Verdict("advise", reason="R", context="C"), event))
    assert emulator.copilot(hook).runs
    assert json.loads(hook.out) == {"additionalContext": "R\nC"}


def test_a_call_found_wrong_afterwards_keeps_its_output() -> None:
    out, _, _ = copilot.answer(DENY, "post")
    assert json.loads(out) == {"additionalContext": DENY.text()}


def test_silence() -> None:
    for event in ("pre", "post", "start", "stop", "end", "other"):
        assert copilot.answer(ALLOW, event) == (b"", b"", 0)
    for event in ("stop", "end", "other"):
        assert copilot.answer(Verdict("allow", context="C"), event) == (b"", b"", 0)
