"""pi: what our extension file may send."""

from __future__ import annotations

from typing import Any

import pytest

from plastic.harness import opencode, pi


def payload(tool: str, event: str = "tool_call", **values: Any) -> dict[str, Any]:
    return {
        "harness": "pi",
        "hook_event_name": event,
        "session_id": "s",
        "cwd": "/w",
        "tool_name": tool,
        "tool_input": values,
        "tool_use_id": "call-1",
    }


@pytest.mark.parametrize(
    ("path", "opened"),
    [
        ("a", "/w/a"),
        ("/a", "/a"),
        ("~/a", "~/a"),
        ("@a", "/w/a"),
        ("@/a", "/a"),
        ("@~/a", "~/a"),
        ("a\u00a0b\u2009c\u3000d", "/w/a b c d"),
        ("file:///a%20b", "/a b"),
    ],
)
def test_the_file_is_the_one_that_pi_opens(path: str, opened: str) -> None:
    (one,) = pi.read(payload("write", path=path, content="x")).changes
    assert (one.path, one.content) == (opened, "x")


@pytest.mark.parametrize(
    ("values", "edits"),
    [
        ({"edits": [{"oldText": "x", "newText": "y"}]}, [("x", "y", False)]),
        ({"oldText": "x", "newText": "y"}, [("x", "y", False)]),
        ({"edits": [{"oldText": "x"}]}, []),
        ({}, []),
    ],
)
def test_edits(values: dict[str, Any], edits: list[object]) -> None:
    (one,) = pi.read(payload("edit", path="a", **values)).changes
    assert one.edits == edits


def test_commands_of_the_model_and_of_the_person() -> None:
    use = pi.read(payload("bash", command="ls", timeout=2))
    assert (use.event, use.command, use.timeout) == ("pre", "ls", 2.0)
    assert pi.read(payload("bash", "user_bash", command="ls")).event == "pre"


@pytest.mark.parametrize("tool", sorted(pi.READS))
def test_readers(tool: str) -> None:
    assert pi.read(payload(tool, path="a")).reads


def test_other_tools() -> None:
    assert pi.read(payload("save_note", path="a")).changes[0].path == "/w/a"
    patched = pi.read(payload("apply_patch", input="*** Delete File: a")).changes
    assert [(one.op, one.path) for one in patched] == [("remove", "/w/a")]


def test_a_failed_tool_and_what_fits() -> None:
    event = payload("write", "tool_result", path="a", content="x")
    assert pi.read({**event, "is_error": True}).event == "failed"
    assert pi.read(event).event == "post"
    assert pi.read(event).fits
    assert not pi.read({**event, "harness": "opencode"}).fits


def test_it_obeys_the_same_answers() -> None:
    assert pi.answer is opencode.answer
