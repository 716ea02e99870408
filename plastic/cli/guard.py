"""`plastic guard -- CMD`: one side effect that only the current owner of an intent may have."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.lock.options import AsJson, Session
from plastic.cli.lock.shares import running


def register(app: typer.Typer) -> None:
    """Add the verb."""
    passing = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(context_settings=passing)(guard)


def guard(
    context: typer.Context,
    token: Annotated[
        int | None, typer.Option(help="Only while the lock has this token; default: its present.")
    ] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> int:
    """Run a command (`guard [INTENT] -- CMD...`) if the lock is yours, and tell if it was lost."""
    return running(context, "plastic guard", session, token, as_json=as_json)
