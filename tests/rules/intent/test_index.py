"""The one tolerant reader of INDEX.md (case 9.7/128)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.index import SECTIONS, entries, escape, read, sections, unescape, where

CANONICAL = """# Intents of shop

## Active

- [12 — Tax rate](store/12--tax-rate/12--tax-rate.md)

## Future

_(none)_

## Clusters

- [12 — Tax rate](store/12--tax-rate/12--tax-rate.md)

## Completed

- [3 — Old](store/3--old/3--old.md) — 2026-01-02
"""


def variants() -> list[tuple[str, str]]:
    """One thing changed at a time; the answer must be that of the canonical text."""
    entry = "- [12 — Tax rate](store/12--tax-rate/12--tax-rate.md)"
    swap = CANONICAL.replace
    return [
        ("canonical", CANONICAL),
        ("blanks behind the heading", swap("## Active", "## Active  \t")),
        ("hard blank behind the heading", swap("## Active", "## Active\u00a0")),
        ("closing hashes", swap("## Active", "## Active ##")),
        ("colon", swap("## Active", "## Active:")),
        ("case", swap("## Active", "## ACTIVE")),
        ("indented heading", swap("## Active", "  ## Active")),
        ("indented bullet", swap(entry, "   " + entry)),
        ("tab-indented bullet", swap(entry, "\t" + entry)),
        ("star", swap(entry, "*" + entry[1:])),
        ("plus", swap(entry, "+" + entry[1:])),
        ("wide bullet", swap(entry, "-   " + entry[2:])),
        ("CRLF", swap("\n", "\r\n")),
        ("CR", swap("\n", "\r")),
        ("BOM", "\ufeff" + CANONICAL),
        ("BOM before the section", "\ufeff" + CANONICAL.partition("\n\n")[2]),
        ("hyphen", swap("12 — Tax", "12 - Tax")),
        ("two hyphens", swap("12 — Tax", "12 -- Tax")),
        ("en dash", swap("12 — Tax", "12 \u2013 Tax")),
        ("em dash without blanks", swap("12 — Tax", "12—Tax")),
        ("bold", swap(entry, f"- **{entry[2:]}**")),
        ("box", swap(entry, f"- [ ] {entry[2:]}")),
        ("ticked box", swap(entry, f"- [x] {entry[2:]}")),
        ("angle brackets", swap("(store/12--tax-rate/12--tax-rate.md)", "(<store/12--tax-rate>)")),
        ("wiki link", swap(entry, "- [[12--tax-rate]]")),
        ("wiki link with a label", swap(entry, "- [[store/12--tax-rate|12 — Tax rate]]")),
        ("wiki link of a file", swap(entry, "- [[store/12--tax-rate/12--tax-rate.md]]")),
        ("wiki link of a title", swap(entry, "- [[12 — Tax rate]]")),
        ("title without id", swap("12 — Tax rate", "Tax rate")),
        ("only the id", swap("12 — Tax rate", "12")),
        ("brackets in the title", swap("Tax rate", r"Tax \[rate\] (net)")),
        ("a tail", swap(entry, entry + " — since Monday")),
        ("a heading in a fence above", swap("## Active\n", "## Active\n\n```\n## Future\n```\n")),
        (
            "a heading in a tilde fence",
            swap("## Active\n", "## Active\n\n~~~ md\n## Future\n~~~\n"),
        ),
        ("a heading in a comment", swap("## Active\n", "## Active\n\n<!--\n## Future\n-->\n")),
        ("an entry in a fence below", CANONICAL + "\n```\n## Active\n- [77 — X](x)\n```\n"),
        ("a stray fence above", swap("## Active\n", "```\n\n## Active\n")),
        ("a stray comment above", swap("## Active\n", "<!-- note\n\n## Active\n")),
        ("a deeper heading", swap("## Active\n", "## Active\n\n### This week\n")),
        ("no final newline", CANONICAL.rstrip("\n")),
        ("prose around it", swap(entry, f"Now:\n{entry}\n  more about it")),
        ("listed as completed too", CANONICAL + entry + "\n"),
        ("twice Active", CANONICAL + "\n## Active\n\n- [99 — Y](y)\n"),
    ]


@pytest.mark.parametrize(("name", "text"), variants(), ids=[name for name, _ in variants()])
def test_odd_shapes_read_as_the_canonical_one(name: str, text: str) -> None:
    """Case 9.7/128: an odd shape must never read as "not active"."""
    assert where(text, "12") == "Active"
    assert where(text, "3") == "Completed"
    assert where(text, "77") is None
    assert where(text, "1") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("- [12 — before any section](x)", None),
        ("## Notes\n- [12 — in no section of ours](x)\n", None),
        ("## Active\n## Notes\n- [12 — a strange heading ends Active](x)\n", None),
        ("## Active\n# Appendix\n- [12 — so does a title](x)\n", None),
        ("## Active\n- 12 — no link\n", None),
        ("## Active\n- [12 Tax](x)\n", None),
        ("## Active\n- [12-Tax](x)\n", None),
        ("## Active\n[12 — Tax](x)\n", None),
        ("## Active\n- [12 — Tax] (x)\n", None),
        ("## Active\n- [112 — Tax](x)\n", None),
        ("## Active\n- [12a — Tax](x)\n", None),
        ("## Clusters\n- [12 — X](x)\n", "Clusters"),
        ("## Relocated\n- [12 — X](x)\n", "Relocated"),
        ("## Clusters\n- [12 — X](x)\n## Future\n- [12 — X](x)\n", "Future"),
        ("## Completed\n- [12 — X](x)\n## Active\n- [12 — X](x)\n", "Active"),
    ],
)
def test_where(text: str, expected: str | None) -> None:
    assert where(text, "12") == expected


def test_entries_carry_id_title_path_and_tail() -> None:
    assert entries(CANONICAL)[0] == (
        "Active",
        "12",
        "Tax rate",
        "store/12--tax-rate/12--tax-rate.md",
    )
    assert read(CANONICAL)[-1].tail == "— 2026-01-02"
    assert sections(CANONICAL) == {"Active": ["12"], "Clusters": ["12"], "Completed": ["3"]}


@given(st.text())
def test_escaping_is_undone(title: str) -> None:
    assert unescape(escape(title)) == title


@given(
    st.text(alphabet="# AcitveFur\n\r-*+[]()|\\12 —\u2013`~<!->\ufeff\t", max_size=300) | st.text()
)
def test_any_text_can_be_read(text: str) -> None:
    for one in read(text):
        assert one.section in SECTIONS
        assert where(text, one.id) in SECTIONS


def test_long_lines_and_many_brackets_end() -> None:
    assert read("## Active\n- " + "[" * 200_000) == []
    assert read("## Active\n- [" + "(" * 200_000 + "](") == []
