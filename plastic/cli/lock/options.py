"""The options that the verbs of a lock share, and how they begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import caller, emit, home, say
from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent

MODES = ("auto", "guided")

Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[INTENT]", help="Id, prefix, path or project:id; default: the one you hold."
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INTENT NAME",
        help="Whom or what it is about, behind the intent; default: the intent that you hold.",
    ),
]
Session = Annotated[
    str | None, typer.Option(metavar="SID", help="Session id; default: the harness's variable.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Harness = Annotated[str | None, typer.Option(help="Recorded: the agent program.")]
Agent = Annotated[str | None, typer.Option(help="Recorded: the agent's name.")]
Model = Annotated[str | None, typer.Option(help="Recorded: the model.")]
Thread = Annotated[str | None, typer.Option(help="Recorded: the thread.")]
Mode = Annotated[str | None, typer.Option(help="Recorded: auto or guided.")]


def place(which: str | None, session: str | None) -> tuple[Home, Caller, Intent]:
    """Home, caller and intent of a command line."""
    from plastic.work.intent.intents import find

    where, me = home(), caller(session)
    return where, me, find(where, which, me)


def named(where: Home, me: Caller, intent: Intent) -> Caller:
    """The caller with a session; a derived one is told to whoever reads along."""
    from plastic.work.lock.verb import caller_for

    known = caller_for(where, intent, me)
    if known.is_derived:
        say(f"no session id: using the derived key {known.session}, which is not exclusive")
    return known


def given_by(
    mode: str | None,
    harness: str | None,
    agent: str | None,
    model: str | None,
    thread: str | None,
) -> dict[str, str | None]:
    if mode is not None and mode.strip() and mode not in MODES:
        raise Usage(
            "mode", f"--mode is auto or guided, not {mode!r}", run="plastic-lock arm --help"
        )
    return {"mode": mode, "harness": harness, "agent": agent, "model": model, "thread": thread}


def show(
    where: Home, intent: Intent, me: Caller, text: str, *, as_json: bool, **more: object
) -> None:
    """The result of a verb: its line for people, the whole status and what it did for programs."""
    if not as_json:
        emit({}, text, as_json=False)
        return
    from plastic.work.lock.status import status as look

    emit({**look(where, intent, me), **more}, text, as_json=True)
