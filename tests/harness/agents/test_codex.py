"""Codex's stream, line by line as the real program printed it, and how it is called."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.agents.codex import Codex
from plastic.harness.agents.known import AGENTS
from plastic.harness.agents.shape import Said
from tests.harness.agents.test_claude import JSON

T = "01a231b8-e0e7-7c90-b3b2-14955cd07216"
USAGE = {"input_tokens": 200, "cached_input_tokens": 30, "output_tokens": 40}


def item(kind: str, **more: object) -> dict[str, Any]:
    return {"id": "item_0", "type": kind, **more}


def heard(row: object) -> list[Said]:
    line = row if isinstance(row, bytes) else json.dumps(row).encode()
    return Codex("").read(line + b"\n")


CASES: tuple[tuple[object, list[Said]], ...] = (
    ({"type": "thread.started", "thread_id": T}, [Said("named", T)]),
    ({"type": "thread.started"}, []),
    ({"type": "turn.started"}, [Said("turn"), Said("delivered")]),
    (
        {"type": "item.completed", "item": item("agent_message", text="fg done")},
        [Said("line", "fg done"), Said("final", "fg done")],
    ),
    ({"type": "item.started", "item": item("agent_message", text="fg")}, [Said("line", "fg")]),
    (
        {"type": "item.started", "item": item("command_execution", command="bash -lc ls")},
        [Said("line", "bash -lc ls")],
    ),
    ({"type": "item.completed", "item": item("file_change", changes=[])}, []),
    (
        {"type": "turn.completed", "usage": USAGE},
        [Said("cost", pricing="tokens", tokens=(200, 30, 40)), Said("settled", "clean")],
    ),
    ({"type": "turn.completed"}, [Said("settled", "clean")]),
    (
        {"type": "turn.failed", "error": {"message": "usage limit"}},
        [Said("limit", "usage limit"), Said("settled", "error")],
    ),
    ({"type": "turn.failed"}, [Said("limit", ""), Said("settled", "error")]),
    ({"type": "error", "message": "reconnecting"}, [Said("limit", "reconnecting")]),
    ({"type": "later"}, []),
    ([1], []),
    (b"WARNING: proceeding", []),
    (b"\xff{", []),
    (b"[" * 100_000, []),
)


@pytest.mark.parametrize(("row", "said"), CASES, ids=range(len(CASES)))
def test_one_line(row: object, said: list[Said]) -> None:
    assert heard(row) == said


def test_how_it_is_called() -> None:
    """The prompt byte for byte; the delivery's id where the rollout keeps it."""
    launch = Codex("").first("ours", b"do \xff it\n", "d-1", "")
    assert (launch.argv[:3], launch.argv[-1]) == (("codex", "exec", "--json"), "-")
    assert (launch.stdin, launch.keeps_stdin) == (b"do \xff it\n", False)
    (told,) = (one for one in launch.argv if one.startswith("developer_instructions="))
    assert json.loads(told.partition("=")[2]).endswith("\nRelay delivery: d-1")
    again = AGENTS["codex"]("/opt/codex").again("ours", T, b"go", "d-2", "gpt-5.5")
    assert again.argv[:4] == ("/opt/codex", "exec", "resume", "--json")
    assert again.argv[-3:] == ("--model=gpt-5.5", T, "-")
    assert Codex("").transcripts(T, "/home/u", "/x")[0].endswith(f"-{T}.jsonl")


@given(
    st.sampled_from(["thread.started", "item.completed", "turn.completed", "turn.failed", "error"]),
    st.dictionaries(st.sampled_from(["thread_id", "item", "usage", "error", "message"]), JSON),
)
def test_odd_values_raise_nothing(kind: str, more: dict[str, Any]) -> None:
    for said in heard({"type": kind, **more}):
        assert isinstance(said, Said)
