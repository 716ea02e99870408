"""Gemini CLI: forms of its payload that no recording has, and every kind of answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import gemini
from plastic.words import ALLOW, Verdict
from tests.harness import emulator
from tests.harness.emulator import Hook

DENY = Verdict("deny", "lock", "held", "it is held", run="plastic start 1")


def payload(tool: str, event: str = "BeforeTool", **values: Any) -> dict[str, Any]:
    return {
        "session_id": "s",
        "transcript_path": "/home/ana/t.jsonl",
        "cwd": "/w",
        "hook_event_name": event,
        "timestamp": "2026-12-01T09:00:00.000Z",
        "tool_name": tool,
        "tool_input": values,
    }


@pytest.mark.parametrize(
    ("values", "cwd"),
    [({}, "/w/."), ({"dir_path": "sub"}, "/w/sub"), ({"directory": "/x"}, "/x")],
)
def test_a_command_says_where_it_starts(values: dict[str, str], cwd: str) -> None:
    use = gemini.read(payload("run_shell_command", command="ls", **values))
    assert (use.command, use.cwd, use.background) == ("ls", cwd, False)


def test_a_command_may_go_on() -> None:
    assert gemini.read(payload("run_shell_command", command="x", is_background=True)).background


@pytest.mark.parametrize(
    ("tool", "values", "change"),
    [
        ("write_file", {"file_path": "a", "content": "x"}, ("/w/a", "x", [])),
        ("write_file", {"file_path": " /a ", "content": 1}, ("/a", None, [])),
        (
            "replace",
            {"file_path": "a", "old_string": "x", "new_string": "y", "allow_multiple": True},
            ("/w/a", None, [("x", "y", True)]),
        ),
        ("replace", {"file_path": "a", "old_string": "x"}, ("/w/a", None, [])),
        ("mcp_fs_write_file", {"path": "a", "content": "x"}, ("/w/a", "x", [])),
    ],
)
def test_edits(tool: str, values: dict[str, Any], change: Any) -> None:
    (one,) = gemini.read(payload(tool, **values)).changes
    assert (one.path, one.content, one.edits) == change


def test_a_failed_tool_wrote_nothing() -> None:
    event = payload("write_file", "AfterTool", file_path="a", content="x")
    assert gemini.read({**event, "tool_response": {"error": {"message": "no"}}}).event == "failed"
    assert gemini.read({**event, "tool_response": {"llmContent": "ok"}}).event == "post"


@pytest.mark.parametrize("key", ["harness", "sessionId", "stop_reason"])
def test_foreign_keys(key: str) -> None:
    assert gemini.read(payload("replace", file_path="a")).fits
    assert not gemini.read({**payload("replace", file_path="a"), key: "x"}).fits


def test_events_of_other_harnesses_do_not_fit() -> None:
    event = {**payload("Write", "PreToolUse"), "transcript_path": "/t"}
    del event["timestamp"]
    assert not gemini.read(event).fits


def test_a_denial_is_one_that_it_obeys() -> None:
    for notes in ((), ("a gate broke",)):
        verdict = Verdict("deny", reason="it is held", run="plastic start 1", notes=notes)
        done = emulator.gemini(Hook(*gemini.answer(verdict, "pre")))
        assert (done.runs, done.text) == (False, DENY.text())


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("post", "AfterTool"),
        ("failed", "AfterTool"),
        ("prompt", "BeforeAgent"),
        ("start", "SessionStart"),
    ],
)
def test_what_is_only_said(event: str, name: str) -> None:
    hook = Hook(*gemini.answer(Verdict("advise", reason="R", context="C"), event))
    assert emulator.gemini(hook).runs
    own = {"hookEventName": name, "additionalContext": "R\nC"}
    assert json.loads(hook.out) == {"hookSpecificOutput": own}


def test_before_a_tool_advice_goes_to_the_person() -> None:
    out, _, _ = gemini.answer(Verdict("advise", reason="R", notes=("n",)), "pre")
    assert json.loads(out) == {"systemMessage": "n\nR"}
    assert gemini.answer(Verdict("allow", context="C"), "pre")[0] == b""


def test_silence() -> None:
    for event in ("pre", "post", "start", "stop", "end", "other"):
        assert gemini.answer(ALLOW, event) == (b"", b"", 0)
