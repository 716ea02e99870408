"""The plain command lines that skip the parser, and those that must not."""

from __future__ import annotations

import pytest

from plastic.cli.views import plain
from tests.world import World

PLAIN = [
    ["who"],
    ["who", "14"],
    ["status", "--json"],
    ["status", "14", "--session", "S", "--json"],
    ["who", "--session", "S", "shop:14"],
]
OTHERS = [
    [],
    ["--help"],
    ["arm", "14"],
    ["who", "--help"],
    ["who", "14", "15"],
    ["who", "--session"],
    ["who", "--session", "--json"],
    ["who", "--session=S"],
    ["who", "--", "14"],
    ["who", ""],
    ["status", "-x"],
]


@pytest.mark.parametrize("words", PLAIN, ids=" ".join)
def test_plain(words: list[str]) -> None:
    before = list(words)
    assert plain(words) is not None
    assert words == before


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_everything_else_is_for_the_parser(words: list[str]) -> None:
    assert plain(words) is None


@pytest.mark.parametrize("verb", ["who", "status", "release"])
def test_without_an_intent_the_one_that_is_held(shop: World, verb: str) -> None:
    """Case 9.11/241, our answer: none or several held is a wrong usage, exit 2."""
    none = shop.lock(verb, session="A")
    assert (none.rc, "run: plastic list" in none.err) == (2, True)
    first = shop.new("One")
    shop.start(first["id"], "A")
    second = shop.new("Two")
    shop.start(second["id"], "A")
    several = shop.lock(verb, session="A")
    assert (several.rc, "shop:1--one, shop:2--two" in several.err) == (2, True)
    assert shop.lock("release", second["id"], session="A").rc == 0
    assert shop.lock(verb, session="A").rc == 0
