"""quickjson answers as json does: for every value, every malformed text, every odd byte."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plastic.quickjson import dumps, loads

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
PIECES = ["{", "}", "[", "]", ":", ",", '"', "\\", "\\u", "d800", "\\ud800\\udc00", "1", "-", "e9"]
PIECES += ["null", "true", "NaN", "Infinity", " ", "\n", "\t", "\x0b", "\ufeff", "a", "\x00", "0x"]


def both(data: bytes | str) -> tuple[object, object]:
    """What json and we say: the value's repr, or that it is no JSON."""

    def told(read: Any) -> object:
        try:
            return repr(read(data))
        except (ValueError, RecursionError):
            return "no JSON"

    return told(loads), told(json.loads)


@given(VALUES)
def test_every_value_comes_back(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=2)):
        ours, theirs = both(text)
        assert ours == theirs


@given(VALUES)
def test_what_we_write_json_reads(value: Any) -> None:
    assert json.loads(dumps(value)) == value


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=400)
def test_malformed_text_is_refused_alike(text: str) -> None:
    ours, theirs = both(text)
    assert ours == theirs


@given(st.binary(max_size=60))
def test_any_bytes_are_answered_alike(data: bytes) -> None:
    ours, theirs = both(data)
    assert ours == theirs


@given(VALUES, st.integers(0, 200), st.sampled_from(["cut", "twice", "drop"]))
def test_damaged_json_is_refused_alike(value: Any, place: int, how: str) -> None:
    text = json.dumps(value)
    place %= len(text) + 1
    damaged = {"cut": text[:place], "twice": text + text, "drop": text[:place] + text[place + 1 :]}
    ours, theirs = both(damaged[how])
    assert ours == theirs


@pytest.mark.parametrize(
    "text", ["", " ", "{", "[", '"', "[1,]", "{}x", '{"a":1,}', "nul", "\ufeff{}", "[" * 99_999]
)
def test_known_traps(text: str) -> None:
    """The bare C scanner ends some of these with SystemError or StopIteration."""
    with pytest.raises(ValueError, match=r"."):
        loads(text)


def test_lone_surrogates_and_numbers_survive() -> None:
    assert loads('"\\ud800"') == "\ud800"
    assert loads('{"a": 1e400, "b": -0.0}') == {"a": math.inf, "b": -0.0}
    assert json.loads(dumps({"a": "\ud800\n\u2028"})) == {"a": "\ud800\n\u2028"}
    assert loads(b"\xef\xbb\xbf{}".decode("utf-8-sig")) == {}
