"""`plastic hook`: the same door as `hooks/gate`, for harnesses that start a command by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plastic.hook import main

if TYPE_CHECKING:
    from typer import Typer


def register(app: Typer) -> None:
    """Add the verb of this file."""
    app.command("hook")(hook)


def hook(
    harness: Annotated[str, typer.Argument(help="The harness that sends the event.")] = "claude",
    door: Annotated[str, typer.Argument(help="The gates to ask.")] = "gate",
) -> int:
    """Judge one event of a harness: the payload on stdin, the answer on stdout."""
    return main([harness, door])
