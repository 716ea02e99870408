"""Verbs around the pen: init, bind, roster, requests, tasks, notes, archive, repair."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.pen.door import (
    Agent,
    AsJson,
    Force,
    PenId,
    Reason,
    Session,
    To,
    acting,
    desk,
    show,
)

Number = Annotated[int, typer.Option("--request", help="Its number.")]
Words = Annotated[list[str] | None, typer.Argument(metavar="[AGENT] TEXT")]


def init(
    agents: Annotated[str, typer.Option(help="Who takes turns; two names or more.")] = "",
    name: Annotated[str, typer.Option(help="The title; default: the folder's name.")] = "",
    lang: Annotated[str, typer.Option(help="en, fr; others read English.")] = "",
    force: Annotated[bool, typer.Option("--force", help="A new session; no turn goes.")] = False,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Make the pen of this tree."""
    from plastic.work.pen.init import init as make

    with desk("init", session) as where:
        show(make(where, name, agents, lang, force=force), as_json=as_json)


def bind(
    agent: Agent = None,
    clear: Annotated[bool, typer.Option("--clear", help="Bound no more.")] = False,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Say which agent this session is: the gate then holds it to the pen."""
    from plastic.work.pen import bind
    from plastic.work.pen.foreign import bound
    from plastic.work.pen.read import on_roster
    from plastic.work.pen.view import facts

    with desk("bind", session) as where:
        if not where.session:
            raise where.refusal("no-session")
        _, pen, _ = where.look()
        if clear:
            bind.unbind(where.place, where.session)
            show((facts(where, pen, bound=None), where.said("unbind")), as_json=as_json)
            return
        me = bind.actor(where, agent)
        on_roster(where, pen)
        kept = str(bound(where.place, where.session).get("pen_id") or "")
        bind.bind(where.place, where.session, me, kept)
        show((facts(where, pen, bound=me), where.said("bind")), as_json=as_json)


def roster(
    words: Annotated[list[str] | None, typer.Argument(metavar="[add NAME]")] = None,
    by: Annotated[str, typer.Option(help="Who has the pen and lets it in.")] = "",
    pen_id: PenId = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Who takes turns; `add NAME --by AGENT` lets another one in."""
    from plastic.work.pen.roster import join
    from plastic.work.pen.view import facts

    with desk("roster", session) as where:
        if not words:
            _, pen, _ = where.look()
            show((facts(where, pen), "\n".join(pen.agents)), as_json=as_json)
            return
        if words[0] != "add" or len(words) != 2:
            raise where.usage("join-how")
        show(join(where, words[1], by or None, pen_id), as_json=as_json)


def request(
    agent: Agent = None,
    to: To = "",
    reason: Reason = "",
    withdraw: Annotated[int, typer.Option(help="Take this request of yours back.")] = 0,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Ask who has the turn for it."""
    from plastic.work.pen import asks
    from plastic.work.pen.desk import Wish

    with acting("request", session, agent) as where:
        if withdraw:
            found = asks.close(where, withdraw, reason, "withdrawn")
        else:
            found = asks.request(where, Wish(to=to, reason=reason))
        show(found, as_json=as_json)


def yield_(
    agent: Agent = None,
    number: Number = 0,
    to: To = "",
    reason: Reason = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Give the turn to who asked for it."""
    from plastic.work.pen.asks import answer
    from plastic.work.pen.desk import Wish

    with acting("yield", session, agent) as where:
        wish = Wish(to=to, reason=reason, request=number)
        show(answer(where, "yield", wish), as_json=as_json)


def decline(
    agent: Agent = None,
    number: Number = 0,
    reason: Reason = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Answer a request with no; also after you have handed over."""
    from plastic.work.pen.asks import close

    with acting("decline", session, agent) as where:
        show(close(where, number, reason, "declined"), as_json=as_json)


def steer(
    agent: Agent = None,
    from_: Annotated[str, typer.Option("--from", help="Who is awaited and does not come.")] = "",
    number: Number = 0,
    force: Force = False,
    reason: Reason = "",
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Take the turn of one who is awaited and was asked for it."""
    from plastic.work.pen.asks import answer
    from plastic.work.pen.desk import Wish

    with acting("steer", session, agent) as where:
        wish = Wish(to=from_, reason=reason, request=number, force=force)
        show(answer(where, "steer", wish), as_json=as_json)


def remember(words: Words = None, session: Session = "", as_json: AsJson = False) -> None:
    """A line for everybody, whoever has the turn."""
    from plastic.work.pen.asks import remember as note
    from plastic.work.pen.bind import actor

    with desk("remember", session) as where:
        agent, text = where.named(words or [])
        actor(where, agent)
        show(note(where, text), as_json=as_json)


def task(
    verb: Annotated[str, typer.Argument(metavar="add|done|drop|list")] = "list",
    words: Annotated[list[str] | None, typer.Argument(metavar="[AGENT] TEXT|ID")] = None,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """What somebody is doing; who has an open task does not pause."""
    from plastic.work.pen import asks
    from plastic.work.pen.bind import actor

    with desk("task", session) as where:
        if verb == "list":
            show(asks.listed(where), as_json=as_json)
            return
        if verb not in ("add", "done", "drop"):
            raise where.usage("task-how")
        agent, text = where.named(words or [])
        actor(where, agent)
        show(asks.task(where, verb, text), as_json=as_json)


def archive(
    keep: Annotated[int, typer.Option(help="So many of the newest stay.")] = 6,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Move old turns to another file; what somebody has not read stays."""
    from plastic.work.pen.tidy import archive as tidy

    with desk("archive", session) as where:
        show(tidy(where, keep), as_json=as_json)


def repair(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be.")] = False,
    session: Session = "",
    as_json: AsJson = False,
) -> None:
    """Rebuild the block from the turns; none of them goes."""
    from plastic.work.pen.tidy import repair as mend

    with desk("repair", session) as where:
        show(mend(where, dry_run=dry_run), as_json=as_json)
