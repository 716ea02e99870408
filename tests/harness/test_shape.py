"""The small readers that all harnesses share."""

from __future__ import annotations

import pytest

from plastic.harness import shape
from plastic.words import ALLOW, ToolUse, Verdict


def test_the_first_text_counts() -> None:
    assert shape.text({"a": 1, "b": "", "c": "x", "d": "y"}, "a", "b", "c", "d") == "x"
    assert shape.text({}, "a") == ""


@pytest.mark.parametrize(
    ("path", "full"), [("a", "/w/a"), ("/x", "/x"), ("~/x", "~/x"), ("../x", "/w/../x")]
)
def test_paths(path: str, full: str) -> None:
    assert shape.absolute("/w/", path) == full


@pytest.mark.parametrize(
    ("value", "unit", "seconds"),
    [
        (5, 1.0, 5),
        (5000, 1000.0, 5),
        *((odd, 1.0, None) for odd in (0, -1, True, "5", None, 1e300, float("nan"))),
    ],
)
def test_timeouts(value: object, unit: float, seconds: float | None) -> None:
    assert shape.seconds(value, unit) == seconds


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ({"o": "a", "n": "b"}, [("a", "b", False)]),
        ([{"o": "a", "n": "b", "all": True}], [("a", "b", True)]),
        ([{"o": "a", "n": "b"}, {"o": 1}], []),
        ([None], []),
        (None, []),
        ([], []),
    ],
)
def test_replacements(items: object, found: list[object]) -> None:
    assert shape.replacements(items, "o", "n", "all") == found


def test_a_patch_fills_a_use() -> None:
    use = ToolUse("codex", "pre", "s", "/w", "apply_patch")
    shape.patch(use, "*** Add File: a\n+x\n*** Delete File: /b\n")
    assert [(one.op, one.path, one.content) for one in use.changes] == [
        ("write", "/w/a", "x\n"),
        ("remove", "/b", None),
    ]


def test_an_undescribed_tool_is_guessed() -> None:
    use = ToolUse("codex", "pre", "s", "/w", "mcp__fs__move_file")
    shape.guess(use, {"source": "a", "destination": "b"})
    assert [(one.op, one.path) for one in use.changes] == [("remove", "/w/a"), ("write", "/w/b")]
    reader = ToolUse("codex", "pre", "s", "/w", "mcp__fs__read_file")
    shape.guess(reader, {"path": "a"})
    assert (reader.reads, reader.changes) == (True, [])


def test_what_the_agent_is_told() -> None:
    assert shape.told(ALLOW) == ""
    assert shape.told(Verdict("allow", context="C")) == "C"
    assert shape.told(Verdict("advise", reason="R", run="plastic start 1", context="C")) == (
        "R\nrun: plastic start 1\nC"
    )


def test_a_line_or_silence() -> None:
    assert shape.line({}) == b""
    assert shape.line({"a": "\u00e9"}).endswith(b"}\n")
