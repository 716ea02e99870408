"""Adding to JSON text and removing from it changes no other byte, and one undoes the other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.jsontext import JsonError, Node, add, read, remove, replace


def root(text: str) -> Node:
    node = read(text)
    assert node is not None
    return node


def without_last(text: str) -> str:
    node = root(text)
    return remove(text, node, len(node.children) - 1)


# before, after `add(…, 9)` (arrays) or `add(…, 9, "k")` (objects)
ADDED = [
    ("[]", "[9]"),
    ("[ ]", "[9 ]"),
    ("[\n]", "[9\n]"),
    ("[ // none\n]", "[9 // none\n]"),
    ("{}", '{"k": 9}'),
    ("[1]", "[1, 9]"),
    ("[1 ]", "[1, 9 ]"),
    ("[1,]", "[1, 9,]"),
    ("[1, ]", "[1, 9, ]"),
    ("[\n  1\n]", "[\n  1,\n  9\n]"),
    ("[\n  1,\n]", "[\n  1,\n  9,\n]"),
    ("[\r\n\t1\r\n]", "[\r\n\t1,\r\n\t9\r\n]"),
    ("[\n  1 // one\n]", "[\n  1, // one\n  9\n]"),
    ("[\n  1 // one  \n]", "[\n  1, // one  \n  9\n]"),
    ("[\n  1, // one\n]", "[\n  1, // one\n  9,\n]"),
    ("[\n  1 /* a */ /* b */\n]", "[\n  1, /* a */ /* b */\n  9\n]"),
    ("[\n  1\n  // end\n]", "[\n  1,\n  9\n  // end\n]"),
    ("[\n  1]", "[\n  1,\n  9]"),
    ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "k": 9\n}'),
    ('\ufeff{"a":1}', '\ufeff{"a":1, "k": 9}'),
    ('// top\n{"a":1}// end', '// top\n{"a":1, "k": 9}// end'),
    ('["// no comment", "]"]', '["// no comment", "]", 9]'),
]


@pytest.mark.parametrize(("before", "after"), ADDED)
def test_one_more_element_and_back(before: str, after: str) -> None:
    node = root(before)
    assert add(before, node, 9, "k" if node.kind == "object" else None) == after
    assert without_last(after) == before


# before, index, after
REMOVED = [
    ("[1, 2, 3]", 0, "[2, 3]"),
    ("[1, 2, 3]", 1, "[1, 3]"),
    ("[1, 2, 3]", 2, "[1, 2]"),
    ("[\n  1,\n  2,\n  3\n]", 0, "[\n  2,\n  3\n]"),
    ("[\n  1,\n  2,\n  3\n]", 1, "[\n  1,\n  3\n]"),
    ("[\n  1,\n  2, // two\n  3\n]", 2, "[\n  1,\n  2 // two\n]"),
    ("[\n  // of one\n  1,\n  2\n]", 0, "[\n  // of one\n  2\n]"),
    ("[1,]", 0, "[]"),
    ('{"a": 1 , "b": 2}', 1, '{"a": 1 }'),
]


@pytest.mark.parametrize(("before", "index", "after"), REMOVED)
def test_one_element_less(before: str, index: int, after: str) -> None:
    assert remove(before, root(before), index) == after


# text, line, words
BROKEN = [
    ("{", 1, "the file ends before the '}' of line 1"),
    ('{\n"a": [1,\n', 3, "the file ends before the ']' of line 2"),
    ('{"a" 1}', 1, "expected ':' after a key"),
    ("{a: 1}", 1, "expected a key in double quotes, not 'a'"),
    ("{'a': 1}", 1, "expected a key in double quotes"),
    ("[1 2]", 1, "expected ',' or ']', not '2'"),
    ("[1,,2]", 1, "unexpected ','"),
    ('["a\n"]', 1, "invalid control character"),
    ('{"a": "unfinished', 1, "unterminated string"),
    ("{} x", 1, "unexpected 'x' after the end"),
    ("\n\n/* never", 3, "a comment that never ends"),
    ('{"a":', 1, "the file ends too early"),
    ("[" * 100, 1, "nested too deeply"),
    ("nul", 1, "unexpected 'n'"),
    ('{"a": tru}', 1, "unexpected 't'"),
]


@pytest.mark.parametrize(("text", "line", "words"), BROKEN)
def test_where_a_text_stops_being_json(text: str, line: int, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        read(text)
    assert caught.value.line == line
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "// only\n", "/* only */", "\r\n"])
def test_space_and_comments_alone_are_no_value(text: str) -> None:
    assert read(text) is None


def test_the_last_of_two_equal_keys_counts() -> None:
    member = root('{"a": 1, "a": 2}').member("a")
    assert member is not None
    assert member.value == 2
    assert root("[1]").member("a") is None


def test_a_value_is_replaced_in_its_place() -> None:
    text = '{\n  "a": {"x": 1}, // mine\n  "b": 2\n}'
    member = root(text).member("a")
    assert member is not None
    assert replace(text, member, {"y": [1]}) == (
        '{\n  "a": {\n    "y": [\n      1\n    ]\n  }, // mine\n  "b": 2\n}'
    )


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)
_layout = st.sampled_from([None, 0, 1, 2, 4, "\t"])


@given(_json)
def test_every_json_text_is_read_as_json_reads_it(value: Any) -> None:
    for layout in (None, 2, "\t"):
        assert root(json.dumps(value, indent=layout, ensure_ascii=False)).value == value


@given(
    st.lists(_json, max_size=4) | st.dictionaries(st.text(max_size=4), _json, max_size=4),
    _json,
    _layout,
    st.sampled_from(["", "\n", "\r\n", "  ", " // end", "\n// end\n"]),
    st.booleans(),
)
def test_adding_and_removing_are_inverse(
    value: Any, more: Any, layout: Any, tail: str, crlf: bool
) -> None:
    text = json.dumps(value, indent=layout) + tail
    if crlf:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    is_object = isinstance(value, dict)
    grown = add(text, root(text), more, "the key" if is_object else None)
    found = root(grown).value
    assert found == ({**value, "the key": more} if is_object else [*value, more])
    assert without_last(grown) == text


_pieces = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"a"',
        '"',
        "1",
        " ",
        "\n",
        "//",
        "/*",
        "*/",
        "x",
        "\\",
        "\ufeff",
    ]
)


@given(st.lists(_pieces, max_size=14))
def test_any_text_is_read_or_refused(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        node = read(text)
    except JsonError as error:
        node = None
        assert 1 <= error.line <= text.count("\n") + 1  # noqa: PT017 - one or the other
    assert node is None or node.start < node.end <= len(text)
