"""The texts that End leaves behind: nothing that people wrote goes, nothing is written twice."""

from __future__ import annotations

import pytest

from plastic.rules.end.text import follow_up, one_line, open_items, stamp, stamp_line, tail
from plastic.rules.intent.artifacts import real

LINE = stamp_line("delivered", "2026-11-30", "", "Merged into main as abc")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # an empty section, what people hoped for, a comment, no section, CR LF, the last line open
        (
            "# T\n\n## Outcome\n\n## Insights\n",
            f"# T\n\n## Outcome\n\n{LINE}\n\n## Insights\n",
        ),
        (
            "## Outcome\n\nCarts are baskets.\n\n## Links\n",
            f"## Outcome\n\nCarts are baskets.\n\n{LINE}\n\n## Links\n",
        ),
        (
            "## Outcome\n\n<!-- What will be true. -->\n\n## Insights\n\nx\n",
            f"## Outcome\n\n<!-- What will be true. -->\n\n{LINE}\n\n## Insights\n\nx\n",
        ),
        ("## Intent\n\nx\n", "## Intent\n\nx\n"),
        ("## Outcome\r\n\r\nx\r\n", f"## Outcome\r\n\r\nx\r\n\r\n{LINE}\r\n"),
        ("## Outcome", f"## Outcome\n\n{LINE}\n"),
        ("## Outcome\nx\n## Links\n", f"## Outcome\nx\n\n{LINE}\n\n## Links\n"),
    ],
)
def test_the_stamp_stands_last_in_outcome(before: str, after: str) -> None:
    assert stamp(before, LINE) == after
    assert stamp(after, LINE) == after


def test_a_fenced_heading_is_no_section() -> None:
    text = "```\n## Outcome\n```\n"
    assert stamp(text, LINE) == text


def test_a_note_is_one_line() -> None:
    assert one_line("  two\nlines\tand \x1b[31mred\u2028 ") == "two lines and [31mred"
    assert tail("2026-11-30", "late") == "2026-11-30 \u2014 late"
    assert tail("2026-11-30", "") == "2026-11-30"
    assert stamp_line("abandoned", "2026-11-30", "Too dear.", "") == (
        "Abandoned 2026-11-30. Too dear. See [outcome.md](outcome.md)."
    )


def test_open_boxes_become_follow_ups_once() -> None:
    """Case 9.10/211: an abandoned intent says what it leaves undone."""
    boxes = "- [x] done\n  * [ ] deep one\n1. [ ] numbered\n```\n- [ ] shown\n```\n- [ ] \n"
    items = open_items(boxes)
    assert items == ["- [ ] deep one", "- [ ] numbered"]
    outcome = "---\ndisposition: abandoned\n---\n\n# Outcome\n\nToo dear.\n"
    once = follow_up(outcome, items)
    assert once == f"{outcome}\n## Follow-ups\n\n- [ ] deep one\n- [ ] numbered\n"
    assert follow_up(once, items) == once
    assert real(once)
    assert follow_up(outcome, []) == outcome


def test_follow_ups_that_people_wrote_stay() -> None:
    text = "## Follow-ups\n\n- [ ] mine\n\n## Verification\n\nran\n"
    found = follow_up(text, ["- [ ] mine", "- [ ] new"])
    assert found == "## Follow-ups\n\n- [ ] mine\n- [ ] new\n\n## Verification\n\nran\n"
