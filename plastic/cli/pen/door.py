"""How the verbs of the pen begin and end: the desk, their exit codes, and what they share."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plastic.cli.door import caller, emit, say
from plastic.words import EXIT_REFUSED, EXIT_USAGE, Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.work.pen.desk import Desk

NOT_YET = 3
# They change nothing, and only say that another program would look elsewhere.
LOOKS = ("status", "wait", "peek", "turn", "log", "guard")

Agent = Annotated[
    str | None, typer.Argument(metavar="[AGENT]", help="Who acts; default: whom you are bound to.")
]
To = Annotated[str, typer.Option(help="Who gets the turn.")]
Reason = Annotated[str, typer.Option(help="One line; it becomes the note.")]
Force = Annotated[bool, typer.Option("--force", help="Past its expiry, or with a reason.")]
PenId = Annotated[str, typer.Option("--pen-id", help="The instance that a claim gave you.")]
Epoch = Annotated[int | None, typer.Option(help="The epoch that a claim gave you.")]
Session = Annotated[str, typer.Option(help="Session id; default: the harness's variable.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@contextmanager
def desk(verb: str, session: str) -> Iterator[Desk]:
    """The pen of this directory. Its exit codes are 0, 1, 2 and 3, whatever went wrong below."""
    from plastic.disk.files import reason
    from plastic.work.pen.desk import Desk

    try:
        found = Desk(os.getcwd(), os.environ, caller(session or None).session)
        found.verb = verb
        rival = found.rival() if verb in LOOKS else ""
        if rival:
            say(rival)
        yield found
    except BrokenPipeError:
        raise
    except Refusal as refusal:
        if refusal.exit != EXIT_USAGE:
            refusal.exit = EXIT_REFUSED
        raise
    except OSError as error:
        from plastic.disk.command import look_command

        where = error.filename if isinstance(error.filename, str) else os.getcwd()
        raise Refused("environment", reason(error), run=look_command(where)) from None


@contextmanager
def acting(verb: str, session: str, agent: str | None) -> Iterator[Desk]:
    """The same for a verb of an agent: the named one, else whom the session is bound to."""
    from plastic.work.pen.bind import actor

    with desk(verb, session) as found:
        actor(found, agent)
        yield found


def show(found: tuple[dict[str, Any], str], *, as_json: bool, is_yet: bool = True) -> None:
    """Print an answer; one that says "not yet" has exit code 3."""
    value, text = found
    emit({**value, "ok": is_yet}, text, as_json=as_json)
    if not is_yet:
        raise typer.Exit(NOT_YET)
