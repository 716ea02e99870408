"""Ids, slugs and what git, paths and people make of them."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.names import branch, claimable, split, valid_id, valid_slug
from plastic.rules.intent.slugs import slug_of


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("12--demo", ("12", "demo")),
        ("73c1a--a-b", ("73c1a", "a-b")),
        ("0--x", ("0", "x")),
        ("12--", None),
        ("--x", None),
        ("a1--x", None),
        ("12--a--b", None),
        ("12--A", None),
        ("12--a-", None),
        ("12--../x", None),
        ("12--x.lock", None),
        ("12--x\n", None),
        ("12A--x", None),
        ("١٢--x", None),
        ("12", None),
        ("12--" + "x" * 61, None),
        ("12--" + "x" * 60, ("12", "x" * 60)),
    ],
)
def test_split(text: str, wanted: tuple[str, str] | None) -> None:
    assert split(text) == wanted


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Rename cart to basket", "rename-cart-to-basket"),
        ("  Größe & Maße!  ", "grosse-masse"),
        ("Łódź", "odz"),
        ("../../etc/passwd", "etc-passwd"),
        ("--x", "x"),
        ("HEAD.lock", "head-lock"),
        ("日本語", ""),
        ("🎉", ""),
        ("", ""),
        ("a" * 80, "a" * 60),
        ("word " * 30, "word-word-word-word-word-word-word-word-word-word-word-word"),
        ("café", "cafe"),
    ],
)
def test_slug_of(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@given(st.text(max_size=200))
def test_a_slug_is_empty_or_valid(title: str) -> None:
    slug = slug_of(title)
    assert slug == "" or valid_slug(slug)


@given(st.from_regex(r"[0-9a-z-]{1,70}", fullmatch=True))
def test_what_is_valid_is_a_branch_for_git(text: str) -> None:
    if not valid_slug(text):
        return
    name = branch(f"7--{text}")
    done = subprocess.run(["git", "check-ref-format", "--branch", name], check=False)
    assert done.returncode == 0


def test_ids() -> None:
    assert valid_id("7")
    assert not valid_id("")
    assert not valid_id("1" * 25)


def test_claimable() -> None:
    # Cases 9.3/56-58: four kinds only, by name, never by path.
    assert claimable("spec.md", "7--x")
    assert claimable("7--x.md", "7--x")
    for other in ("outcome.md", "../spec.md", "actions/plan.md", "/spec.md", "", "8--y.md"):
        assert not claimable(other, "7--x")
