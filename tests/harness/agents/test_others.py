"""pi, Gemini CLI and OpenCode: their lines as the real programs print them, and their words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.agents.known import AGENTS
from plastic.harness.agents.shape import Said
from tests.harness.agents.test_claude import JSON

S = "11111111-2222-4333-8444-555555555555"


def pi(role: str, kind: str = "message_end", **more: object) -> dict[str, Any]:
    return {"type": kind, "message": {"role": role, **more}}


def words(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def used(usd: float, tokens: int = 120) -> dict[str, Any]:
    return {"totalTokens": tokens, "cost": {"input": usd, "total": usd}}


def gemini(role: str, content: str, **more: object) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": content, **more}


def step(kind: str, **part: object) -> dict[str, Any]:
    return {"type": kind, "sessionID": "ses_1", "part": {"sessionID": "ses_1", **part}}


STATS = {"total_tokens": 240, "input_tokens": 200, "output_tokens": 40, "cached": 7}
CASES: tuple[tuple[str, tuple[object, ...], list[Said]], ...] = (
    ("pi", ({"type": "session", "version": 3, "id": S},), [Said("named", S)]),
    ("pi", ({"type": "session"},), []),
    ("pi", ({"type": "agent_start"},), [Said("turn")]),
    ("pi", (pi("system", "message_start"),), []),
    ("pi", (pi("user", "message_start", content=words("go")),), [Said("delivered")]),
    ("pi", (pi("user"),), []),
    ("pi", ({"type": "tool_execution_start", "toolName": "bash"},), [Said("line", "bash")]),
    (
        "pi",
        (pi("assistant", content=words("fg done"), usage=used(0.5), stopReason="stop"),),
        [
            Said("line", "fg done"),
            Said("final", "fg done"),
            Said("cost", usd=0.5, is_added=True),
        ],
    ),
    (
        "pi",
        (pi("assistant", content=[{"type": "toolCall"}], usage=used(0)),),
        [Said("cost", is_added=True, pricing="unknown")],
    ),
    ("pi", (pi("assistant", usage=used(0, 0)),), []),
    ("pi", ({"type": "agent_end"},), []),
    ("pi", ({"type": "agent_settled", "aborted": False},), [Said("settled", "clean")]),
    ("pi", ({"type": "agent_settled", "aborted": True},), [Said("settled", "aborted")]),
    (
        "pi",
        (
            pi("assistant", stopReason="error", errorMessage="429"),
            {"type": "agent_settled", "aborted": False},
        ),
        [Said("limit", "429"), Said("settled", "error")],
    ),
    (
        "pi",
        (
            pi("assistant", stopReason="error"),
            pi("assistant", stopReason="stop"),
            {"type": "agent_settled"},
        ),
        [Said("settled", "clean")],
    ),
    ("gemini", ({"type": "init", "session_id": S},), [Said("named", S), Said("turn")]),
    ("gemini", (gemini("user", "go"),), [Said("delivered")]),
    (
        "gemini",
        (
            gemini("assistant", "I ", delta=True),
            {"type": "tool_use", "tool_name": "run_shell_command"},
            gemini("assistant", "gm ", delta=True),
            gemini("assistant", "done", delta=True),
        ),
        [
            *(Said("line", "I"), Said("final", "I"), Said("line", "run_shell_command")),
            *(Said("line", "gm"), Said("final", "gm")),
            *(Said("line", "gm done"), Said("final", "gm done")),
        ],
    ),
    (
        "gemini",
        ({"type": "result", "status": "success", "stats": STATS},),
        [
            Said("cost", is_added=True, pricing="tokens", tokens=(200, 7, 40)),
            Said("settled", "clean"),
        ],
    ),
    (
        "gemini",
        ({"type": "result", "status": "error", "error": {"message": "quota"}},),
        [Said("limit", "quota"), Said("settled", "error")],
    ),
    ("gemini", ({"type": "error", "message": "slow"},), [Said("limit", "slow")]),
    (
        "opencode",
        (step("step_start"), step("step_start")),
        [Said("named", "ses_1"), Said("turn"), Said("delivered")],
    ),
    ("opencode", (step("tool_use", tool="bash"),), [Said("line", "bash")]),
    (
        "opencode",
        (step("step_finish", reason="tool-calls", cost=0.5),),
        [Said("cost", usd=0.5, is_added=True)],
    ),
    (
        "opencode",
        (step("text", text=" fg done "), step("step_finish", reason="stop", cost=0)),
        [
            *(Said("line", "fg done"), Said("final", "fg done")),
            *(Said("cost", is_added=True, pricing="unknown"), Said("settled", "clean")),
        ],
    ),
    (
        "opencode",
        ({"type": "error", "error": {"name": "APIError", "data": {"message": "429"}}},),
        [Said("limit", "429"), Said("settled", "error")],
    ),
    ("opencode", ({"type": "error"},), [Said("limit", ""), Said("settled", "error")]),
)


@pytest.mark.parametrize(("name", "rows", "said"), CASES, ids=range(len(CASES)))
def test_what_its_lines_tell(name: str, rows: tuple[object, ...], said: list[Said]) -> None:
    agent = AGENTS[name]("")
    assert [one for row in rows for one in agent.read(json.dumps(row).encode())] == said


@pytest.mark.parametrize("name", ["pi", "gemini", "opencode"])
def test_lines_that_are_none(name: str) -> None:
    for line in (b"Warning: no session", b"[1]", b"\xff{", b"[" * 100_000, b"", b"null"):
        assert AGENTS[name]("").read(line) == []


def test_how_they_are_called() -> None:
    """The delivery's id is where the program's own file of the session keeps it."""
    launch = AGENTS["pi"]("/opt/pi").first(S, b"do \xff it", "d-1", "x/y")
    assert launch.argv[:6] == ("/opt/pi", "--mode", "json", "-p", "--session-id", S)
    assert launch.argv[-3].endswith("Relay delivery: d-1")
    assert (launch.argv[-2:], launch.stdin) == (("--model", "x/y"), b"do \xff it")
    assert AGENTS["pi"]("").again("ours", S, b"", "d-2", "").argv[5] == S
    assert AGENTS["pi"]("").transcripts(S, "/home/u", "/x")[0].endswith(f"_{S}.jsonl")

    launch = AGENTS["gemini"]("").first(S, b"do it", "d-1", "")
    assert launch.argv == ("gemini", "--output-format", "stream-json", "--session-id", S)
    assert launch.stdin.startswith(b"do it\n\n")
    assert launch.stdin.endswith(b"Relay delivery: d-1\n")
    again = AGENTS["gemini"]("").again("ours", S, b"go", "d-2", "pro")
    assert again.argv[3:] == ("--resume", S, "--model", "pro")
    assert "session-*-11111111.jsonl" in AGENTS["gemini"]("").transcripts(S, "/u", "/x")[0]


def test_how_opencode_is_called() -> None:
    launch = AGENTS["opencode"]("").first("ours", b"go", "d-1", "x/y")
    assert launch.argv == ("opencode", "run", "--format", "json", "--model", "x/y")
    assert launch.stdin.startswith(b"go\n\n")
    again = AGENTS["opencode"]("").again("ours", "ses_1", b"go", "d-2", "")
    assert again.argv[4:] == ("--session", "ses_1")


@given(
    st.sampled_from(["pi", "gemini", "opencode"]),
    st.sampled_from(
        ["session", "message", "message_end", "agent_settled", "result", "init", "step_finish"]
    ),
    st.dictionaries(
        st.sampled_from(["message", "id", "stats", "role", "content", "error", "part"]), JSON
    ),
)
def test_odd_values_raise_nothing(name: str, kind: str, more: dict[str, Any]) -> None:
    for said in AGENTS[name]("").read(json.dumps({"type": kind, **more}).encode()):
        assert isinstance(said, Said)
