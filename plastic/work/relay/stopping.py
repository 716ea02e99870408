"""Ctrl-C, a closed terminal and a polite kill end a relay in order: nothing goes on spending."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Whether somebody has asked to stop. The child has a session of its own and hears nothing."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {one: signal.signal(one, lambda number, _: asked.append(number)) for one in ASKED}
    try:
        yield lambda: bool(asked)
    finally:
        for one, was in before.items():
            signal.signal(one, was)
