"""No payload breaks a reader: one that raised would let the tool run unjudged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness import universal
from plastic.harness.shape import names
from plastic.harness.table import HARNESSES
from tests.harness.played import event, events, read

_KEYS = names(
    "session_id sessionId conversation_id parent_conversation_id agent_id agentId parentAgentId "
    "cwd directory workspace_roots hook_event_name hookEventName hookName tool_name toolName "
    "tool_input toolArgs tool_response toolResult tool_use_id turn_id timestamp transcript_path "
    "harness cursor_version stop_reason source reason command cmd chars path filePath file_path "
    "content edits old_string new_string patchText input tool_calls parameters tool timeout"
)
KEYS = st.sampled_from(sorted(_KEYS))
_WORDS = names(
    "PreToolUse PostToolUse BeforeTool AfterTool preToolUse beforeShellExecution afterFileEdit "
    "tool.execute.before tool.execute.after tool_call tool_result Write Edit Bash Shell bash batch "
    "write edit create apply_patch replace run_shell_command write_file opencode pi /w/a"
)
WORDS = st.sampled_from(sorted(_WORDS))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=8,
)
PAYLOADS = st.dictionaries(KEYS, VALUES, max_size=10)


@given(PAYLOADS)
def test_noise(payload: dict[str, Any]) -> None:
    for name in HARNESSES:
        use = read(name, payload)
        assert all(isinstance(one.path, str) for one in use.changes)
        assert isinstance(use.session, str)
    assert not universal.read(payload).fits


@given(st.data())
def test_recordings_with_one_odd_value(data: st.DataObject) -> None:
    harness = data.draw(st.sampled_from(list(HARNESSES)))
    name = data.draw(st.sampled_from(events(harness)))
    payload = event(harness, name, "s", "/w")
    payload[data.draw(st.sampled_from(sorted(payload)))] = data.draw(VALUES)
    read(harness, payload)
    universal.read(payload)


SENDERS: list[tuple[str, dict[str, Any]]] = [
    ("opencode", {"harness": "opencode", "session_id": "s"}),
    ("pi", {"harness": "pi", "session_id": "s"}),
    ("cursor", {"conversation_id": "s", "timestamp": 1}),
    ("cursor", {"cursor_version": "3", "session_id": "s"}),
    ("copilot", {"sessionId": "s"}),
    ("copilot", {"toolName": "edit"}),
    ("copilot", {"timestamp": "t", "session_id": "s", "hook_event_name": "PreToolUse"}),
    ("codex", {"turn_id": "1", "transcript_path": "/t", "tool_name": "Bash"}),
    ("gemini", {"hook_event_name": "BeforeTool"}),
    ("gemini", {"timestamp": "t", "transcript_path": "/t", "hook_event_name": "SessionStart"}),
    ("claude", {"transcript_path": "/t", "hook_event_name": "PreToolUse", "tool_name": "Write"}),
    ("universal", {"hook_event_name": "PreToolUse", "tool_name": "Write"}),
    ("universal", {"harness": "other"}),
    ("universal", {}),
]


@pytest.mark.parametrize(("harness", "payload"), SENDERS)
def test_a_payload_betrays_its_sender(harness: str, payload: dict[str, Any]) -> None:
    assert universal.read(payload).harness == harness
