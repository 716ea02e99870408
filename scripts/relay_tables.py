"""The tables of references/relay.md, from the rules of the relay and the agents that it drives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.harness.agents.known import AGENTS
from plastic.harness.agents.prices import PRICES
from plastic.rules.relay.events import EVENTS
from plastic.rules.relay.state import STATES
from plastic.rules.relay.table import TABLE, Row
from plastic.rules.relay.texts import REFUSED, STANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Rows = Callable[[Iterable[str], Iterable[Iterable[str]]], str]

PAGE = "references/relay.md"


def transitions(rows: Rows) -> str:
    """Every row of the table, those of several events or states as one."""
    merged: dict[tuple[object, ...], list[Row]] = {}
    for row in TABLE:
        if row.number == "75":
            continue  # every state with every event: said in the text
        key = (row.number, row.states, row.guards, row.next, row.changes, row.effects)
        merged.setdefault(key, []).append(row)
    return rows(
        ("row", "in", "when", "if", "then", "and"),
        (
            (
                found[0].number,
                ", ".join(found[0].states),
                ", ".join(one.event for one in found),
                ", ".join(found[0].guards),
                found[0].next,
                ", ".join((*found[0].changes, *(f"**{one}**" for one in found[0].effects))),
            )
            for found in merged.values()
        ),
    )


def diagram() -> str:
    """Each way from state to state, with the events that go it."""
    ways: dict[tuple[str, str], list[str]] = {}
    for row in TABLE:
        to = row.next.partition("(")[0]
        for state in row.states:
            if to not in ("same", state):
                ways.setdefault((state, to), []).append(row.event)
    lines = [
        f"    {one:<12}─ {', '.join(dict.fromkeys(events))} ─► {other}"
        for (one, other), events in sorted(ways.items(), key=lambda way: STATES.index(way[0][0]))
    ]
    return "```\n" + "\n".join(lines) + "\n```"


def agents(rows: Rows) -> str:
    """What each agent can do."""
    heads = ("agent", "goes on in a session", "tells its cost", "background results", "proof")
    body = []
    for name, make in sorted(AGENTS.items()):
        caps = make("").caps
        body.append(
            (
                f"`{name}`",
                "yes" if caps.resumes else "no: a new one gets the text",
                caps.cost,
                "reach it" if caps.keeps_background else "end with its turn",
                {"stdin": "it was started with it", "stream": "its output"}[caps.proof],
            )
        )
    return rows(heads, body)


def prices(rows: Rows) -> str:
    """What tokens cost."""
    return rows(
        ("model", "input", "cached input", "output"),
        ((f"`{name}`", *map(str, row)) for name, row in sorted(PRICES.items())),
    )


def tables(rows: Rows) -> list[tuple[str, str, Callable[[], str]]]:
    """What print_references.py prints."""
    return [
        (PAGE, "diagram", diagram),
        (PAGE, "transitions", lambda: transitions(rows)),
        (
            PAGE,
            "events",
            lambda: rows(("event", "tells"), ((f"`{k}`", v) for k, v in EVENTS.items())),
        ),
        (
            PAGE,
            "stands",
            lambda: rows(
                ("state or reason", "means", "next"),
                ((f"`{k}`", why, f"`{run}`") for k, (why, run) in STANDS.items()),
            ),
        ),
        (
            PAGE,
            "refused",
            lambda: rows(("code", "says"), ((f"`relay-{k}`", v) for k, v in REFUSED.items())),
        ),
        (PAGE, "agents", lambda: agents(rows)),
        (PAGE, "prices", lambda: prices(rows)),
    ]
