"""What tokens cost: known models, dated names, and nothing for those that nobody knows."""

from __future__ import annotations

import pytest

from plastic.harness.agents.prices import PRICES, cost, price


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-5", "gpt-5"),
        ("gpt-5-codex", "gpt-5"),
        ("gpt-5-2026-04-01", "gpt-5"),
        ("gpt-5-mini", "gpt-5-mini"),
        ("gemini-2.5-pro-preview", "gemini-2.5-pro"),
    ],
)
def test_a_model_that_is_known(model: str, name: str) -> None:
    assert price(model) == PRICES[name]


@pytest.mark.parametrize("model", ["", "gpt-5.5", "gpt-5-nano", "gpt-5-pro", "gpt-50", "claude"])
def test_another_model_is_not_taken_for_it(model: str) -> None:
    assert price(model) is None
    assert cost(model, (1, 1, 1)) is None


def test_cached_input_is_part_of_the_input() -> None:
    assert cost("gpt-5", (1_000_000, 400_000, 100_000)) == pytest.approx(0.75 + 0.05 + 1.0)
    assert cost("gpt-5", (10, 20, 0)) == pytest.approx(20 * 0.125 / 1e6)


def test_cached_is_cheapest_and_output_dearest() -> None:
    for given, cached, out in PRICES.values():
        assert 0 < cached < given < out
