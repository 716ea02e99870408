"""Cursor, by its documents: forms of its payload, and every kind of answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import cursor
from plastic.words import ALLOW, ToolUse, Verdict
from tests.harness import emulator
from tests.harness.emulator import Hook

DENY = Verdict("deny", "lock", "held", "it is held", run="plastic start 1")


def payload(tool: str, event: str = "preToolUse", **values: Any) -> dict[str, Any]:
    return {
        "conversation_id": "s",
        "cursor_version": "3.4.1",
        "workspace_roots": ["/root-of-it"],
        "hook_event_name": event,
        "cwd": "/w",
        "tool_name": tool,
        "tool_input": values,
    }


@pytest.mark.parametrize(
    ("tool", "values", "change"),
    [
        ("Write", {"file_path": "a", "content": "x"}, ("write", "/w/a", "x", [])),
        (
            "StrReplace",
            {"path": "/a", "old_string": "x", "new_string": "y", "replace_all": True},
            ("write", "/a", None, [("x", "y", True)]),
        ),
        (
            "MultiEdit",
            {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]},
            ("write", "/w/a", None, [("x", "y", False)]),
        ),
        ("Delete", {"target_file": "a"}, ("remove", "/w/a", None, [])),
        ("EditNotebook", {"path": "n.ipynb"}, ("write", "/w/n.ipynb", None, [])),
        ("MCP:move_file", {"destination": "b"}, ("write", "/w/b", None, [])),
    ],
)
def test_edits(tool: str, values: dict[str, Any], change: Any) -> None:
    (one,) = cursor.read(payload(tool, **values)).changes
    assert (one.op, one.path, one.content, one.edits) == change


def test_a_command_says_where_it_starts() -> None:
    use = cursor.read(payload("Shell", command="ls", working_directory="sub"))
    assert (use.command, use.cwd) == ("ls", "/w/sub")


def test_arguments_may_be_text() -> None:
    event = payload("MCP:write_note")
    assert cursor.read({**event, "tool_input": '{"path": "a"}'}).changes[0].path == "/w/a"
    assert cursor.read({**event, "tool_input": "{"}).changes == []


def test_where_an_event_without_a_tool_is() -> None:
    """A hook of the user runs in a folder of Cursor's own."""
    event = {**payload("", "stop"), "cwd": "/home/ana/.cursor"}
    assert cursor.read(event).cwd == "/root-of-it"
    assert cursor.read({**event, "workspace_roots": []}).cwd == "/home/ana/.cursor"


def test_sub_agents_lead_to_their_root() -> None:
    use = cursor.read({**payload("Write"), "parent_conversation_id": "root"})
    assert (use.session, use.agent) == ("root", "s")
    assert cursor.read(payload("Write")).agent == "main"


def test_what_fits() -> None:
    assert cursor.read(payload("Write")).fits
    assert not cursor.read({"hook_event_name": "preToolUse", "session_id": "s"}).fits


def test_a_denial_is_one_that_it_obeys() -> None:
    done = emulator.cursor(Hook(*cursor.answer(DENY, "pre")))
    assert (done.runs, done.text) == (False, DENY.text())


@pytest.mark.parametrize("event", ["post", "start"])
def test_what_is_only_said(event: str) -> None:
    out, _, _ = cursor.answer(Verdict("advise", reason="R", context="C"), event)
    assert json.loads(out) == {"additional_context": "R\nC"}


def test_silence_never_allows_aloud() -> None:
    for event in ("pre", "post", "prompt", "agent", "stop", "other"):
        assert cursor.answer(ALLOW, event) == (b"", b"", 0)
    for event in ("pre", "prompt", "agent", "stop"):
        assert cursor.answer(Verdict("advise", reason="R"), event) == (b"", b"", 0)


@pytest.mark.parametrize(("context", "more"), [("", {}), ("C", {"additional_context": "C"})])
def test_its_shell_gets_the_session(context: str, more: dict[str, str]) -> None:
    use = ToolUse("cursor", "start", "s", "/w", "")
    out, _, _ = cursor.reply(Verdict("allow", context=context), use)
    assert json.loads(out) == {**more, "env": {"PLASTIC_SESSION": "s"}}
    use.session = ""
    assert b"env" not in cursor.reply(ALLOW, use)[0]
    use.event, use.session = "pre", "s"
    assert cursor.reply(DENY, use) == cursor.answer(DENY, "pre")
