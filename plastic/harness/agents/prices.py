"""What tokens cost, for agents that tell tokens and no money: an estimate, and dated.

List prices of the makers' own pages as read on 2026-12-01, in USD for a million tokens: input, of
that cached, output. Where a price grows with the length of the prompt, the higher one stands here:
a limit of cost is to hold. Of a model that is not here nobody knows what it costs.
"""

from __future__ import annotations

PER = 1_000_000
# Begin of a model's name -> its prices; the longest begin that fits counts.
PRICES: dict[str, tuple[float, float, float]] = {
    "gpt-5": (1.25, 0.125, 10.0),
    "gpt-5-mini": (0.25, 0.025, 2.0),
    "gpt-5.1": (1.25, 0.125, 10.0),
    "gpt-5.4": (2.5, 0.25, 15.0),
    "gpt-5.4-mini": (0.75, 0.075, 4.5),
    "gemini-2.5-pro": (2.5, 0.25, 15.0),
    "gemini-2.5-flash": (0.3, 0.03, 2.5),
    "gemini-3.1-pro": (4.0, 0.4, 18.0),
}
# What may follow a name that is here without being another model.
_SAME = ("", "-codex", "-preview", "-latest")


def price(model: str) -> tuple[float, float, float] | None:
    """The prices of a model; None when they are not known."""
    for name in sorted(PRICES, key=len, reverse=True):
        rest = model.removeprefix(name)
        is_dated = rest[:1] == "-" and len(rest) > 4 and rest[1:5].isdigit()
        if rest != model and (rest in _SAME or is_dated):
            return PRICES[name]
    return None


def cost(model: str, tokens: tuple[int, int, int]) -> float | None:
    """USD of (input, of that cached, output) tokens; None when nobody knows."""
    found = price(model)
    if found is None:
        return None
    given, cached, out = tokens
    fresh = max(0, given - cached)
    return (fresh * found[0] + cached * found[1] + out * found[2]) / PER
