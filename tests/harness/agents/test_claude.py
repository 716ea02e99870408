"""Claude Code's stream, line by line as the real program printed it, and how it is called."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.agents.claude import Claude
from plastic.harness.agents.known import AGENTS
from plastic.harness.agents.shape import Said

S = "11111111-2222-4333-8444-555555555555"
TASK = {"task_id": "bl88", "session_id": S}


def system(kind: str, **more: object) -> dict[str, Any]:
    return {"type": "system", "subtype": kind, "session_id": S, **more}


INIT = system("init", model="claude-opus-5-5", tools=["Bash"])
STARTED = system("task_started", task_id="bl88", description="wait", is_backgrounded=True)
DONE = system("task_updated", task_id="bl88", patch={"status": "completed", "end_time": 1})
NEWS = system("task_notification", task_id="bl88", status="completed", summary="exit code 0")
REPLAY = {"type": "user", "isReplay": True, "uuid": "d-1", "message": {"role": "user"}}
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "fg done",
    "total_cost_usd": 0.0016,
}


def heard(*rows: object) -> list[Said]:
    agent = Claude("")
    found = []
    for row in rows:
        line = row if isinstance(row, bytes) else json.dumps(row).encode()
        found += agent.read(line + b"\n")
    return found


CASES: tuple[tuple[object, list[Said]], ...] = (
    (INIT, [Said("named", S), Said("turn")]),
    (REPLAY, [Said("delivered")]),
    ({"type": "user", "message": {"content": [{"type": "tool_result"}]}}, []),
    (STARTED, [Said("bg_started", "wait", task="bl88", is_detached=True)]),
    ({**STARTED, "is_backgrounded": False}, []),
    (
        system("task_updated", task_id="t", patch={"is_backgrounded": True}),
        [Said("bg_started", task="t", is_detached=True)],
    ),
    (DONE, [Said("bg_completed", task="bl88")]),
    (
        system("task_updated", task_id="t", patch={"status": "failed"}),
        [Said("bg_failed", task="t")],
    ),
    (system("task_updated", task_id="t", patch={"status": "running"}), []),
    (
        system("task_notification", task_id="t", status="stopped"),
        [Said("bg_consumed", task="t")],
    ),
    (RESULT, [Said("cost", usd=0.0016), Said("final", "fg done"), Said("settled", "clean")]),
    (
        {"type": "result", "subtype": "error_during_execution", "is_error": True},
        [Said("limit", "error_during_execution"), Said("settled", "error")],
    ),
    (
        {**RESULT, "is_error": True, "result": "usage limit reached"},
        [
            Said("cost", usd=0.0016),
            Said("limit", "usage limit reached"),
            Said("settled", "error"),
        ],
    ),
    (
        {"type": "assistant", "message": {"content": [{"type": "text", "text": " hello "}]}},
        [Said("line", "hello")],
    ),
    (
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash"}]}},
        [Said("line", "Bash")],
    ),
    (system("api_retry", attempt=1), []),
    ({"type": "later"}, []),
    ([1], []),
    (b"Error: Session ID is already in use.", []),
    (b"\xff\xfe{", []),
    (b"[" * 100_000, []),
)


@pytest.mark.parametrize(("row", "said"), CASES, ids=range(len(CASES)))
def test_one_line(row: object, said: list[Said]) -> None:
    assert heard(row) == said


def test_a_result_of_background_work_begins_a_turn() -> None:
    """Its task is seen when that turn begins, not before; an unrelated turn sees nothing."""
    assert heard(INIT, INIT)[2:] == [Said("turn")]
    found = heard(INIT, STARTED, RESULT, DONE, NEWS, INIT, RESULT)
    assert [one.kind for one in found] == [
        *("named", "turn", "bg_started", "cost", "final", "settled"),
        *("bg_completed", "bg_completed", "turn", "bg_consumed", "cost", "final", "settled"),
    ]
    assert [one.text for one in found if one.kind == "turn"] == ["", "notification"]


def test_how_it_is_called() -> None:
    """The prompt is one message; its id is the delivery's, which the transcript keeps."""
    launch = Claude("/opt/claude").first(S, b"do \xff it\n", "d-1", "opus")
    assert launch.argv[0] == "/opt/claude"
    assert launch.argv[-2:] == (f"--session-id={S}", "--model=opus")
    assert launch.keeps_stdin
    (line,) = launch.stdin.splitlines()
    sent = json.loads(line)
    assert sent["uuid"] == "d-1"
    assert sent["message"]["content"] == [{"type": "text", "text": "do � it\n"}]
    again = AGENTS["claude"]("").again("ours", "theirs", b"go", "d-2", "")
    assert (again.argv[0], again.argv[-1]) == ("claude", "--resume=theirs")
    assert Claude("").transcripts(S, "/home/u", "/x")[0].endswith(f"/{S}.jsonl")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(
    st.sampled_from(["system", "user", "assistant", "result"]),
    st.sampled_from(["init", "task_started", "task_updated", "task_notification"]),
    st.dictionaries(
        st.sampled_from(["message", "patch", "task_id", "status", "is_error", "total_cost_usd"]),
        JSON,
    ),
)
def test_odd_values_raise_nothing(kind: str, sub: str, more: dict[str, Any]) -> None:
    for said in heard({"type": kind, "subtype": sub, **more}):
        assert isinstance(said, Said)
