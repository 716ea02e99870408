"""Starts a relay: one live one for each intent, else for each repository."""

from __future__ import annotations

import math
import os
import time
import uuid
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.locks import relay_guard
from plastic.disk.relay import journal
from plastic.disk.relay.place import About, make, owner, relays
from plastic.harness.agents.known import AGENTS
from plastic.harness.agents.prices import price
from plastic.rules.relay.events import Event
from plastic.words import Broken, Held, Refused, Usage
from plastic.work.intent.intents import find
from plastic.work.relay.desk import look
from plastic.work.relay.people import tell
from plastic.work.relay.repository import key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.relay.place import Place


class Wish(NamedTuple):
    """What was asked for."""

    prompt: str
    agent: str = "command"
    program: str = ""
    model: str = ""
    max_steps: int = 20
    max_cost: float | None = None
    allows_unknown: bool = False
    stall: float = 1800.0
    args: tuple[str, ...] = ()
    intent: str = ""
    ends: bool = False


def begin(
    home: Home, cwd: str, wish: Wish, say: Callable[[str], None]
) -> tuple[Place, About, Event]:
    """Make the relay's folder; the event that starts it. What it replaces is stopped, and told."""
    check(wish)
    intent = find(home, wish.intent).dir if wish.intent else ""
    about = About(
        uuid.uuid4().hex[:12],
        time.time(),
        cwd,
        key_of(cwd),
        intent or key_of(cwd),
        wish.agent,
        program_of(wish, cwd),
        wish.model,
        intent=intent,
        ends=wish.ends,
        args=wish.args,
        stall=wish.stall,
    )
    with relay_guard(home):
        _make_room(home, about.key, say)
        place = make(home, about)
        journal.begin(place)
    adapter = AGENTS[wish.agent](about.program)
    start = Event(
        "START",
        relay=about.relay,
        session=str(uuid.uuid4()),
        text=wish.prompt,
        max_steps=wish.max_steps,
        max_cost=wish.max_cost,
        allows_unknown=wish.allows_unknown,
        pricing=pricing_of(adapter.caps.cost, wish.model),
        source="interactive",
    )
    return place, about, start


def check(wish: Wish) -> None:
    """Refuse what can never run, before there is anything."""
    again = "plastic relay start --help"
    if not wish.prompt.strip():
        raise Usage("prompt", "the prompt is empty", run=again)
    if wish.agent not in AGENTS:
        known = ", ".join(sorted(AGENTS))
        raise Usage("agent", f"no agent {wish.agent!r}: there are {known}", run=again)
    if wish.max_steps < 1:
        raise Usage("limits", f"--max-steps is at least 1, not {wish.max_steps}", run=again)
    cap = wish.max_cost
    if cap is not None and not (math.isfinite(cap) and cap > 0):
        raise Usage("limits", f"--max-cost is more than 0 USD, not {cap}", run=again)
    if not (math.isfinite(wish.stall) and wish.stall > 0):
        raise Usage("limits", f"--stall is more than 0 seconds, not {wish.stall}", run=again)
    caps = AGENTS[wish.agent](wish.program).caps
    priced = pricing_of(caps.cost, wish.model) != "unknown"
    if cap is not None and not priced and not wish.allows_unknown:
        why = f"nobody can tell what agent {wish.agent} costs, so --max-cost could not hold"
        raise Refused("unpriced", f"{why}; --allow-unknown-cost starts it anyway", run=again)
    if wish.ends and not wish.intent:
        raise Usage("end", "--end needs --intent: which intent is it the end of?", run=again)
    if wish.agent == "command" and not wish.program:
        raise Usage("command", "--agent command needs --command PATH", run=again)


def pricing_of(told: str, model: str) -> str:
    """How well the cost of an agent is known: by what it tells, else by its model's prices."""
    if told == "tokens" and price(model) is not None:
        return "estimated"
    return "exact" if told == "exact" else "unknown"


def program_of(wish: Wish, cwd: str) -> str:
    """The program, absolute where a path was given; refused when it cannot be run."""
    if not wish.program:
        return ""
    path = os.path.join(cwd, os.path.expanduser(wish.program))
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        from plastic.disk.command import look_command

        raise Usage("command", f"{path} is no program that can be run", run=look_command(path))
    return path


def _make_room(home: Home, key: str, say: Callable[[str], None]) -> None:
    """Only one relay may be live here: one that runs is in the way, one that waits is stopped."""
    for place, about in relays(home):
        if about.key != key:
            continue
        if owner(place):  # also of one that has not begun yet
            raise Held(
                "relay-live",
                f"relay {place.name} runs here (process {owner(place)})",
                who=f"relay {place.name}",
                run=f"plastic relay off {place.name}",
            )
        if _is_live(place):
            tell(home, place, about, Event("OFF", source="interactive"), say)
            again = f"plastic relay resume {place.name}"
            say(f"relay {place.name}, which waited here, was switched off; run: {again}")


def _is_live(place: Place) -> bool:
    """Whether it waits for somebody; one that cannot be read does not, and says so when asked."""
    try:
        return look(place).is_live
    except Broken:
        return False
