"""Codex: forms of its payload that no recording has, and every kind of answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness import codex
from plastic.words import ALLOW, Verdict
from tests.harness import emulator
from tests.harness.emulator import Hook

DENY = Verdict("deny", "lock", "held", "it is held", run="plastic start 1")
ADVICE = Verdict("advise", reason="look again")


def payload(tool: str, values: Any, event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    return {
        "session_id": " s ",
        "turn_id": "turn-1",
        "cwd": "/w",
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": values,
        "tool_use_id": "call-1",
        **more,
    }


def test_who_and_where() -> None:
    use = codex.read(payload("Bash", {"command": "ls"}, agent_id="a-1"))
    assert (use.harness, use.session, use.agent, use.call) == ("codex", "s", "a-1", "call-1")
    assert (use.cwd, use.command, use.fits) == ("/w", "ls", True)


PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n"


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("apply_patch", {"command": PATCH}),
        ("apply_patch", {"input": PATCH}),
        ("apply_patch", {"patch": PATCH}),
        ("apply_patch", PATCH),
        ("apply_patch", {"command": ["apply_patch", PATCH]}),
        ("Bash", {"command": ["apply_patch", PATCH]}),
        ("shell", {"command": ["/usr/bin/apply_patch", PATCH]}),
        ("shell", {"command": ["applypatch", PATCH]}),
    ],
)
def test_a_patch_in_each_form(tool: str, values: Any) -> None:
    use = codex.read(payload(tool, values))
    assert [(one.op, one.path, one.content) for one in use.changes] == [("write", "/w/a", "x\n")]
    assert use.command is None


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("ls", "ls"),
        (["bash", "-lc", "rm a; ls"], "rm a; ls"),
        (["/bin/sh", "-c", "rm a"], "rm a"),
        (["rm", "a b", "it's"], "rm 'a b' 'it'\\''s'"),
        (["rm", ""], "rm ''"),
        ([], ""),
        (["rm", 1], "rm"),
        (None, ""),
        (7, ""),
    ],
)
def test_commands(command: Any, text: str) -> None:
    assert codex.read(payload("Bash", {"command": command})).command == text


def test_a_shell_that_is_still_open() -> None:
    assert codex.read(payload("write_stdin", {"chars": "rm a\n"})).command == "rm a\n"


@pytest.mark.parametrize("values", [None, [], "", {}, {"command": {}}, {"command": []}])
def test_odd_input_of_a_patch_names_nothing(values: Any) -> None:
    assert codex.read(payload("apply_patch", values)).changes == []


def test_a_payload_without_a_turn_is_somebody_elses() -> None:
    own = payload("Bash", {"command": "ls"})
    del own["turn_id"]
    assert not codex.read(own).fits
    for key in codex.FOREIGN:
        assert not codex.read(payload("Bash", {"command": "ls"}, **{key: "x"})).fits


def test_without_an_event_it_is_judged() -> None:
    own = payload("Bash", {"command": "ls"})
    del own["hook_event_name"]
    assert codex.read(own).event == "pre"


def test_a_denial_is_one_that_it_obeys() -> None:
    for notes in ((), ("a gate broke",)):
        verdict = Verdict("deny", reason="it is held", run="plastic start 1", notes=notes)
        done = emulator.codex(Hook(*codex.answer(verdict, "pre")))
        assert (done.runs, done.text) == (False, DENY.text())


@pytest.mark.parametrize(
    ("verdict", "event", "context"),
    [
        (ADVICE, "pre", "look again"),
        (ADVICE, "post", "look again"),
        (DENY, "post", DENY.text()),
        (Verdict("allow", context="C"), "start", "C"),
        (Verdict("allow", context="C"), "prompt", "C"),
        (Verdict("allow", context="C"), "agent", "C"),
        (Verdict("advise", reason="R", context="C"), "pre", "R\nC"),
    ],
)
def test_what_is_only_said(verdict: Verdict, event: str, context: str) -> None:
    hook = Hook(*codex.answer(verdict, event))
    assert emulator.codex(hook).runs
    own = json.loads(hook.out)["hookSpecificOutput"]
    assert own == {"hookEventName": codex.NAMES[event], "additionalContext": context}


def test_silence() -> None:
    for event in ("pre", "post", "start", "stop", "end", "compact", "other"):
        assert codex.answer(ALLOW, event) == (b"", b"", 0)
    for event in ("stop", "end", "compact", "other"):
        assert codex.answer(Verdict("allow", context="C"), event) == (b"", b"", 0)


def test_notes_are_for_the_person() -> None:
    out, _, _ = codex.answer(Verdict("allow", notes=("a", "b")), "pre")
    assert json.loads(out) == {"systemMessage": "a\nb"}
