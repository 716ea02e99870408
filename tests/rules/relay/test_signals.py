"""The grammar of signals: cases 19, 21, 27 and 28, and that no text at all makes it fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.relay.signals import KINDS, MOST, NONE, Signal, agreed, checked, parse, render

TAG = render("hand-off", "r1", "go on")
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="<>\r"), min_size=1, max_size=40
).filter(lambda text: text.strip("\n") == text and text.strip() != "")

CASES = [
    ("no tag", "all is well", NONE),
    ("one tag", f"done here\n{TAG}\n\n", Signal("hand-off", "go on")),
    ("19: in a fence", f"```\n{TAG}\n```", NONE),
    ("19: in a quote", "\n".join(f"> {line}" for line in TAG.split("\n")), NONE),
    ("21: two", f"{TAG}\n{TAG}", Signal("malformed", "more than one")),
    ("27: blank", render("hand-off", "r1", "  "), Signal("malformed", "empty")),
    ("28: another relay", render("done", "r2", "x"), Signal("malformed", "id")),
    ("kind", render("finish", "r1", "x"), Signal("malformed", "kind")),
    ("unclosed", '<relay kind="done" id="r1">\nx', Signal("malformed", "unclosed")),
    ("prose after it", f"{TAG}\nbye", Signal("malformed", "not the last thing said")),
    ("pause without question", render("pause", "r1", ""), Signal("malformed", "empty")),
    ("done without summary", render("done", "r1", ""), Signal("done", "")),
]


@pytest.mark.parametrize(
    ("text", "wanted"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_a_message_is_read_as_the_table_says(text: str, wanted: Signal) -> None:
    assert parse(text, "r1") == wanted


def test_a_payload_has_a_limit() -> None:
    assert checked("done", "x" * MOST) == Signal("done", "x" * MOST)
    assert checked("done", "x" * (MOST + 1)) == Signal("malformed", "too large")


def test_two_channels_agree_or_are_malformed() -> None:
    one, other = Signal("done", "x"), Signal("stop", "y")
    assert agreed((), one) == one
    assert agreed((one,), NONE) == one
    assert agreed((Signal("done", "first"), one), one) == one
    assert agreed((one, other), NONE) == Signal("malformed", "more than one")
    assert agreed((one,), other) == Signal("malformed", "conflict")


@given(st.text())
def test_parsing_never_raises(text: str) -> None:
    assert parse(text, "r1").kind in (*KINDS, "none", "malformed")
    assert parse(f"<relay{text}", "r1").kind in (*KINDS, "none", "malformed")


@given(st.sampled_from(KINDS), WORDS)
def test_what_is_rendered_is_read_back_and_never_another_kind(kind: str, text: str) -> None:
    tag = render(kind, "r1", text)
    assert parse(tag, "r1") == Signal(kind, text)
    for end in range(len(tag)):
        assert parse(tag[:end], "r1").kind in ("none", "malformed")
    assert parse(f"~~~~\n{tag}\n~~~~", "r1") == NONE
