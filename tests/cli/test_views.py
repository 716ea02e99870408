"""The plain command lines that skip the parser, and those that must not."""

from __future__ import annotations

import pytest

from plastic.cli.views import plain

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
