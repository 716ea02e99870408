"""`plastic relay start`: the first session, in the foreground until somebody is needed."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from plastic.cli.door import home, say
from plastic.cli.relay.door import AsJson, Unknown, ended, prompt_of
from plastic.cli.relay.progress import shown


def start(
    prompt: Annotated[str, typer.Argument(help="What the first session is to do.")] = "",
    prompt_file: Annotated[
        str, typer.Option(metavar="FILE", help="The same from a file; - is stdin.")
    ] = "",
    agent: Annotated[str, typer.Option(help="claude, or another of references/relay.md.")] = "",
    command: Annotated[
        str,
        typer.Option(
            metavar="PATH", help="A program of yours as the agent, or where the agent is."
        ),
    ] = "",
    arg: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD", help="A word more for its command line; may be repeated."),
    ] = None,
    model: Annotated[str, typer.Option(help="The model of the sessions.")] = "",
    max_steps: Annotated[
        int, typer.Option(help="How many sessions at most, the first included.")
    ] = 20,
    max_cost: Annotated[
        float | None, typer.Option(help="USD at most; at 95 % no session is begun.")
    ] = None,
    allow_unknown_cost: Unknown = False,
    stall: Annotated[
        float, typer.Option(metavar="SECONDS", help="A child that says nothing so long is stuck.")
    ] = 1800.0,
    intent: Annotated[
        str, typer.Option(metavar="I", help="Deliver this intent: its lock goes with the work.")
    ] = "",
    end: Annotated[bool, typer.Option("--end", help="Run End when the work is done.")] = False,
    as_json: AsJson = False,
) -> None:
    """Start a relay and run it here until it is done, asks something, or needs attention."""
    from plastic.work.relay.begin import Wish, begin
    from plastic.work.relay.people import run

    wish = Wish(
        prompt_of(prompt, prompt_file, "a PROMPT"),
        agent or ("command" if command else "claude"),
        command,
        model,
        max_steps,
        max_cost,
        allow_unknown_cost,
        stall=stall,
        args=tuple(arg or ()),
        intent=intent,
        ends=end,
    )
    where = home()
    place, about, event = begin(where, os.getcwd(), wish, say)
    with shown() as (tell_people, draw):
        value = run(where, place, about, event, tell_people, draw)
    ended(value, as_json=as_json)
