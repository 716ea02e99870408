"""`plastic relay leave`: a hand-off for whoever comes next, in a relay or without one."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from plastic.cli.door import caller, emit, home
from plastic.cli.relay.door import AsJson, prompt_of


def leave(
    prompt: Annotated[str, typer.Argument(help="What the next session must know.")] = "",
    prompt_file: Annotated[
        str, typer.Option(metavar="FILE", help="The same from a file; - is stdin.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Hand over: in a relay as its signal, else to the next session of this repository, once."""
    from plastic.work.relay.leaving import leave as keep
    from plastic.work.relay.signalling import signal

    text = prompt_of(prompt, prompt_file, "a hand-off")
    if os.environ.get("RELAY_ID"):
        relay = signal(home(), os.environ, "hand-off", text, instead=False)
        emit({"relay": relay}, "hand-off: heard when this turn ends", as_json=as_json)
        return
    path = keep(home(), os.getcwd(), caller(None).session, text)
    said = f"the next session that starts in this repository gets it; until then it is {path}"
    emit({"relay": None, "path": path}, said, as_json=as_json)
