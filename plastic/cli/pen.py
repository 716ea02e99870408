"""`plastic pen`: several agents take turns in one working tree; exactly one writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from plastic.cli import pen_integrate, pen_moves, pen_reads, pen_team

if TYPE_CHECKING:
    from collections.abc import Callable

ABOUT = "Several agents take turns in one working tree: exactly one writes."
VERBS: dict[str, Callable[..., None]] = {
    "init": pen_team.init,
    "status": pen_reads.status,
    "claim": pen_moves.claim,
    "append": pen_moves.append,
    "release": pen_moves.release,
    "pause": pen_moves.pause,
    "resume": pen_moves.resume,
    "done": pen_moves.done,
    "next": pen_reads.next_,
    "wait": pen_reads.wait,
    "peek": pen_reads.peek,
    "turn": pen_reads.turn,
    "log": pen_reads.log,
    "guard": pen_reads.guard,
    "bind": pen_team.bind,
    "roster": pen_team.roster,
    "request": pen_team.request,
    "yield": pen_team.yield_,
    "decline": pen_team.decline,
    "steer": pen_team.steer,
    "cooldown": pen_moves.cooldown,
    "archive": pen_team.archive,
    "repair": pen_team.repair,
    "remember": pen_team.remember,
    "task": pen_team.task,
    "integrate": pen_integrate.integrate,
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
