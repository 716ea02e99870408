"""`plastic relay signal`: the agent says that its turn is a boundary."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from plastic.cli.door import emit, home
from plastic.cli.relay.door import AsJson, prompt_of
from plastic.words import Usage

# Kind -> the option that carries its text.
TEXTS = {
    "hand-off": "--prompt-file",
    "done": "--summary",
    "pause": "--question",
    "stop": "--reason",
}


def signal(
    kind: Annotated[str, typer.Argument(help="hand-off, done, pause or stop.")],
    prompt_file: Annotated[
        str, typer.Option(metavar="FILE", help="hand-off: the next prompt; - is stdin.")
    ] = "",
    prompt: Annotated[str, typer.Option(help="hand-off: the next prompt.")] = "",
    summary: Annotated[str, typer.Option(help="done: what was done.")] = "",
    question: Annotated[str, typer.Option(help="pause: what a person must answer.")] = "",
    reason: Annotated[str, typer.Option(help="stop: why it cannot go on.")] = "",
    instead: Annotated[
        bool, typer.Option("--instead", help="Take back what this turn signalled before.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say how this turn ends (for the agent that a relay runs)."""
    from plastic.work.relay.signalling import signal as keep

    if kind not in TEXTS:
        kinds = ", ".join(TEXTS)
        raise Usage("signal", f"no signal {kind!r}: {kinds}", run="plastic relay signal --help")
    given = {
        "--prompt-file": prompt_file or prompt,
        "--summary": summary,
        "--question": question,
        "--reason": reason,
    }
    wrong = [name for name, value in given.items() if value and name != TEXTS[kind]]
    if wrong:
        why = f"{wrong[0]} does not belong to {kind}, but {TEXTS[kind]} does"
        raise Usage("signal", why, run="plastic relay signal --help")
    said = given[TEXTS[kind]]
    if kind == "hand-off":
        said = prompt_of(prompt, prompt_file, "the next prompt")
    relay = keep(home(), os.environ, kind, said, instead=instead)
    emit({"relay": relay, "signal": kind}, f"{kind}: heard when this turn ends", as_json=as_json)
