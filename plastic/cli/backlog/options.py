"""The options that the verbs of the backlog share, and how they open it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import caller, emit, home, say
from plastic.words import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.rules.backlog.answers import Change, Fence
    from plastic.work.backlog.place import Backlog

Which = Annotated[str, typer.Argument(metavar="ID", help="An item, by its id or other name.")]
Project = Annotated[
    str, typer.Option("--project", help="Registered project; default: this repository's.")
]
Session = Annotated[
    str, typer.Option("--session", help="Session id; default: the harness's variable.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
Token = Annotated[
    int | None, typer.Option("--token", metavar="N", help="The fencing token of your claim.")
]
Secret = Annotated[str, typer.Option(help="The secret of your claim, checked when given.")]
Lease = Annotated[
    float | None, typer.Option(metavar="S", help="Seconds; default and most: config.yml.")
]


@contextmanager
def backlog(project: str, session: str) -> Iterator[Backlog]:
    """The backlog that a command line is about."""
    from plastic.work.backlog.place import opened

    with opened(home(), caller(session or None), project or None, os.getcwd()) as found:
        for one in found.store.notes:
            say(one)
        yield found


def presented(token: int | None, secret: str) -> Fence:
    """The fence of a verb that only a holder may use."""
    from plastic.work.backlog.claims import fence

    found = fence(token, secret)
    if found is None:
        raise Usage(
            "token",
            "name the token that your claim gave you: --token N",
            run="plastic backlog list",
        )
    return found


def changed(found: Backlog, change: Change, text: str, *, as_json: bool) -> None:
    """Print what a write did, and what became ready because of it."""
    from plastic.work.backlog import shown

    lines = [text if change.changed else f"{change.item.id}  nothing to change"]
    if change.late:
        lines.append("late: your lease had run out, nobody had come between")
    if change.ready:
        lines.append(f"ready now: {', '.join(change.ready)}")
    emit(shown.change(change, found.store.now()), "\n".join(lines), as_json=as_json)
