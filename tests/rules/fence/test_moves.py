"""What a reference transaction changes, and what only tidies up: the lines as git writes them."""

from __future__ import annotations

import pytest

from plastic.rules.fence.moves import Known, Line, is_change, is_judged, lines

A, B, Z = "a" * 40, "b" * 40, "0" * 40
BRANCH = "refs/heads/x"

# Case: what git does, the line, what the ref says before (loose, packed), whether it changes.
CASES = [
    ("1.4/1 commit", Line(A, B, BRANCH), Known(A, ""), True),
    ("1.4/2 commit on a packed branch", Line(A, B, BRANCH), Known("", A), True),
    ("1.4/3 branch NEW", Line(Z, A, BRANCH), Known("", ""), True),
    ("1.4/4 branch -f says old 0", Line(Z, B, BRANCH), Known(A, ""), True),
    ("1.4/5 branch -D, first call", Line(Z, Z, BRANCH), Known(A, ""), True),
    ("1.4/6 branch -D, packed", Line(Z, Z, BRANCH), Known("", A), True),
    ("1.4/7 deleting nothing", Line(Z, Z, BRANCH), Known("", ""), False),
    ("1.4/8 pack-refs copies", Line(Z, A, BRANCH), Known(A, ""), False),
    ("1.4/9 pack-refs prunes the file", Line(A, Z, BRANCH), Known(A, A), False),
    ("1.4/10 a file that says more than the pack", Line(B, Z, BRANCH), Known(B, A), True),
    ("1.4/11 stash resets to what is there", Line(A, A, "HEAD"), Known(A, ""), False),
    ("1.4/12 a detached commit", Line(A, B, "HEAD"), Known(A, ""), True),
    ("1.4/13 before a merge", Line(A, A, "ORIG_HEAD"), Known(A, ""), True),
    ("1.4/14 a tag", Line(Z, A, "refs/tags/v1"), Known("", ""), True),
    (
        "1.4/15 switch, as newer gits say it",
        Line(Z, "ref:refs/heads/y", "HEAD"),
        Known(A, ""),
        False,
    ),
    ("1.4/16 sha256", Line("a" * 64, "b" * 64, BRANCH), Known("a" * 64, ""), True),
]


@pytest.mark.parametrize(("name", "line", "known", "changes"), CASES, ids=[one[0] for one in CASES])
def test_lines(name: str, line: Line, known: Known, changes: bool) -> None:
    assert is_change(line, known) is changes


@pytest.mark.parametrize(
    ("ref", "judged"),
    [
        ("refs/heads/x", True),
        ("refs/tags/x", True),
        ("refs/stash", True),
        ("HEAD", True),
        ("ORIG_HEAD", True),
        ("refs/remotes/origin/x", False),
        ("refs/plastic/fence/12", False),
        ("refs/plastic/salvage/12/3", False),
        ("refs/notes/commits", False),
        ("CHERRY_PICK_HEAD", False),
    ],
)
def test_which_refs_are_judged(ref: str, judged: bool) -> None:
    assert is_judged(ref) is judged
    assert [one.ref for one in lines(f"{Z} {A} {ref}\n")] == ([ref] if judged else [])


def test_lines_that_are_none() -> None:
    assert lines("") == []
    assert lines("nonsense\n\n") == []
