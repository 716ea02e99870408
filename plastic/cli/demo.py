"""`plastic demo`: watch a whole boarding with two rivals, in a throw-away world."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.door import emit, printable


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(demo)


def demo(
    keep: Annotated[bool, typer.Option(help="Keep the throw-away directory and name it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Two rival sessions, real git, real gates, each refusal with the command that resolves it."""
    from plastic.disk.tree import remove_tree
    from plastic.work.demo import demo as play

    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        if not as_json:
            print(printable(line), flush=True)

    root = play(say)
    if not keep:
        remove_tree(root)
    kept = {"directory": root if keep else None, "lines": lines}
    emit(kept, f"kept: {root}" if keep else "nothing of it is left behind", as_json=as_json)
