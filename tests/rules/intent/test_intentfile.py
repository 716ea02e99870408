"""What an intent file must hold (spec 1.4, cases 9.8/151 and 152)."""

from __future__ import annotations

import frontmatter as yaml_front
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.intentfile import OPAQUE, errors, frontmatter, valid_reference
from plastic.rules.intent.links import projection, verdict
from plastic.rules.intent.templates import intent_file

NAME = "12--tax-rate"
GOOD = intent_file(
    id="12", title="Tax: rate", created="2026-11-30T10:00:00Z", author="A", sources=["3"]
)


def test_what_is_born_is_valid() -> None:
    assert errors(GOOD, NAME) == []
    assert errors(GOOD.replace("\n", "\r\n"), NAME) == []
    assert errors("\ufeff" + GOOD.replace("## Links", "## Links  ").rstrip("\n"), NAME) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("chain: []\n", "", ["no `chain`"]),
        ("sources: [", "source: [", ["no `sources`"]),
        ('sources: ["3"]', "sources: 3", ["`sources` is no list"]),
        ('sources: ["3"]', "sources:", ["`sources` is no list"]),
        ('sources: ["3"]', "sources: [three]", ["'three', which is no id"]),
        ('sources: ["3"]', "sources:\n  - 3\n  - 'x y'", ["'x y', which is no id"]),
        ('id: "12"', 'id: "13"', ["`id` is '13', the directory says '12'"]),
        ('intent: "Tax: rate"', 'intent: ""', []),
        ('intent: "Tax: rate"', "intent:", ["`intent` is empty"]),
        ("## Context", "## Background", ["`## Background` is no section", "`## Context` is miss"]),
        ("## Insights", "### Insights", ["`### Insights` may not", "`## Insights` is missing"]),
        ("## Context\n", "## Context\n\n### Decisions\n", []),
        ("## Context\n", "## Context\n\n### Notes\n", ["`### Notes` may not stand in"]),
        ("## Outcome\n", "## Outcome\n\n### Decisions\n", ["`### Decisions` may not stand in"]),
        ("## Outcome\n", "## Outcome\n\n```\n## Fenced\n```\n", []),
        ("## Outcome\n", "## Outcome\n\n<!--\n## Hidden\n-->\n", []),
        ("## Outcome\n", "## Outcome\n\n#### Deep\n", []),
        ("## Links\n", "## Links\n\n## Links\n", ["twice"]),
        ("---\nid", "id", ["no front matter"]),
        ("tags: []\n---", "tags: []\n", ["no front matter"]),
        ("sources: [", "sources: &a [", []),
    ],
)
def test_errors(old: str, new: str, words: list[str]) -> None:
    """Case 9.8/151: each error is named, and what cannot be judged is none."""
    assert old in GOOD
    found = errors(GOOD.replace(old, new, 1), NAME)
    assert len(found) == len(words), found
    for word, one in zip(words, found, strict=True):
        assert word in one


def test_sections_in_another_order_are_refused() -> None:
    text = GOOD.replace("## Intent\n", "## X\n").replace("## Context\n", "## Intent\n")
    text = text.replace("## X\n", "## Context\n")
    assert any("order" in one for one in errors(text, NAME))


def test_nothing_at_all_lists_everything() -> None:
    assert len(errors("", NAME)) == 6


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a: b", {"a": "b"}),
        ("a: 'b''c'", {"a": "b'c"}),
        ('a: "b\\tc # d" # e', {"a": "b\tc # d"}),
        ("a: b # c", {"a": "b"}),
        ("# only\n\na:\n", {"a": None}),
        ("a: ~", {"a": None}),
        ("a: []", {"a": []}),
        ("a: [1, 'b', \"c\"]", {"a": ["1", "b", "c"]}),
        ("a: [1,\n  2,\n ]", {"a": ["1", "2"]}),
        ("a: [1,\n2]", None),
        ("a:\n- 1\n- b # c\n", {"a": ["1", "b"]}),
        ("a:\n  - 1\nb: 2", {"a": ["1"], "b": "2"}),
        ("a: |\n  text\nb: 2", {"a": OPAQUE, "b": "2"}),
        ("a: {b: c}", {"a": OPAQUE}),
        ("a: *x", {"a": OPAQUE}),
        ("a: b\n  goes on", {"a": OPAQUE}),
        ("a:\n  b: c", {"a": OPAQUE}),
        ("a: [[1]]", {"a": OPAQUE}),
        ("a: [~]", {"a": OPAQUE}),
        ('a: "bad \\q"', {"a": OPAQUE}),
        ("- a", None),
        ("{a: b}", None),
        ("words", None),
        ("a:b", None),
    ],
)
def test_the_tiny_reader(block: str, expected: object) -> None:
    assert frontmatter(f"---\n{block}\n---\nbody") == expected


@given(st.text(alphabet="ab:#-[]{}'\"\\, \n\t|>&*!~1", max_size=80))
def test_the_tiny_reader_agrees_with_yaml_or_does_not_judge(block: str) -> None:
    """Where it claims to understand a value, YAML understands the same."""
    text = f"---\n{block}\n---\nbody"
    ours = frontmatter(text)
    if not ours or block.count("---"):
        return
    try:
        theirs = yaml_front.parse(text)[0]
    except Exception:
        return  # YAML refuses what we let pass: the gate would say nothing about it
    for key, value in ours.items():
        if value is OPAQUE or key not in theirs or not isinstance(value, list):
            continue
        said = theirs[key]
        assert isinstance(said, list)
        assert len(said) == len(value)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(errors(text, NAME), list)
    frontmatter("---\n" + text + "\n---\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("12", True), ("4a1", True), ("global:24", True), (":24", False), ("x", False), ("", False)],
)
def test_references(text: str, expected: bool) -> None:
    assert valid_reference(text) is expected


# -- the Links section ----------------------------------------------------------------------------

LINKS = "## Links\n\n- Sources: [[3]]\n"


@pytest.mark.parametrize(
    ("before", "after", "denied"),
    [
        (GOOD, GOOD, False),
        (GOOD, GOOD.replace("## Context\n", "## Context\n\nmore\n"), False),
        (None, GOOD, False),
        (GOOD, GOOD.replace("[[3]]", "[[4]]"), True),
        (None, GOOD.replace("[[3]]", "[[4]]"), True),
        (GOOD, GOOD.replace(LINKS, "## Links\n"), True),
        (GOOD, GOOD.replace(LINKS, "## Links\n\n\n- Sources: [[3]]   \n\n"), False),
        (GOOD, GOOD.replace('["3"]', '["4"]'), False),
        (GOOD, GOOD.replace('["3"]', '["4"]').replace("[[3]]", "[[4]]"), False),
        (GOOD, GOOD.replace('["3"]', "&a [3]").replace("[[3]]", "[[4]]"), False),
        (GOOD, GOOD.replace(LINKS, LINKS + LINKS.replace("3", "4")), False),
        (GOOD, GOOD.partition("## Links")[0], False),
        (GOOD, "## Links\n\n- Sources: [[4]]\n", False),
        (GOOD, GOOD.replace("## Context\n", "## Context\n```\n## Links\n- x\n```\n"), False),
        (GOOD.replace("[[3]]", "[[9]]"), GOOD.replace("[[3]]", "[[9]]") + "\n", False),
        (GOOD.replace(LINKS, ""), GOOD.replace("[[3]]", "[[4]]"), False),
    ],
)
def test_links_verdict(before: str | None, after: str, denied: bool) -> None:
    """Case 9.8/154: unchanged passes, a fence is no section, doubt passes."""
    reason = verdict(before, after)
    assert (reason is not None) is denied
    if reason is not None:
        assert "- Sources: [[3]]" in reason


def test_projection_is_canonical() -> None:
    assert projection({"sources": [], "chain": []}) == "_(none)_"
    assert projection({"sources": ["1", "global:2"], "chain": ["3"]}) == (
        "- Sources: [[1]], [[global:2]]\n- Chain: [[3]]"
    )
    assert projection({"sources": None, "chain": []}) is None


@given(st.text(), st.text())
def test_links_verdict_is_total(before: str, after: str) -> None:
    verdict(before, after)
    assert verdict(after, after) is None
