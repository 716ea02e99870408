"""The two commands `plastic` and `plastic-lock`, put together from one file a group of verbs."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import run

if TYPE_CHECKING:
    from collections.abc import Sequence

# Each module has `register(app)`; the order is that of `plastic --help`.
GROUPS: tuple[str, ...] = ("home", "intents", "start", "sync", "lock", "demo", "hook")


def app() -> typer.Typer:
    """The whole `plastic` command."""
    whole = typer.Typer(
        name="plastic",
        help="Several agents and people in the same repositories, without lost work.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    whole.callback()(_start)
    for group in GROUPS:
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


def plastic(args: Sequence[str] | None = None) -> int:
    """Entry point of `plastic`; the return value is the exit code."""
    return run(app(), "plastic", args)


def plastic_lock(args: Sequence[str] | None = None) -> int:
    """Entry point of `plastic-lock`, which is `plastic lock`."""
    import_lock = import_module("plastic.cli.lock")
    return run(import_lock.app(), "plastic-lock", args)


if __name__ == "__main__":
    sys.exit(plastic())
