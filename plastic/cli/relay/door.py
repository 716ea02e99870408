"""What the verbs of the relay share: their options, and how they end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.door import emit, home
from plastic.words import EXIT_REFUSED, Usage

if TYPE_CHECKING:
    from plastic.disk.relay.place import About, Place

Name = Annotated[
    str, typer.Argument(metavar="[RELAY]", help="Default: the live one of this repository.")
]
Named = Annotated[str, typer.Option("--relay", help="Default: the live one of this repository.")]
MaxSteps = Annotated[
    int | None, typer.Option(help="How many sessions at most, the first included.")
]
MaxCost = Annotated[float | None, typer.Option(help="USD at most; at 95 % no session is begun.")]
Unknown = Annotated[
    bool, typer.Option("--allow-unknown-cost", help="Go on where nobody can tell what it costs.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]


def found(name: str) -> tuple[Place, About]:
    """The relay that is meant."""
    from plastic.work.relay.repository import find

    return find(home(), name, os.getcwd())


def ended(value: dict[str, Any], *, as_json: bool) -> None:
    """Print what became of a relay that was run; 0 when its work is done, or when it was told."""
    from plastic.work.relay.report import text

    emit(value, text(value), as_json=as_json)
    is_done = value["reason"] == "done" and not value.get("end_refused")
    if not is_done and not value.get("told"):
        raise typer.Exit(EXIT_REFUSED)


def prompt_of(text: str, file: str, what: str) -> str:
    """A text from the command line or from a file (`-`: stdin), byte for byte."""
    if bool(text) == bool(file):
        raise Usage("prompt", f"give {what}, or a file with it", run="plastic relay --help")
    if not file:
        return text
    from plastic.disk.relay.prompt import prompt_from

    return prompt_from(file)
