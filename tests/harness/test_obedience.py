"""What the programs did with each answer of a hook, row by row, and what they make of ours.

The rows were seen in the versions of plastic/harness/table.py; Cursor's are its documents'.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from plastic.harness.obedience import Ended, runs
from plastic.harness.places import PLACES
from plastic.hook import HARNESSES
from plastic.words import Verdict
from tests.harness.test_emulator import ROWS, hook_of

NESTED = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "R",
    }
}


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_as_the_programs_did(name: str, row: dict[str, Any]) -> None:
    hook = hook_of(row)
    if row["runs"] is None:
        return  # it hung
    ended = Ended(hook.code, hook.out.decode(), hook.err.decode())
    assert runs(name, ended, camel=not row.get("pascal", False)) is row["runs"]
    if name == "claude" and ("strict" in row or not row["runs"]):
        assert not runs(name, ended, closed=True)


# harness, exit code, stdout, stderr, whether the tool runs, whether it does when fail-closed
MORE: list[tuple[str, int | None, object, str, bool, bool]] = [
    ("claude", 0, {"hookSpecificOutput": {"permissionDecision": "deny"}}, "", True, True),
    ("claude", 0, {"continue": False}, "", False, False),
    ("claude", -9, "", "", True, False),
    ("claude", 0, "{no", "", True, False),
    ("codex", -9, "", "", True, True),
    ("gemini", -9, "", "", True, True),
    ("cursor", 2, "", "R", False, False),
    ("cursor", 0, {"permission": "deny"}, "", False, False),
    ("cursor", 0, {"additional_context": "x"}, "", True, True),
    ("cursor", 1, "", "S", True, False),
    ("cursor", None, "", "", True, False),
    ("cursor", 0, "hello", "", True, False),
    ("cursor", 0, "", "", True, True),
    ("opencode", 0, {"decision": "block"}, "", False, False),
    ("opencode", 2, "", "R", False, False),
    ("opencode", 1, "", "S", True, False),
    ("opencode", None, "", "", True, False),
    ("opencode", 0, "", "", True, True),
    ("pi", 0, {"decision": "block"}, "", False, False),
    ("pi", 0, {"systemMessage": "x"}, "", True, True),
    ("pi", 0, "hello", "", True, False),
]


@pytest.mark.parametrize(("harness", "code", "out", "err", "runs_open", "runs_closed"), MORE)
def test_and_where_nothing_was_recorded(
    harness: str, code: int | None, out: object, err: str, runs_open: bool, runs_closed: bool
) -> None:
    text = out if isinstance(out, str) else json.dumps(out)
    ended = Ended(code, text, err)
    assert runs(harness, ended) is runs_open
    assert runs(harness, ended, closed=True) is runs_closed


def test_copilot_in_its_own_spelling_sees_nothing_nested() -> None:
    for out, goes_on in ((NESTED, True), ({"permissionDecision": "deny"}, False)):
        assert runs("copilot", Ended(0, json.dumps(out)), camel=True) is goes_on


@pytest.mark.parametrize("harness", PLACES)
def test_each_obeys_our_denial_and_lets_everything_else_run(harness: str) -> None:
    module = __import__(HARNESSES[harness], fromlist=["answer"])
    notes = ("plastic: a gate broke",)
    for verdict, goes_on in (
        (Verdict("deny", "lock", "held", "no", run="plastic start 1", notes=notes), False),
        (Verdict("deny", "lock", "held", 'odd " \n \u2028 text'), False),
        (Verdict("advise", "worktree", "solo", "well", notes=notes, context="c"), True),
        (Verdict("allow", notes=notes, context="c"), True),
        (Verdict("allow"), True),
    ):
        out, err, code = module.answer(verdict, "pre")
        ended = Ended(code, out.decode(), err.decode())
        for closed in (False, True):
            assert runs(harness, ended, closed=closed) is goes_on, (harness, verdict.kind)
        if harness == "copilot":
            assert runs(harness, ended, camel=True) is goes_on


@pytest.mark.parametrize("harness", PLACES)
def test_each_obeys_the_universal_denial(harness: str) -> None:
    from plastic.harness import universal

    out, err, code = universal.answer(Verdict("deny", "lock", "held", "no"), "pre")
    assert not runs(harness, Ended(code, out.decode(), err.decode()))
    assert runs(harness, Ended(0))
