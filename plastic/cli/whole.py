"""The whole `plastic` command, put together from one file a group of verbs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence


def build(groups: Sequence[str]) -> typer.Typer:
    """`plastic` with the verbs of these groups."""
    whole = typer.Typer(
        name="plastic",
        help="Several agents and people in the same repositories, without lost work.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    whole.callback()(_start)
    for group in groups:
        import_module(f"plastic.cli.{group}").register(whole)
    return whole


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"plastic {version('plastic-intents')}")
        raise typer.Exit


def _start(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Several agents and people in the same repositories, without lost work."""
