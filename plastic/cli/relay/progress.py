"""One line on the terminal about the relay that runs: step, cost, state, what the child said."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plastic.cli.door import printable, say
from plastic.work.relay.tell import no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plastic.rules.relay.state import State

AGAIN = 0.25  # seconds between two looks


@contextmanager
def shown() -> Iterator[tuple[Callable[[str], None], Callable[[State, str], None]]]:
    """How to say a line and how to draw progress; where nobody looks, lines alone."""
    if not sys.stderr.isatty():
        yield say, no_progress
        return
    from rich.console import Console

    console = Console(stderr=True)
    last = [0.0]
    with console.status("relay") as line:

        def draw(state: State, said: str) -> None:
            if time.monotonic() - last[0] >= AGAIN:
                last[0] = time.monotonic()
                line.update(text(state, said, console.width))

        def print_above(one: str) -> None:
            console.print(printable(one), markup=False, highlight=False)

        yield print_above, draw


def text(state: State, said: str, width: int) -> str:
    """The line, as wide as the terminal at most; what a program says is no markup."""
    from rich.markup import escape

    cap = f"/{state.max_cost:.2f}" if state.max_cost is not None else ""
    head = f"step {state.step}/{state.max_steps}  {state.cost:.2f}{cap} USD  {state.state}"
    room = max(0, width - len(head) - 8)
    return escape(f"{head}  {printable(said).replace(chr(10), ' ')[:room]}".rstrip())
