"""`plastic init`, `install` and `uninstall`: what a person runs once a machine and repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import emit, home

if TYPE_CHECKING:
    from typing import Any

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def register(app: typer.Typer) -> None:
    """Add the verbs of this file."""
    app.command("init")(init)


def init(
    path: Annotated[str, typer.Argument(help="A path in the repository.")] = ".",
    project: Annotated[
        str | None, typer.Option(help="The project's slug; else made from the folder's name.")
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="Base branch; else the remote's default, else this one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make the home and register a repository in it; running it again changes nothing."""
    from plastic.work.init import init as run

    made = run(home(), path, project, base)
    emit(made, _init_text(made), as_json=as_json)


def _init_text(made: dict[str, Any]) -> str:
    home_is = "created" if made["home_created"] else "there"
    project_is = "registered" if made["registered"] else "already registered"
    return (
        f"home     {made['home']} ({home_is})\n"
        f"project  {made['project']}: {made['path']} ({project_is}), base {made['base_branch']}\n"
        f'next     plastic new "TITLE" --project {made["project"]}'
    )
