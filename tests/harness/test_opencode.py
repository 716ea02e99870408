"""OpenCode: what our plugin file may send, and what it obeys."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import opencode
from plastic.words import ALLOW, Verdict
from tests.harness import emulator
from tests.harness.emulator import Hook

DENY = Verdict("deny", "lock", "held", "it is held", run="plastic start 1", notes=("n",))


def payload(tool: str, event: str = "tool.execute.before", **values: Any) -> dict[str, Any]:
    return {
        "harness": "opencode",
        "hook_event_name": event,
        "session_id": "s",
        "cwd": "/w",
        "tool_name": tool,
        "tool_input": values,
        "tool_use_id": "call-1",
    }


@pytest.mark.parametrize(
    ("tool", "values", "change"),
    [
        ("write", {"filePath": "a", "content": "x"}, ("write", "/w/a", "x", [])),
        (
            "edit",
            {"filePath": "/a", "oldString": "x", "newString": "y", "replaceAll": True},
            ("write", "/a", None, [("x", "y", True)]),
        ),
        (
            "multiedit",
            {"filePath": "a", "edits": [{"oldString": "x", "newString": "y"}]},
            ("write", "/w/a", None, [("x", "y", False)]),
        ),
        ("patch", {"patchText": "*** Delete File: a"}, ("remove", "/w/a", None, [])),
        ("apply_patch", {"patchText": "*** Add File: a\n+x"}, ("write", "/w/a", "x\n", [])),
        ("fs_write_file", {"path": "a"}, ("write", "/w/a", None, [])),
    ],
)
def test_edits(tool: str, values: dict[str, Any], change: Any) -> None:
    (one,) = opencode.read(payload(tool, **values)).changes
    assert (one.op, one.path, one.content, one.edits) == change


def test_a_command() -> None:
    use = opencode.read(payload("bash", command="ls", workdir="sub", timeout=2000))
    assert (use.command, use.cwd, use.timeout) == ("ls", "/w/sub", 2.0)


def test_a_batch_is_all_that_it_runs() -> None:
    calls = [
        {"tool": "bash", "parameters": {"command": "rm a", "workdir": "sub"}},
        {"tool": "write", "parameters": {"filePath": "b", "content": "x"}},
        {"tool": "bash", "parameters": {"command": "rm c", "workdir": "it's"}},
        {"tool": "batch", "parameters": {"tool_calls": []}},
        {"tool": "read"},
        "odd",
    ]
    use = opencode.read(payload("batch", tool_calls=calls))
    assert [one.path for one in use.changes] == ["/w/b"]
    assert use.command == "rm a\ncd '/w/it'\\''s'\nrm c"
    assert (use.cwd, use.reads) == ("/w/sub", False)


def test_a_batch_that_only_reads() -> None:
    calls = [{"tool": "read", "parameters": {"filePath": "a"}}]
    use = opencode.read(payload("batch", tool_calls=calls))
    assert (use.reads, use.changes, use.command) == (True, [], None)
    assert opencode.read(payload("batch", tool_calls=None)).changes == []


@pytest.mark.parametrize(
    ("event", "agent", "ours"),
    [
        ("session.created", "", "start"),
        ("session.created", "ses_7", "agent"),
        ("session.idle", "", "stop"),
        ("session.idle", "ses_7", "other"),
        ("session.deleted", "ses_7", "other"),
        ("chat.message", "ses_7", "prompt"),
        ("message.updated", "", "other"),
    ],
)
def test_sub_agents_are_told_from_their_root(event: str, agent: str, ours: str) -> None:
    use = opencode.read({**payload("", event), "agent_id": agent})
    assert (use.event, use.session, use.agent) == (ours, "s", agent or "main")


def test_a_failed_tool() -> None:
    event = payload("write", "tool.execute.after", filePath="a", content="x")
    assert opencode.read({**event, "is_error": True}).event == "failed"


def test_what_fits() -> None:
    assert opencode.read(payload("write")).fits
    assert not opencode.read({**payload("write"), "harness": "pi"}).fits


def test_a_denial_is_one_that_it_obeys() -> None:
    hook = Hook(*opencode.answer(DENY, "pre"))
    assert emulator.bridge(hook) == emulator.Done(False, DENY.text())
    assert json.loads(hook.out)["systemMessage"] == "n"


@pytest.mark.parametrize("event", ["pre", "post", "start", "prompt", "agent"])
def test_what_is_only_said(event: str) -> None:
    out, _, _ = opencode.answer(Verdict("advise", reason="R", context="C"), event)
    assert json.loads(out) == {"additionalContext": "R\nC"}
    assert opencode.answer(ALLOW, event) == (b"", b"", 0)


def test_a_denial_may_come_with_context() -> None:
    out, _, _ = opencode.answer(Verdict("deny", reason="R", context="C"), "post")
    assert json.loads(out) == {"decision": "block", "reason": "R", "additionalContext": "C"}
