"""How a long job tells how far it is: a stage, and so many of so many."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Told = Callable[[str, int, int], None]

One = TypeVar("One")
EVERY = 200  # items between two words of progress


def silent(_stage: str, _done: int, _whole: int) -> None:
    """Nobody is told."""


def counted(items: Sequence[One], stage: str, told: Told) -> Iterator[One]:
    """The items, telling on the way how many have gone by."""
    for number, item in enumerate(items):
        if number % EVERY == 0:
            told(stage, number, len(items))
        yield item
