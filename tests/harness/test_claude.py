"""Claude Code's payloads as ToolUse, and answers in the shapes that it was seen to honour."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import claude
from plastic.words import ALLOW, Verdict


def payload(tool: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "session_id": "s-1",
        "transcript_path": "/t.jsonl",
        "cwd": "/w",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": values,
        "tool_use_id": "toolu_1",
        **more,
    }


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("PreToolUse", "pre"),
        ("PostToolUse", "post"),
        ("PostToolUseFailure", "failed"),
        ("PermissionRequest", "other"),
        ("UserPromptSubmit", "prompt"),
        ("SessionStart", "start"),
        ("SessionEnd", "end"),
        ("SubagentStart", "agent"),
        ("PreCompact", "compact"),
        ("Stop", "stop"),
        ("SubagentStop", "other"),
        ("WorktreeCreate", "other"),
        ("Tomorrow", "other"),
        (None, "pre"),
        ("", "pre"),
        (7, "pre"),
    ],
)
def test_events(name: object, event: str) -> None:
    use = claude.read(payload("Write", {"file_path": "a"}, hook_event_name=name))
    assert use.event == event
    assert len(use.changes) == (1 if event in ("pre", "post", "failed") else 0)


def test_who_and_where() -> None:
    use = claude.read(payload("Write", {"file_path": "a", "content": ""}, agent_id="a17"))
    assert (use.session, use.agent, use.call, use.cwd) == ("s-1", "a17", "toolu_1", "/w")
    assert (use.changes[0].path, use.changes[0].content) == ("/w/a", "")
    assert claude.read({"session_id": " \t"}).session == ""
    assert claude.read({}).agent == "main"


def test_edits_are_kept_in_order() -> None:
    one = {"old_string": "a", "new_string": "b", "replace_all": True}
    two = {"old_string": "c", "new_string": ""}
    use = claude.read(payload("MultiEdit", {"file_path": "/f", "edits": [one, two]}))
    assert use.changes[0].edits == [("a", "b", True), ("c", "", False)]
    use = claude.read(payload("Edit", {"file_path": "/f", **one}))
    assert use.changes[0].edits == [("a", "b", True)]
    for odd in ({"edits": [one, 3]}, {"edits": "x"}, {"edits": [{"old_string": 1}]}, {}):
        use = claude.read(payload("MultiEdit", {"file_path": "/f", **odd}))
        assert (use.changes[0].edits, use.changes[0].content) == ([], None)


def test_shells_and_notebooks() -> None:
    use = claude.read(payload("Bash", {"command": "make", "timeout": 90_000}))
    assert (use.command, use.timeout, use.changes) == ("make", 90.0, [])
    for odd in (True, "9", -1, 0, None, 10**400, float("inf"), float("nan")):
        assert claude.read(payload("Bash", {"command": 3, "timeout": odd})).timeout is None
    use = claude.read(payload("NotebookEdit", {"notebook_path": "n.ipynb", "file_path": "/no"}))
    assert [one.path for one in use.changes] == ["/w/n.ipynb"]


@pytest.mark.parametrize("tool", sorted(claude.READS))
def test_reading_tools(tool: str) -> None:
    use = claude.read(payload(tool, {"file_path": "/f", "path": "/f"}))
    assert use.reads
    assert use.changes == []


@pytest.mark.parametrize(
    "mark",
    [
        {"sessionId": "x"},
        {"toolName": "edit"},
        {"turn_id": "t"},
        {"hook_event_name": "BeforeTool"},
    ],
)
def test_marks_of_another_harness(mark: dict[str, Any]) -> None:
    assert claude.read(payload("Write", {})).fits
    assert not claude.read(payload("Write", {}, **mark)).fits


def test_a_timestamp_without_transcript_is_copilots() -> None:
    event = payload("Write", {}, timestamp="2026-11-30T16:37:02Z")
    assert claude.read(event).fits
    del event["transcript_path"]
    assert not claude.read(event).fits


DENY = Verdict("deny", "lock", "held", "it is held", run="plastic start 1", who="x", since="y")


def said(verdict: Verdict, event: str) -> Any:
    out, err, code = claude.answer(verdict, event)
    assert (err, code) == (b"", 0)
    assert out == b"" or out.endswith(b"}\n")
    return json.loads(out) if out else None


def test_a_denial_before_the_tool() -> None:
    own = said(DENY, "pre")
    assert own == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "it is held\nheld by: x since y\nrun: plastic start 1",
        }
    }


def test_a_complaint_after_the_tool() -> None:
    assert said(DENY, "post") == {"decision": "block", "reason": DENY.text()}


def test_advice_and_silence() -> None:
    advice = Verdict("advise", "lock", "no-lock", "allowed")
    for event, name in (("pre", "PreToolUse"), ("post", "PostToolUse")):
        own = said(advice, event)["hookSpecificOutput"]
        assert own == {"hookEventName": name, "additionalContext": "allowed"}
    for event in ("pre", "post", "prompt", "other"):
        assert said(ALLOW, event) is None
    assert said(DENY, "stop") is None


def test_what_is_broken_is_for_the_person() -> None:
    broken = Verdict("allow", notes=("one", "two"))
    for event in ("pre", "post", "stop"):
        assert said(broken, event) == {"systemMessage": "one\ntwo"}
    assert set(said(Verdict("deny", reason="r", notes=("n",)), "pre")) == {
        "hookSpecificOutput",
        "systemMessage",
    }


def test_blanks_around_a_path_are_not_part_of_it() -> None:
    for text in (" /a", "/a ", "\t/a\n"):
        (one,) = claude.read(payload("Write", {"file_path": text})).changes
        assert one.path == "/a"
    (one,) = claude.read(payload("Write", {"file_path": " "})).changes
    assert one.path == "/w/ "
