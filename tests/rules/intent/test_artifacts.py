"""When a document is real, and which boxes are open (design 4, cases 9.8/142 and 157)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.artifacts import (
    PLACEHOLDER,
    Body,
    body_lines,
    has_box,
    has_heading,
    heading_of,
    open_boxes,
    real,
    split_lines,
)

# Markdown's own characters, so that random texts hit the rules.
MARKDOWN = st.text(alphabet="-*+#`~<>!=[]() x1.\n\r\t:|a\ufeff\u00a0", max_size=200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("\n \t\n", False),
        (PLACEHOLDER, False),
        (PLACEHOLDER + "\n", False),
        ("\ufeff" + PLACEHOLDER + "\r\n", False),
        (f"  {PLACEHOLDER}  \n\n# Plan\n", False),
        ("# Plan\n\n## Steps\n", False),
        ("Plan\n====\n", False),
        ("<!-- one line -->\n", False),
        ("<!--\nseveral\nlines\n-->\n", False),
        ("<!-- a --> <!-- b\nc -->\n", False),
        ("<!-- never closed\n\nhidden from every reader\n", False),
        ("---\ndisposition: delivered\n---\n", False),
        ("# A\n\n---\n\n***\n", False),
        ("```\n```\n", False),
        ("#no heading, a word\n", True),
        ("####### seven is no heading\n", True),
        ("words\n", True),
        ("<!-- note --> words\n", True),
        ("<!--\nnote\n--> words\n", True),
        ("```\n# a comment in code\n```\n", True),
        ("~~~ sh\nls\n~~~\n", True),
        ("---\ndisposition: delivered\n---\nDone.\n", True),
        ("- [ ] one box\n", True),
        (f"{PLACEHOLDER}\nbut somebody wrote below it\n", True),
        ("---\nno end of front matter\n", True),
        ("text with <!-- a comment\nthat goes on -->\n", True),
    ],
)
def test_real(text: str, expected: bool) -> None:
    assert real(text) is expected


@pytest.mark.parametrize(
    ("text", "count", "boxed"),
    [
        ("", 0, False),
        ("- [ ] a\n- [x] b\n- [X] c\n", 1, True),
        ("* [ ] a\n+ [ ] b\n1. [ ] c\n12) [ ] d\n", 4, True),
        ("      - [ ] deep\n\t* [ ] tab\n", 2, True),
        ("- - [ ] nested\n", 1, True),
        ("> - [ ] quoted\n", 1, True),
        ("- [ ]\n", 1, True),
        ("- [\t] tab\r\n- [\u00a0] hard blank\r\n", 2, True),
        ("```\n- [ ] in a fence\n```\n- [x] done\n", 0, True),
        ("~~~\n- [ ] in a fence\n~~~\n", 0, False),
        ("  ```\n  - [ ] in an indented fence\n  ```\n", 0, False),
        ("````\n```\n- [ ] a shorter fence closes nothing\n````\n", 0, False),
        ("~~~\n```\n- [ ] the other kind closes nothing\n~~~\n", 0, False),
        ("```\n- [ ] a fence that never ends hides nothing\n", 1, True),
        ("``` `x`\n- [ ] not a fence\n``` `x`\n", 1, True),
        ("<!--\n- [ ] in a comment\n-->\n", 0, False),
        ("<!--\n- [ ] a comment that never ends hides nothing\n", 1, True),
        ("- [ ](link) is a link\n- [] is none\n-[ ] neither\nx - [ ] nor this\n", 0, False),
        ("- [-] dropped\n", 0, False),
        ("- [x] all done\n", 0, True),
        ("\u0661. [ ] no list of Markdown\n", 0, False),
    ],
)
def test_open_boxes(text: str, count: int, boxed: bool) -> None:
    """Case 9.8/157: every open box counts, at any indentation and after any bullet."""
    assert open_boxes(text) == count
    assert has_box(text) is boxed


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("## Intent", (2, "Intent")),
        ("## Intent   ", (2, "Intent")),
        ("   ## Intent ##", (2, "Intent")),
        ("##\tIntent", (2, "Intent")),
        ("##", (2, "")),
        ("# C#", (1, "C#")),
        ("    ## code", None),
        ("##Intent", None),
        ("text", None),
        ("####### x", None),
    ],
)
def test_headings(line: str, expected: tuple[int, str] | None) -> None:
    assert heading_of(line) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Intent\n", True),
        ("\ufeff## Intent", True),
        ("x\r\n## Intent  \r\ny", True),
        ("# Intent\n", False),
        ("### Intent\n", False),
        ("## Intentions\n", False),
        ("```\n## Intent\n```\n", False),
        ("<!--\n## Intent\n-->\n", False),
    ],
)
def test_has_heading(text: str, expected: bool) -> None:
    assert has_heading(text, "## Intent") is expected


def test_only_cr_and_lf_end_a_line() -> None:
    assert split_lines("a\r\nb\rc\nd\u2028e\x0bf") == ["a", "b", "c", "d\u2028e\x0bf"]


def test_a_million_fences_are_read_in_one_pass() -> None:
    """Openers that never close must not be searched again and again."""
    assert open_boxes("```x\n" * 100_000 + "- [ ] a\n") == 1
    assert open_boxes("<!-- x\n" * 100_000 + "- [ ] a\n") == 1


@given(MARKDOWN | st.text())
def test_total(text: str) -> None:
    """Any text has an answer, and hiding never invents lines."""
    real(text)
    assert 0 <= open_boxes(text) <= len(split_lines(text))
    assert has_box(text) >= (open_boxes(text) > 0)
    assert len(list(body_lines(text))) <= len(split_lines(text))
    body = Body(text)
    assert len(body.kinds) == len(body.lines) == len(split_lines(text))


@given(MARKDOWN)
def test_a_box_below_any_text_is_either_counted_or_hidden_by_a_closed_fence(text: str) -> None:
    below = text + "\n- [ ] last\n"
    assert open_boxes(below) == open_boxes(text) + 1 or "`" in text or "~" in text or "<!--" in text
