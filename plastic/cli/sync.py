"""`plastic sync`: bring the base's new commits into an intent's worktree."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from plastic.cli.door import caller, emit, home, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(sync)


def sync(
    intent: Annotated[
        str, typer.Argument(help="Id, prefix, path or project:id; default: the one you hold.")
    ] = "",
    session: Annotated[str, typer.Option(help="Session id; default: the harness's variable.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Merge the base's tip into the worktree; conflicts stay there for you to resolve."""
    from plastic.work.intent.intents import find
    from plastic.work.sync import sync as merge

    who = caller(session or None)
    place = home()
    found = merge(place, find(place, intent or None, who), who, say)
    emit(found, _text(found), as_json=as_json)


def _text(found: dict[str, Any]) -> str:
    tip = found["base_tip"][:12]
    if not found["merged"]:
        return f"{found['branch']} already contains {found['base']} ({tip})"
    return f"{found['branch']} now contains {found['base']} ({tip})"
