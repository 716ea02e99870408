"""The two commands `plastic` and `plastic-lock`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from plastic.cli.door import guarded, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

# Each module has `register(app)`; the order is that of `plastic --help`.
GROUPS: tuple[str, ...] = (
    "home",
    "intents",
    "start",
    "sync",
    "end",
    "lock.group",
    "guard",
    "worktree",
    "salvage",
    "maintain",
    "backlog.group",
    "doctor",
    "pen.group",
    "relay.group",
    "demo",
    "hook",
)


def app() -> typer.Typer:
    """The whole `plastic` command."""
    from plastic.cli.whole import build

    return build(GROUPS)


def plastic(args: Sequence[str] | None = None) -> int:
    """Entry point of `plastic`; the return value is the exit code."""
    words = list(sys.argv[1:] if args is None else args)
    if words[:1] == ["lock"]:
        return plastic_lock(words[1:])
    if words[:1] == ["backlog"]:
        from plastic.cli.backlog.plain import plain

        view = plain(words[1:])
        if view is not None:
            return guarded("plastic", words, view)
    return run(_named(words), "plastic", words)


def _named(words: list[str]) -> typer.Typer:
    """The group that a line names alone, where that is one with many verbs of its own."""
    if words[:1] in (["pen"], ["backlog"], ["relay"]):
        from plastic.cli.whole import build

        return build((f"{words[0]}.group",))
    return app()


def plastic_lock(args: Sequence[str] | None = None) -> int:
    """Entry point of `plastic-lock`, which is `plastic lock`."""
    from plastic.cli.views import plain

    words = list(sys.argv[1:] if args is None else args)
    view = plain(words)
    if view is not None:
        return guarded("plastic-lock", words, view)
    from plastic.cli.lock.group import app as lock

    return run(lock(), "plastic-lock", words)


if __name__ == "__main__":
    sys.exit(plastic())
