"""What is to be seen of relays: one, all, and what has happened."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.door import emit, home
from plastic.cli.relay.door import AsJson, Name, found


def status(relay: Name = "", as_json: AsJson = False) -> None:
    """What a relay is doing, and the one command that is worth running now."""
    from plastic.work.relay.desk import look
    from plastic.work.relay.report import report, text

    place, about = found(relay)
    value = report(place, about, look(place))
    emit(value, text(value), as_json=as_json)


def list_(as_json: AsJson = False) -> None:
    """Every relay of this home, the newest first."""
    from plastic.work.relay.listing import listed, text

    value = listed(home())
    emit(value, text(value), as_json=as_json)


def log(
    relay: Name = "",
    number: Annotated[int, typer.Option("-n", help="How many of the last events.")] = 40,
    as_json: AsJson = False,
) -> None:
    """What has happened to a relay, as its journal tells it."""
    from plastic.work.relay.listing import history, told

    place, _ = found(relay)
    value = history(place, number)
    emit(value, told(value), as_json=as_json)
