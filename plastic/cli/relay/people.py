"""What a person tells a relay: an answer, to go on, to stop, which model comes next."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from plastic.cli.door import caller, emit, home, say
from plastic.cli.relay.door import (
    AsJson,
    MaxCost,
    MaxSteps,
    Name,
    Named,
    Unknown,
    ended,
    found,
    prompt_of,
)
from plastic.cli.relay.progress import shown
from plastic.disk.person import require_person


def reply(
    text: Annotated[str, typer.Argument(help="The answer; the agent gets it as its prompt.")] = "",
    prompt_file: Annotated[
        str, typer.Option(metavar="FILE", help="The same from a file; - is stdin.")
    ] = "",
    relay: Named = "",
    as_json: AsJson = False,
) -> None:
    """Answer the agent that asks, and run the relay here again; a person at a terminal may."""
    from plastic.rules.relay.events import Event
    from plastic.work.relay.people import run

    said = prompt_of(text, prompt_file, "an answer")
    place, about = found(relay)
    require_person(os.environ, place.name, "the answer to an agent")
    event = Event("INPUT", source="interactive", text=said, is_person=True)
    with shown() as (tell_people, draw):
        value = run(home(), place, about, event, tell_people, draw)
    ended(value, as_json=as_json)


def resume(
    relay: Name = "",
    max_steps: MaxSteps = None,
    max_cost: MaxCost = None,
    allow_unknown_cost: Unknown = False,
    as_json: AsJson = False,
) -> None:
    """Go on: what waits is sent, what was lost is looked for, limits may be raised."""
    from plastic.disk.person import why_no_person
    from plastic.rules.relay.events import Event
    from plastic.work.relay.people import run

    place, about = found(relay)
    event = Event(
        "RESUME",
        source="idle",
        session=caller(None).session,
        max_steps=max_steps,
        max_cost=max_cost,
        allows_unknown=allow_unknown_cost,
        is_person=why_no_person(os.environ, terminal=True) is None,
    )
    with shown() as (tell_people, draw):
        value = run(home(), place, about, event, tell_people, draw)
    ended(value, as_json=as_json)


def attach(relay: Name = "", as_json: AsJson = False) -> None:
    """Watch a relay that runs; take over the child of one whose process is gone."""
    from plastic.work.relay.attach import attach as watch

    place, about = found(relay)
    with shown() as (tell_people, draw):
        value = watch(home(), place, about, tell_people, draw)
    ended(value, as_json=as_json)


def off(relay: Name = "", as_json: AsJson = False) -> None:
    """Stop a relay and its child; what it hands over is kept. A stopped one is forgotten."""
    from plastic.rules.relay.events import Event
    from plastic.work.relay.people import tell
    from plastic.work.relay.report import text

    place, about = found(relay)
    value = tell(home(), place, about, Event("OFF", source="interactive", is_person=True), say)
    emit(value, text(value), as_json=as_json)


def stage_model(
    model: Annotated[str, typer.Argument(help="The model of the next session.")],
    relay: Named = "",
    as_json: AsJson = False,
) -> None:
    """Choose the model of the next session."""
    from plastic.rules.relay.events import Event
    from plastic.work.relay.people import tell
    from plastic.work.relay.report import text

    place, about = found(relay)
    value = tell(home(), place, about, Event("STAGE_MODEL", text=model, is_person=True), say)
    emit(value, text(value), as_json=as_json)
