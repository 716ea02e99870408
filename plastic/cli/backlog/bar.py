"""A bar on stderr for what takes longer than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AFTER = 1.0  # seconds in silence
AGAIN = 0.1  # seconds between two looks of the bar
WIDTH = 24


class Bar:
    """Called with a stage and how much of it is done; draws over its own line."""

    def __init__(self, stream: TextIO, clock: Callable[[], float]) -> None:
        self.stream = stream
        self.clock = clock
        self.next = clock() + AFTER
        self.drawn = 0

    def __call__(self, stage: str, done: int, whole: int) -> None:
        """Draw, when it is time."""
        now = self.clock()
        if now < self.next:
            return
        self.next = now + AGAIN
        share = done / whole if whole else 0.0
        full = int(share * WIDTH)
        self._over(f"{stage:<10} [{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}")

    def end(self) -> None:
        """Leave no trace."""
        if self.drawn:
            self._over("")
            self.stream.write("\r")
            self.stream.flush()

    def _over(self, line: str) -> None:
        self.stream.write(f"\r{line.ljust(self.drawn)}")
        self.stream.flush()
        self.drawn = len(line)


@contextmanager
def bar(
    stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[str, int, int], None]]:
    """The bar, or where nobody looks, nothing."""
    out = stream or sys.stderr
    if not out.isatty():
        from plastic.store.progress import silent

        yield silent
        return
    shown = Bar(out, clock)
    try:
        yield shown
    finally:
        shown.end()
