"""`plastic pen`: several agents take turns in one working tree; exactly one writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from plastic.cli.pen import integrate, moves, reads, team

if TYPE_CHECKING:
    from collections.abc import Callable

ABOUT = "Several agents take turns in one working tree: exactly one writes."
VERBS: dict[str, Callable[..., None]] = {
    "init": team.init,
    "status": reads.status,
    "claim": moves.claim,
    "append": moves.append,
    "release": moves.release,
    "pause": moves.pause,
    "resume": moves.resume,
    "done": moves.done,
    "next": reads.next_,
    "wait": reads.wait,
    "peek": reads.peek,
    "turn": reads.turn,
    "log": reads.log,
    "guard": reads.guard,
    "bind": team.bind,
    "roster": team.roster,
    "request": team.request,
    "yield": team.yield_,
    "decline": team.decline,
    "steer": team.steer,
    "cooldown": moves.cooldown,
    "archive": team.archive,
    "repair": team.repair,
    "remember": team.remember,
    "task": team.task,
    "integrate": integrate.integrate,
}


class ScopeCommand(TyperCommand):
    """`--scope` also without a value: then the reason says what is to be done."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a bare `--scope` the reason that follows it."""
        if "--scope" in args:
            after = args.index("--scope") + 1
            if after == len(args) or args[after].startswith("-"):
                reason = args.index("--reason") if "--reason" in args else len(args)
                args = [*args[:after], *(args[reason + 1 : reason + 2] or [""]), *args[after:]]
        return super().parse_args(ctx, args)


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help=ABOUT, no_args_is_help=True, rich_markup_mode=None)
    for name, verb in VERBS.items():
        own = ScopeCommand if name in ("resume", "next") else TyperCommand
        group.command(name, cls=own)(verb)
    app.add_typer(group, name="pen")
