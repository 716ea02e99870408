"""`plastic-lock` and `plastic lock`: who holds an intent, and every change of its lock."""

from __future__ import annotations

import typer

from plastic.cli.lock.shares import beat, claim, delegate, keep, release_claim
from plastic.cli.lock.verbs import arm, fix, reclaim, release, status, transfer, who

ABOUT = "Who holds an intent, and every change of its delivery lock."
VERBS = (who, status, arm, fix, release, reclaim, transfer, delegate, claim, release_claim, beat)


def register(whole: typer.Typer) -> None:
    """Add `plastic lock`."""
    whole.add_typer(app(), name="lock")


def app() -> typer.Typer:
    """The `plastic-lock` command."""
    lock = typer.Typer(
        name="plastic-lock",
        help=ABOUT,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    for verb in VERBS:
        lock.command(verb.__name__.replace("_", "-"))(verb)
    passing = {"allow_extra_args": True, "ignore_unknown_options": True}
    lock.command("keep", context_settings=passing)(keep)
    return lock
