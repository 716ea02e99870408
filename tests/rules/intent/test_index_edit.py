"""The writer of INDEX.md: what it adds is read back, and no other byte changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.index import LIFECYCLE, SECTIONS, read, where
from plastic.rules.intent.index_edit import EMPTY, entry_line, insert, move, skeleton

TITLE = (
    st.text(min_size=1, max_size=40)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: text != "" and not any(ord(one) < 32 for one in text))
)
# Index-like texts with human oddities, made of whole lines.
LINES = st.lists(
    st.sampled_from(
        [
            "# Intents",
            "## Active",
            "## Active  ",
            "## Future",
            "## Clusters",
            "## Completed",
            "## Notes",
            "",
            "prose",
            EMPTY,
            "(no active intents)",
            "- [12 — Tax](p/12)",
            "  * [12 - Tax](p/12) tail",
            "    deeper line",
            "- [13 — Other](p/13)",
            "- [[14--wiki]]",
            "```",
            "## Completed",
            "<!-- note -->",
        ]
    ),
    max_size=25,
)
END = st.sampled_from(["\n", "\r\n"])


def test_skeleton_is_empty_and_complete() -> None:
    text = skeleton("Index of shop")
    assert read(text) == []
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == list(SECTIONS[:5])
    assert text.count(EMPTY) == 5


def test_a_life_from_future_to_completed() -> None:
    text = skeleton("Index")
    text = insert(text, "Future", "1", "One", "store/1--one/1--one.md")
    text = insert(text, "Future", "2", "Two", "store/2--two/2--two.md")
    text = move(text, "1", "Active")
    text = move(text, "2", "Active")
    assert text == (
        "# Index\n\n## Active\n\n- [1 — One](store/1--one/1--one.md)\n"
        "- [2 — Two](store/2--two/2--two.md)\n\n## Future\n\n_(none)_\n\n"
        "## Clusters\n\n_(none)_\n\n"
        "## Abandoned\n\n_(none)_\n\n## Completed\n\n_(none)_\n"
    )
    text = move(text, "1", "Completed", "2026-01-01")
    text = move(text, "2", "Completed", "2026-01-02 with a note")
    assert text.endswith(
        "## Completed\n\n- [2 — Two](store/2--two/2--two.md) — 2026-01-02 with a note\n"
        "- [1 — One](store/1--one/1--one.md) — 2026-01-01\n"
    ), "newest first where work is over"
    assert "## Active\n\n_(none)_\n\n## Future" in text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## Active\n\n- [1 — X](p)\n"),
        ("## Active", "## Active\n\n- [1 — X](p)\n"),
        ("## Active\n", "## Active\n\n- [1 — X](p)\n"),
        ("## Active\n\n", "## Active\n\n- [1 — X](p)\n"),
        ("## Active\n## Future\n", "## Active\n\n- [1 — X](p)\n\n## Future\n"),
        ("## Active\n\n_(none)_\n\n## Future\n", "## Active\n\n- [1 — X](p)\n\n## Future\n"),
        ("## Active\n(no active intents)\n", "## Active\n- [1 — X](p)\n"),
        ("## Active\n\n_(None yet)_", "## Active\n\n- [1 — X](p)\n"),
        ("## Active\nprose\n", "## Active\nprose\n\n- [1 — X](p)\n"),
        ("## Active\n(see the wiki)\n", "## Active\n(see the wiki)\n\n- [1 — X](p)\n"),
        ("## Active\n- [2 — Y](q)", "## Active\n- [2 — Y](q)\n- [1 — X](p)\n"),
        (
            "## Active\n* [2 — Y](q)\n    more\n\nprose\n",
            "## Active\n* [2 — Y](q)\n    more\n- [1 — X](p)\n\nprose\n",
        ),
        ("## Future\r\n\r\nx\r\n", "## Future\r\n\r\nx\r\n\r\n## Active\r\n\r\n- [1 — X](p)\r\n"),
        ("\ufeff## Active\r\n", "\ufeff## Active\r\n\r\n- [1 — X](p)\r\n"),
        ("```\n## Active\n```\n", "```\n## Active\n```\n\n## Active\n\n- [1 — X](p)\n"),
        ("## Active\n- [1 — Y](q)\n", "## Active\n- [1 — Y](q)\n"),
    ],
)
def test_insert(before: str, after: str) -> None:
    assert insert(before, "Active", "1", "X", "p") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (  # what belongs to the entry travels with it, at its new depth
            "## Active\n  - [1 — X](p)\n    why\n- [2 — Y](q)\n## Completed\n- [3 — Z](r)\n",
            "## Active\n- [2 — Y](q)\n## Completed\n- [1 — X](p) — D\n  why\n- [3 — Z](r)\n",
        ),
        (  # every duplicate moves; equal ones become one
            "## Active\n- [1 — X](p)\n- [1 — X](p)\n- [1 — X](p) n\n## Completed\n",
            "## Active\n_(none)_\n## Completed\n\n- [1 — X](p) — D\n- [1 — X](p)\n- [1 — X](p) n\n",
        ),
        (  # it stands there already: only what people added travels
            "## Active\n- [1 — X](p)\n## Completed\n- [1 — X](p) — 2026\n",
            "## Active\n_(none)_\n## Completed\n- [1 — X](p) — 2026\n",
        ),
        (  # clusters group, they do not decide
            "## Active\n- [1 — X](p)\n## Clusters\n- [1 — X](p)\n## Completed\n",
            "## Active\n_(none)_\n## Clusters\n- [1 — X](p)\n## Completed\n\n- [1 — X](p) — D\n",
        ),
        ("## Active\n- [2 — Y](q)\n", "## Active\n- [2 — Y](q)\n"),
        ("## Completed\n- [1 — X](p)\n", "## Completed\n- [1 — X](p)\n"),
        (
            "## Active\r\n* [[1--x]]\r\n\r\nprose stays\r\n",
            "## Active\r\n\r\nprose stays\r\n\r\n## Completed\r\n\r\n* [[1--x]] — D\r\n",
        ),
    ],
)
def test_move(before: str, after: str) -> None:
    assert move(before, "1", "Completed", "D") == after


@given(LINES, END, st.booleans(), st.sampled_from(LIFECYCLE), TITLE)
def test_what_is_inserted_is_found(
    lines: list[str], end: str, last: bool, section: str, title: str
) -> None:
    text = end.join(lines) + (end if last else "")
    added = insert(text, section, "77", title, "store/77--x/77--x.md")
    found = [one for one in read(added) if one.id == "77"]
    assert [(one.section, one.path) for one in found] == [(section, "store/77--x/77--x.md")]
    assert (
        found[0].title == title
        or title[0] in "*_~-\u2014\u2013\u2012\u2015\u2212"
        or (title != title.strip("*_~` \t\u00a0"))
    )
    assert insert(added, section, "77", title, "p") == added


def test_a_none_that_is_an_example_is_no_place_for_an_entry() -> None:
    before = "## Future\n```\n_(none)_\n```\n## Active\n- [12 — Tax](p/12)\n"
    assert "```\n_(none)_\n```\n\n- [12 " in move(before, "12", "Future")


def test_notes_below_an_entry_that_stands_there_already_travel() -> None:
    before = "## Future\n\n- [1 — X](p)\n  a note\n\n## Active\n\n- [1 — X](p)\n"
    after = move(before, "1", "Active")
    assert "a note" in after.split("## Active")[1]
    assert "[1 " not in after.split("## Active")[0]


@given(LINES, END, st.sampled_from(LIFECYCLE))
def test_moving_keeps_every_other_line(lines: list[str], end: str, section: str) -> None:
    text = end.join(lines) + end
    moved = move(text, "12", section, "tail")
    before = [one for one in read(text) if one.id == "12" and one.section in LIFECYCLE]
    if not before:
        assert moved == text
        return
    assert where(moved, "12") == section
    after = [one for one in read(moved) if one.id == "12" and one.section in LIFECYCLE]
    assert {one.section for one in after} == {section}

    def others(page: str) -> list[str]:
        gone = ("", EMPTY, "(no active intents)", f"## {section}")
        kept = [line.strip() for line in page.split(end)]
        return sorted(line for line in kept if "[12 " not in line and line not in gone)

    assert others(moved) == others(text)
    assert move(moved, "12", section, "tail") == moved


@given(st.text(alphabet="#-[]() 12—X\n\r\u2028\x0c*`~<!>", max_size=200))
def test_any_text_can_be_edited(text: str) -> None:
    assert where(insert(text, "Active", "77", "X", "p"), "77") == "Active"
    for one in ("1", "12"):
        moved = move(text, one, "Completed", "D")
        assert where(moved, one) in (None, "Completed", "Clusters")


def test_a_title_cannot_break_out_of_its_line() -> None:
    hostile = "](evil) [x](y) \\"
    text = insert(skeleton("Index"), "Active", "1", hostile, "p")
    assert [(one.title, one.path) for one in read(text)] == [(hostile, "p")]
    assert entry_line("1", "a", "p", "D") == "- [1 — a](p) — D"
