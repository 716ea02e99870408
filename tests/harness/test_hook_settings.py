"""Five harnesses keep hooks as JSON: ours come and go, every byte of everybody else's stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness import (
    claude,
    claude_settings,
    codex,
    codex_settings,
    copilot,
    copilot_settings,
    cursor,
    cursor_settings,
    gemini,
    gemini_settings,
)
from plastic.harness.entry import ABSENT, INSTALLED, OTHER, is_ours
from plastic.harness.hookform import Form
from plastic.harness.jsontext import JsonError, add, read

if TYPE_CHECKING:
    from types import ModuleType

FORMS = [
    claude_settings.FORM,
    codex_settings.FORM,
    gemini_settings.FORM,
    cursor_settings.FORM,
    copilot_settings.FORM,
]
READERS: dict[str, ModuleType] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "cursor": cursor,
    "copilot": copilot,
}
PRE = {
    "claude": "PreToolUse",
    "codex": "PreToolUse",
    "gemini": "BeforeTool",
    "cursor": "preToolUse",
    "copilot": "preToolUse",
}
every = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.harness)


def line(form: Form) -> str:
    return form.command("/opt/my py/bin/python", "/opt/it's plastic/hooks/gate")


def moved(form: Form) -> str:
    return form.command("/home/ana/.venv/bin/python", "/home/ana/plastic/hooks/gate")


def theirs(form: Form) -> Any:
    handler = {"type": "command", form.key: "audit.sh", "timeout": 5}
    return {"matcher": "Shell", "hooks": [handler]} if form.is_grouped else handler


# PRE is the event before a tool, FOREIGN somebody's entry. Each is bytes for bytes restored.
TEXTS = [
    "",
    "\n",
    "\ufeff",
    "// nothing yet\n",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    '{"version": 1}',
    '{\n  "version": 1\n}\n',
    '{"version": 1, "hooks": {}}',
    '{\n  "version": 1,\n  "hooks": {\n    "PRE": [\n    ]\n  }\n}\n',
    '{\n  "version": 1, // the first\n  "hooks": {\n    "PRE": [\n    FOREIGN, //\n    ],\n  },\n}',
    '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"other": [FOREIGN]\r\n\t}\r\n}\r\n',
    '\ufeff{\n    "version": 1,\n    "hooks": {"PRE": [FOREIGN, FOREIGN]}\n}\n',
    '/* a */ {"hooks": {"other": []}, "version": 1} // b',
    '{\n  "model": {"name": "m"},\n  "mcpServers": {}\n}\n',
]


def text_for(form: Form, text: str) -> str:
    return text.replace("PRE", PRE[form.harness]).replace("FOREIGN", json.dumps(theirs(form)))


def value_of(text: str | None) -> Any:
    node = read(text or "")
    return {} if node is None else node.value


@every
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("strict", [False, True])
def test_in_and_out_again_byte_for_byte(form: Form, text: str, strict: bool) -> None:
    text = text_for(form, text)
    with_ours = form.installed(text, line(form), strict=strict)
    before, after = value_of(text), value_of(with_ours)
    for event in form.events:
        found = after["hooks"].pop(event)
        assert found[-1] == form.entry(event, line(form), strict=strict), "ours stands last"
        assert found[:-1] == before.get("hooks", {}).get(event, [])
        before.get("hooks", {}).pop(event, None)
    before.setdefault("hooks", {})
    if form.is_versioned:
        before.setdefault("version", 1)
    assert after == before
    assert form.installed(with_ours, line(form), strict=strict) == with_ours, "again is nothing"
    assert form.state(with_ours, line(form), strict=strict) == INSTALLED
    assert form.state(text, line(form), strict=strict) == ABSENT
    assert form.removed(with_ours) == text


@every
def test_a_new_file_is_laid_out_for_people_and_goes_again(form: Form) -> None:
    text = form.installed(None, line(form), strict=False)
    plain = json.dumps(json.loads(text), indent=2) + "\n"
    assert text.replace('"version":  1', '"version": 1') == plain
    assert ("version" in json.loads(text)) == form.is_versioned
    assert form.removed(text) is None
    assert json.loads(form.installed("", line(form), strict=False)) == json.loads(text)


@every
@pytest.mark.parametrize("text", [None, *TEXTS])
def test_a_moved_checkout_is_mended_not_doubled(form: Form, text: str | None) -> None:
    text = None if text is None else text_for(form, text)
    old = form.installed(text, moved(form), strict=True)
    assert form.state(old, line(form), strict=False) == OTHER
    new = form.installed(old, line(form), strict=False)
    assert form.state(new, line(form), strict=False) == INSTALLED
    assert "/home/ana/plastic" not in new
    assert form.removed(new) == text


@every
@pytest.mark.parametrize("text", [None, *TEXTS])
def test_what_others_added_since_stays(form: Form, text: str | None) -> None:
    text = None if text is None else text_for(form, text)

    def grown(current: str) -> str:
        for path in (("hooks", PRE[form.harness]), ("hooks", "late"), ("hooks",), ()):
            node = read(current)
            for name in path:
                node = node and node.member(name)
            if node is not None:
                key = None if node.kind == "array" else "late"
                value = theirs(form) if path and key is None else [theirs(form)]
                current = add(current, node, value, key)
        return current

    left = form.removed(grown(form.installed(text, line(form), strict=False)))
    assert left is not None
    assert not is_anywhere(form, left)
    wanted = value_of(text)
    hooks = wanted.setdefault("hooks", {})
    hooks[PRE[form.harness]] = [*hooks.get(PRE[form.harness], []), theirs(form)]
    hooks["late"] = wanted["late"] = [theirs(form)]
    if form.is_versioned:
        wanted.setdefault("version", 1)  # without it their hooks would be lost
    assert value_of(left) == wanted


def is_anywhere(form: Form, text: str) -> bool:
    return form.state(text, line(form), strict=False) != ABSENT


@every
def test_what_a_tool_laid_out_anew_is_still_ours(form: Form) -> None:
    text = json.dumps({"version": 1, "hooks": {"other": [theirs(form)]}})
    laid_out = json.dumps(json.loads(form.installed(text, line(form), strict=True)), indent=4)
    assert form.state(laid_out, line(form), strict=True) == INSTALLED
    assert value_of(form.removed(laid_out)) == json.loads(text)


@every
def test_doubled_entries_and_outlived_events_are_put_right(form: Form) -> None:
    old = json.loads(form.installed(None, moved(form), strict=False))
    old["hooks"][PRE[form.harness]] *= 3
    old["hooks"]["outlived"] = old["hooks"][PRE[form.harness]][:1]
    new = json.loads(form.installed(json.dumps(old, indent=2), line(form), strict=False))
    assert new == json.loads(form.installed(None, line(form), strict=False))


@every
def test_each_event_is_one_that_its_reader_knows(form: Form) -> None:
    known = READERS[form.harness].EVENTS
    unknown = set(form.events) - set(known)
    assert {name for name in unknown if name.lower() not in known} == set()


@every
def test_each_waits_in_its_own_unit(form: Form) -> None:
    """Hooks, case 11.3/28: milliseconds where seconds are read hang for half an hour."""
    scale = 1000 if form.harness == "gemini" else 1
    key = "timeoutSec" if form.harness == "copilot" else "timeout"
    for event, waits in form.events.items():
        handler = form.handler(event, line(form), False)
        assert handler[key] == waits
        assert 1 <= waits / scale <= 60
        assert waits / scale <= 3 or form.harness != "codex" or event != "SessionEnd"


@every
def test_strict_touches_the_event_before_a_tool_alone(form: Form) -> None:
    """Hooks, case 11.3/32: a turn's end that refuses goes round for ever."""
    for event in form.events:
        plain = form.entry(event, line(form), strict=False)
        strict = form.entry(event, line(form), strict=True)
        assert (plain != strict) == (event == PRE[form.harness])
        for entry in (plain, strict):
            handler = entry["hooks"][0] if form.is_grouped else entry
            assert is_ours(handler[form.key], form.harness)


@every
def test_similar_commands_of_others_are_not_ours(form: Form) -> None:
    entry = form.entry(PRE[form.harness], line(form), strict=False)
    handler = entry["hooks"][0] if form.is_grouped else entry
    for command in (f"{line(form)} --other", "'/x/hooks/gate' emacs", "hooks/gate", 7, None):
        handler[form.key] = command
        text = json.dumps({"version": 1, "hooks": {PRE[form.harness]: [entry, 7, {}]}})
        assert form.state(text, line(form), strict=False) == ABSENT
        assert form.removed(text) == text


@every
@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ('{\n  "hooks": [],\n}', 2, "`hooks` must be an object"),
        ('{\n"hooks": {\n"PRE": {}}}', 3, "must be an array"),
        ("[]", 1, "the settings must be an object"),
        ('{\n  "hooks": {"PRE": [', 2, "the file ends"),
    ],
)
def test_what_cannot_be_understood_is_refused(
    form: Form, text: str, number: int, words: str
) -> None:
    with pytest.raises(JsonError) as caught:
        form.installed(text_for(form, text), line(form), strict=False)
    assert (caught.value.line, words in str(caught.value)) == (number, True)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
_entries = st.lists(_values, max_size=2)
_files = st.fixed_dictionaries(
    {"version": st.just(1)},
    optional={
        "hooks": st.dictionaries(
            st.sampled_from([*PRE.values(), "stop", "Stop", "other"]), _entries, max_size=3
        ),
        "more": _values,
    },
)


@given(
    st.sampled_from(FORMS),
    _files,
    st.sampled_from([None, 1, 2, 4, "\t"]),
    st.booleans(),
    st.sampled_from(["", "\n", "\n\n"]),
    st.booleans(),
)
def test_any_file_in_any_layout(
    form: Form, value: Any, layout: Any, crlf: bool, tail: str, strict: bool
) -> None:
    text = json.dumps(value, indent=layout) + tail
    text = text.replace("\n", "\r\n") if crlf else text
    with_ours = form.installed(text, line(form), strict=strict)
    assert form.installed(with_ours, line(form), strict=strict) == with_ours
    assert form.removed(with_ours) == text
