"""The look at the first lines never says anything else than the whole text does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plastic.rules.intent import artifacts
from plastic.rules.intent.artifacts import PLACEHOLDER, Body, box_of, has_box, real

LINES = st.sampled_from(
    [
        "",
        "  ",
        "# Title",
        "#hashtag",
        "text",
        "===",
        "---",
        "- [ ] box",
        "  * [x] box",
        "[link](x)",
        "```",
        "~~~",
        "`code` ``` x",
        "<!-- comment -->",
        "<!-- open",
        "close -->",
        "text <!-- tail -->",
        "> quote",
        "\ufeff",
        "\u00a0",
        "text\r",
        PLACEHOLDER,
        "- - -",
        "\ufefftext",
    ]
)
TEXTS = st.lists(LINES, max_size=9).map("\n".join)


@given(TEXTS, st.sampled_from(["", "\n"]))
@settings(max_examples=500)
def test_real(text: str, end: str) -> None:
    assert real(text + end) is artifacts._real(text + end)


@given(TEXTS)
@settings(max_examples=500)
def test_boxes(text: str) -> None:
    whole = any(box_of(line) != "" for _, line in Body(text).visible())
    assert has_box(text) is whole


@given(TEXTS, st.integers(4080, 4110))
@settings(max_examples=300)
def test_where_the_head_ends(text: str, size: int) -> None:
    for filler in ("#" * size, "# " + "x" * size, "\n" * size):
        long = f"{filler}\n{text}"
        assert real(long) is artifacts._real(long)
        assert has_box(long) is any(box_of(line) != "" for _, line in Body(long).visible())
