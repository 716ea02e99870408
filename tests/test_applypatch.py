"""The text of `apply_patch`: what it names and what a file will say, in every odd spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.applypatch import changes

B, E = "*** Begin Patch\n", "*** End Patch\n"
# Text -> (op, path) of what it names.
NAMED: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("add", f"{B}*** Add File: a/b.py\n+x\n{E}", [("write", "a/b.py")]),
    ("delete", f"{B}*** Delete File: a\n{E}", [("remove", "a")]),
    ("update", f"{B}*** Update File: a\n@@\n-x\n+y\n{E}", [("write", "a")]),
    (
        "move",
        f"{B}*** Update File: a\n*** Move to: d/b\n@@\n-x\n+y\n{E}",
        [("remove", "a"), ("write", "d/b")],
    ),
    (
        "a move that changes nothing",
        f"{B}*** Update File: a\n*** Move to: b\n{E}",
        [("remove", "a"), ("write", "b")],
    ),
    (
        "several",
        f"{B}*** Add File: a\n+x\n*** Delete File: b\n*** Update File: c\n@@\n-x\n+y\n{E}",
        [("write", "a"), ("remove", "b"), ("write", "c")],
    ),
    ("no begin, no end", "*** Add File: a\n+x", [("write", "a")]),
    ("line ends of Windows", "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n", [("write", "a")]),
    ("another machine", f"{B}*** Environment ID: box\n*** Add File: a\n+x\n{E}", [("write", "a")]),
    ("blanks before and behind", f"{B}  *** Add File:   a b  \n+x\n{E}", [("write", "a b")]),
    ("no blank at all", "*** Delete File:a\n", [("remove", "a")]),
    ("absolute", "*** Delete File: /etc/a\n", [("remove", "/etc/a")]),
    ("in quotes", '*** Delete File: "a b"\n', [("remove", '"a b"'), ("remove", "a b")]),
    (
        "blank lines between",
        "*** Delete File: a\n\n\n*** Delete File: b\n",
        [("remove", "a"), ("remove", "b")],
    ),
    ("wrapped in a here-document", f"<<'EOF'\n{B}*** Add File: a\n+x\n{E}EOF\n", [("write", "a")]),
    ("a header as content", "*** Add File: a\n+*** Delete File: b\n", [("write", "a")]),
    (
        "a header as context",
        "*** Update File: a\n@@\n *** Delete File: b\n-x\n+y\n",
        [("write", "a")],
    ),
    ("no path", "*** Add File:\n+x\n", []),
    ("nothing", "", []),
    ("a diff of another kind", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", []),
]


@pytest.mark.parametrize(("case", "text", "named"), NAMED, ids=[one[0] for one in NAMED])
def test_what_it_names(case: str, text: str, named: list[tuple[str, str]]) -> None:
    assert [(one.op, one.path) for one in changes(text)] == named, case


def test_a_new_file_is_known() -> None:
    (one,) = changes(f"{B}*** Add File: a\n+x\n+\n+y\n{E}")
    assert (one.content, one.edits) == ("x\n\ny\n", [])
    (empty,) = changes("*** Add File: a\n")
    assert empty.content == ""


def test_hunks_are_replacements_of_whole_lines() -> None:
    text = "*** Update File: a\n@@\n top\n-x\n+y\n+z\n end\n@@\n-gone\n*** End of File\n"
    (one,) = changes(text)
    assert one.content is None
    assert one.edits == [("top\nx\nend\n", "top\ny\nz\nend\n", False), ("gone\n", "", False)]


def test_the_first_hunk_needs_no_mark() -> None:
    (one,) = changes("*** Update File: a\n-x\n+y\n\n*** End Patch\n")
    assert one.edits == [("x\n", "y\n", False)]


@pytest.mark.parametrize(
    "hunk",
    ["@@ def total():\n-x\n+y\n", "@@\n+y\n", "@@\n-x\n+y\n?\n"],
    ids=["anchor", "only new lines", "odd line"],
)
def test_what_depends_on_the_file_is_not_known(hunk: str) -> None:
    (one,) = changes(f"*** Update File: a\n{hunk}")
    assert (one.content, one.edits) == (None, [])


def test_a_move_says_nothing_of_its_target() -> None:
    for one in changes("*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n"):
        assert (one.content, one.edits) == (None, [])


WORDS = st.sampled_from(
    [
        "*** Add File: a",
        "*** Update File: b",
        "*** Delete File: c",
        "*** Move to: d",
        "*** End Patch",
        *("@@", "@@ x", "+y", "-z", " w", "", "?", "***", "*** End of File", "\r"),
    ]
)


@given(st.lists(WORDS, max_size=12))
def test_any_text_is_read(lines: list[str]) -> None:
    """No text breaks it, and every header of a file is found."""
    found = {one.path for one in changes("\n".join(lines))}
    assert {"a", "c"} & found == {line[-1] for line in lines if line[4:7] in ("Add", "Del")}


@given(st.text(max_size=200))
def test_noise_is_read(text: str) -> None:
    changes(text)
