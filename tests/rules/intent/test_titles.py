"""Titles that people and agents send, and the texts an intent is born with."""

from __future__ import annotations

import frontmatter as yaml_front
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.artifacts import PLACEHOLDER, has_heading, real
from plastic.rules.intent.index import read
from plastic.rules.intent.index_edit import insert, skeleton
from plastic.rules.intent.intentfile import errors
from plastic.rules.intent.links import verdict
from plastic.rules.intent.names import valid_slug
from plastic.rules.intent.templates import intent_file, placeholder
from plastic.rules.intent.titles import TITLE_MAX, clean, slug_for
from plastic.words import Usage


@pytest.mark.parametrize(
    ("title", "expected", "slug"),
    [
        ("Tax rate", "Tax rate", "tax-rate"),
        ("  two\nlines\tand tabs ", "two lines and tabs", "two-lines-and-tabs"),
        ("Größe ändern", "Größe ändern", "grosse-andern"),
        ("日本語のタイトル", "日本語のタイトル", "intent"),
        ("Fix 🎉 it", "Fix 🎉 it", "fix-it"),
        ("--force", "--force", "force"),
        ("../../etc/passwd", "../../etc/passwd", "etc-passwd"),
        ("a" * TITLE_MAX, "a" * TITLE_MAX, "a" * 60),
        ("a\u2028b", "a b", "a-b"),
    ],
)
def test_good_titles(title: str, expected: str, slug: str) -> None:
    assert clean(title) == expected
    assert slug_for(clean(title)) == slug


@pytest.mark.parametrize(
    "title",
    ["", " \n ", "a\x00b", "a\x1b[31mred", "a\x7f", "x\u202ey", "\ud800", "a" * 10_240, "a\uffffb"],
)
def test_bad_titles_are_refused_with_a_better_one(title: str) -> None:
    with pytest.raises(Usage) as refused:
        clean(title)
    assert "\n" not in refused.value.reason
    assert len(refused.value.reason) < 300
    words = refused.value.run.removeprefix("plastic new ").strip("'")
    assert clean(words) == words


@pytest.mark.parametrize("title", ["🎉", "—", "...", "?!"])
def test_a_title_without_a_letter_needs_a_slug(title: str) -> None:
    with pytest.raises(Usage) as refused:
        slug_for(title)
    assert "--slug intent" in refused.value.run
    assert slug_for(title, "intent") == "intent"


@pytest.mark.parametrize("slug", ["", "A", "a--b", "-a", "a_b", "a/b", "a" * 61])
def test_bad_slugs_are_refused(slug: str) -> None:
    with pytest.raises(Usage) as refused:
        slug_for("Title", slug)
    assert valid_slug(refused.value.run.split()[-1])


@given(st.text(max_size=120))
def test_whatever_passes_survives_every_file(title: str) -> None:
    """A title goes through YAML, an intent file, an INDEX line and the path unchanged."""
    try:
        good = clean(title)
        slug = slug_for(good)
    except Usage:
        return
    assert valid_slug(slug)
    text = intent_file(id="12", title=good, created="2026-11-30", author=good)
    front = yaml_front.parse(text)[0]
    assert front["intent"] == good
    assert front["author"] == good
    assert front["id"] == "12"
    assert errors(text, f"12--{slug}") == []
    assert verdict(None, text) is None
    page = insert(skeleton("Index"), "Active", "12", good, f"store/12--{slug}/12--{slug}.md")
    assert [one.id for one in read(page)] == ["12"]


@pytest.mark.parametrize(
    "title", ["# x", "```", "~~~ y", "- [ ] box", "<!-- z", "> q", "---", "=== a", "* b", "| c |"]
)
def test_a_title_cannot_change_the_structure(title: str) -> None:
    text = intent_file(id="1", title=title, created="2026", author="A")
    assert errors(text, "1--x") == []
    assert has_heading(text, "## Links")


def test_a_placeholder_is_not_real() -> None:
    assert placeholder().splitlines()[0] == PLACEHOLDER
    assert not real(placeholder())
