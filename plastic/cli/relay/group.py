"""`plastic relay`: work passes from agent session to agent session and survives everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from plastic.cli.relay import leave, looks, people, signal, start

if TYPE_CHECKING:
    from collections.abc import Callable

ABOUT = "Work passes from agent session to agent session, and survives what ends them."
VERBS: dict[str, Callable[..., None]] = {
    "start": start.start,
    "status": looks.status,
    "list": looks.list_,
    "reply": people.reply,
    "resume": people.resume,
    "attach": people.attach,
    "off": people.off,
    "stage-model": people.stage_model,
    "log": looks.log,
    "signal": signal.signal,
    "leave": leave.leave,
}


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help=ABOUT, no_args_is_help=True, rich_markup_mode=None)
    for name, verb in VERBS.items():
        group.command(name)(verb)
    app.add_typer(group, name="relay")
