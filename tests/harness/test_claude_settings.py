"""Our entries come into any settings and go again byte for byte; everybody else's stay."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.claude_settings import EVENTS, command, entry, installed, removed, state
from plastic.harness.entry import ABSENT, INSTALLED, OTHER
from plastic.harness.jsontext import JsonError, add, read

LINE = command("/opt/py/bin/python", "/opt/plastic/hooks/gate")
MOVED = command("/home/ana/.venv/bin/python", "/home/ana/plastic/hooks/gate")


def test_the_command_is_quoted_for_any_path() -> None:
    """Hooks, case 11.5/43: an unquoted path with a space."""
    line = command("/my py/bin/python", "/it's here/hooks/gate")
    assert shlex.split(line) == [
        "PLASTIC_PYTHON=/my py/bin/python",
        "/it's here/hooks/gate",
        "claude",
    ]
    assert line.endswith("hooks/gate' claude")


def test_the_plugin_has_the_same_events_and_waits_as_long() -> None:
    path = Path(__file__).parents[2] / "hooks" / "hooks.json"
    plugin = json.loads(path.read_text())["hooks"]
    assert {event: groups[0]["hooks"][0]["timeout"] for event, groups in plugin.items()} == EVENTS
    assert all(groups[0]["matcher"] == "*" for groups in plugin.values())


def test_only_strict_blocks_and_only_before_a_tool() -> None:
    assert "onFailure" not in json.dumps([entry(event, LINE, strict=False) for event in EVENTS])
    assert entry("PreToolUse", LINE, strict=True)["hooks"][0]["onFailure"] == "block"
    assert "onFailure" not in entry("PostToolUse", LINE, strict=True)["hooks"][0]


def test_a_new_file_is_laid_out_for_people() -> None:
    text = installed(None, LINE, strict=False)
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    assert json.loads(text) == {
        "hooks": {event: [entry(event, LINE, strict=False)] for event in EVENTS}
    }
    assert removed(text) is None


FOREIGN = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "audit.sh"}]}'
_TEXTS = [
    "",
    "\n",
    "  \n",
    "\ufeff",
    "\ufeff\n",
    "// nothing yet\n",
    "// nothing yet",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\n\n}\n",
    "{ // settings\n}\n",
    '{"hooks": {}}',
    '{"hooks":{"PreToolUse":[]}}',
    '{\n  "hooks": {\n    "PreToolUse": [\n    ]\n  }\n}\n',
    '{"model":"opus"}',
    '{\n  "model": "opus"\n}\n',
    '{\n  "model": "opus", // the good one\n}\n',
    '{\n\t"model": "opus"\n}',
    '{\r\n    "model": "opus"\r\n}\r\n',
    '\ufeff{\n  "a": [1, 2]\n}\n',
    '{"hooks": {"PreToolUse": [FOREIGN]}}',
    '{\n  "hooks": {\n    "PreToolUse": [\n      FOREIGN, // theirs\n    ],\n  },\n}\n',
    '{\n  "hooks": {\n    "Stop": [FOREIGN]\n  },\n  "env": {}\n}\n',
    '{"hooks": {"PostToolUse": [FOREIGN], "PreToolUse": []}, "hooks2": {}}',
    '{\n  "hooks": {\n    "PreToolUse": [\n      {"matcher": "*", "hooks": []}\n    ]\n  }\n}',
    '{"hooks": {"PreToolUse": "odd but theirs"}, "hooks": {}}',
]
TEXTS = [text.replace("FOREIGN", FOREIGN) for text in _TEXTS]


def value_of(text: str) -> Any:
    node = read(text)
    return {} if node is None else node.value


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("strict", [False, True])
def test_in_and_out_again_byte_for_byte(text: str, strict: bool) -> None:
    with_ours = installed(text, LINE, strict=strict)
    before, after = value_of(text), value_of(with_ours)
    for event in EVENTS:
        assert after["hooks"].pop(event) == [
            *before.get("hooks", {}).get(event, []),
            entry(event, LINE, strict=strict),
        ]
        before.get("hooks", {}).pop(event, None)
    before.setdefault("hooks", {})
    assert after == before
    assert installed(with_ours, LINE, strict=strict) == with_ours, "again changes nothing"
    assert state(with_ours, LINE, strict=strict) == INSTALLED
    assert removed(with_ours) == text
    assert state(text, LINE, strict=strict) == ABSENT


@pytest.mark.parametrize("text", [None, *TEXTS])
def test_a_moved_checkout_is_repaired_not_doubled(text: str | None) -> None:
    old = installed(text, MOVED, strict=True)
    assert state(old, LINE, strict=False) == OTHER
    new = installed(old, LINE, strict=False)
    assert state(new, LINE, strict=False) == INSTALLED
    assert new.count("hooks/gate'") == len(EVENTS)
    assert removed(new) == text


@pytest.mark.parametrize("text", [None, *TEXTS])
def test_what_others_added_since_stays(text: str | None) -> None:
    """Others append to our lists, to `hooks` and to the root; only ours go."""

    def theirs(current: str) -> str:
        for path in (("hooks", "PreToolUse"), ("hooks",), ()):
            node = read(current)
            for name in path:
                assert node is not None
                node = node.member(name)
            if node is None:
                continue
            key = None if node.kind == "array" else "theirs"
            current = add(current, node, [json.loads(FOREIGN)] if key else json.loads(FOREIGN), key)
        return current

    left = removed(theirs(installed(text, LINE, strict=False)))
    assert left is not None
    wanted = value_of(text or "")
    hooks = wanted.setdefault("hooks", {})
    hooks["PreToolUse"] = [*hooks.get("PreToolUse", []), json.loads(FOREIGN)]
    hooks["theirs"] = wanted["theirs"] = [json.loads(FOREIGN)]
    assert value_of(left) == wanted


def test_a_hook_of_others_in_our_own_group_stays() -> None:
    text = installed(None, LINE, strict=False)
    node = read(text)
    for name in ("hooks", "PreToolUse"):
        assert node is not None
        node = node.member(name)
    assert node is not None
    hooks = node.children[0][1].member("hooks")
    assert hooks is not None
    mixed = add(text, hooks, {"type": "command", "command": "mine.sh"})
    assert state(mixed, LINE, strict=False) == OTHER
    left = removed(mixed)
    assert left is not None
    assert value_of(left) == {
        "hooks": {
            "PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "mine.sh"}]}]
        }
    }
    again = installed(mixed, MOVED, strict=False)
    assert again.count("hooks/gate'") == len(EVENTS)
    assert "mine.sh" in again


def test_doubled_and_outlived_entries_are_put_right() -> None:
    old = json.loads(installed(None, MOVED, strict=False))
    old["hooks"]["PreToolUse"] *= 3
    old["hooks"]["SessionEnd"] = old["hooks"]["PostToolUse"]
    old["hooks"]["PostToolUse"][0]["matcher"] = "Write"
    new = installed(json.dumps(old, indent=2), LINE, strict=False)
    assert json.loads(new) == json.loads(installed(None, LINE, strict=False))


def test_what_the_harness_laid_out_anew_is_still_ours() -> None:
    text = '{"model": "opus", "hooks": {"PreToolUse": []}}'
    laid_out = json.dumps(json.loads(installed(text, LINE, strict=False)), indent=2)
    left = removed(laid_out)
    assert left is not None
    assert json.loads(left) == {"model": "opus"}


def test_similar_commands_of_others_are_not_ours() -> None:
    theirs = {"matcher": "*", "hooks": [{"command": "'/x/hooks/gate' claude --other"}, {"a": 1}, 5]}
    text = json.dumps({"hooks": {"PreToolUse": [theirs, 7, {"hooks": {}}]}})
    assert state(text, LINE, strict=False) == ABSENT
    assert removed(text) == text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n  "hooks": [],\n}', 2, "`hooks` must be an object"),
        ('{\n"hooks": {\n"PreToolUse": {}}}', 3, "`hooks.PreToolUse` must be an array"),
        ("[]", 1, "the settings must be an object"),
        ('{\n  "hooks": {"PreToolUse": [', 2, "the file ends"),
    ],
)
def test_settings_that_cannot_be_understood_are_refused(text: str, line: int, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        installed(text, LINE, strict=False)
    assert (caught.value.line, words in str(caught.value)) == (line, True)


_hook = st.sampled_from([{"type": "command", "command": "x"}, {"type": "http", "url": "u"}])
_group = st.fixed_dictionaries(
    {"matcher": st.sampled_from(["*", "Bash"]), "hooks": st.lists(_hook, max_size=2)}
)
_hooks = st.dictionaries(
    st.sampled_from(["PreToolUse", "PostToolUse", "Stop"]), st.lists(_group, max_size=2), max_size=3
)
_settings = st.fixed_dictionaries(
    {}, optional={"hooks": _hooks, "model": st.just("m"), "env": st.just({})}
)


@given(
    _settings, st.sampled_from([None, 1, 2, 4, "\t"]), st.booleans(), st.sampled_from(["", "\n"])
)
def test_any_settings_in_any_layout(value: Any, layout: Any, crlf: bool, tail: str) -> None:
    text = json.dumps(value, indent=layout) + tail
    text = text.replace("\n", "\r\n") if crlf else text
    with_ours = installed(text, LINE, strict=False)
    assert installed(with_ours, LINE, strict=False) == with_ours
    assert removed(with_ours) == text
