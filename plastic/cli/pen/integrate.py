"""`plastic pen integrate`: the pen, the End of an intent, and the hand-over in one command."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.door import caller, home, say
from plastic.cli.pen.door import Agent, AsJson, Session, To, acting, show


def integrate(
    intent: Annotated[str, typer.Argument(help="Id, prefix, path or project:id.")],
    agent: Agent = None,
    into: Annotated[str, typer.Option(help="The branch; it must be the base.")] = ...,  # type: ignore[assignment]
    to: To = ...,  # type: ignore[assignment]
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Take the pen, end an intent as `plastic end --delivered`, hand the pen over."""
    from plastic.work.intent.intents import find
    from plastic.work.pen.integrate import Merge
    from plastic.work.pen.integrate import integrate as run
    from plastic.work.pen.view import facts

    with acting("integrate", session, agent) as where:
        place, who = home(), caller(session or None)
        wanted = find(place, intent, who)
        done = run(where, place, who, Merge(wanted, into, to), say)
        code = "integrated" if done.ended is not None else "integrated-again"
        said = where.said(code, intent=wanted.name, into=into, to=to, turn=done.pen.get("turn"))
        merge = (done.ended or {}).get("merge_commit")
        show((facts(where, done.pen, intent=wanted.id, merge_commit=merge), said), as_json=as_json)
