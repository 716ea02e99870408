"""The text that a write will leave, simulated as the tool does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plastic.words import Change
from plastic.work.gate.result import result
from plastic.work.gate.sight import Written

if TYPE_CHECKING:
    from pathlib import Path


def after(path: Path, change: Change) -> str | None:
    return result(Written(change, str(path), None))[1]


@pytest.mark.parametrize(
    ("before", "edits", "text"),
    [
        ("a b a", [("a", "c", False)], "c b a"),
        ("a b a", [("a", "c", True)], "c b c"),
        ("a", [("a", "b", False), ("b", "c", False)], "c"),
        ("a", [("x", "y", False)], None),
        ("a", [("a", "b", False), ("a", "c", False)], None),
        ("a", [("", "y", False)], None),
        ("", [("", "new", False)], "new"),
        (None, [("", "new", False)], "new"),
        (None, [("a", "b", False)], None),
        ("a\r\nb\r\n", [("a\nb", "c", False)], "c\n"),
        ("a\r\nb\r\n", [("b", "c", False)], "a\r\nc\r\n"),
        ("a", [], None),
    ],
)
def test_edits(
    tmp_path: Path, before: str | None, edits: list[tuple[str, str, bool]], text: str | None
) -> None:
    path = tmp_path / "a.md"
    if before is not None:
        path.write_bytes(before.encode())
    assert after(path, Change(str(path), edits=edits)) == text


def test_whole_content_wins(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    change = Change(str(path), content="", edits=[("old", "new", False)])
    assert result(Written(change, str(path), None)) == ("old", "")


def test_a_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert result(Written(Change(str(tmp_path)), str(tmp_path), None)) == (None, None)
    odd = tmp_path / "a.md"
    odd.write_bytes(b"\xff\n")
    assert after(odd, Change(str(odd), edits=[("\n", "!", False)])) == "\udcff!"
