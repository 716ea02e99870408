"""The guards of the pen's table: each one reason why a command that fits the state is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.pen.ask import No
from plastic.rules.pen.block import epoch, holder, instance, is_name, is_stale
from plastic.rules.pen.clock import seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.pen.ask import Ask
    from plastic.rules.pen.block import Pen


def identity(pen: Pen) -> tuple[str, ...]:
    """What must not have changed between a look and the act on it."""
    return tuple(pen.get(key) for key in ("session", "turn", "holder", "state", "expires"))


def _token(pen: Pen, ask: Ask) -> No | None:
    """Who says which instance it is must be the current one; who says nothing is its name."""
    if ask.epoch is not None and ask.epoch != epoch(pen):
        return No("displaced", given=f"epoch {ask.epoch}", current=f"epoch {epoch(pen)}")
    if ask.pen_id and ask.pen_id != pen.get("pen_id"):
        return No("displaced", given=ask.pen_id, current=pen.get("pen_id") or "-")
    return None


def _mine(pen: Pen, ask: Ask) -> No | None:
    """The same in an open window, whose token must also be of this window."""
    opened = instance(pen)
    if pen.kind == "WORKING" and not opened and (ask.pen_id or ask.epoch is not None):
        # The lines are an earlier window's: a program that writes none has opened this one.
        return No("displaced", given=ask.pen_id or f"epoch {ask.epoch}", current="-")
    return _token(pen, ask)


def _whole(pen: Pen, _: Ask) -> No | None:
    merge = pen.get("integrating")
    return No("integrating", merge=merge) if merge else None


def _recipient(_: Pen, ask: Ask) -> No | None:
    return None if ask.to else No("no-recipient")


def _reason(_: Pen, ask: Ask) -> No | None:
    return None if ask.reason.strip() else No("no-reason")


def _read(_: Pen, ask: Ask) -> No | None:
    return No("unread", turn=ask.unread) if ask.unread else None


def _no_task(_: Pen, ask: Ask) -> No | None:
    return No("open-task", task=ask.task) if ask.task else None


def _unchanged(pen: Pen, ask: Ask) -> No | None:
    same = ask.seen is None or ask.seen == identity(pen)
    return None if same else No("changed")


def _person(_: Pen, ask: Ask) -> No | None:
    return None if ask.is_person else No("person")


def _alive(_: Pen, ask: Ask) -> No | None:
    """An expired window is no proof of death; a person may know better."""
    return No("alive", beat=ask.alive) if ask.alive and not ask.is_person else None


def _force(_: Pen, ask: Ask) -> No | None:
    return None if ask.is_forced else No("no-force")


def _until(pen: Pen, ask: Ask) -> No | None:
    if seconds(ask.until) is None:
        return No("no-moment", given=ask.until)
    if ask.whom and ask.whom not in pen.agents:
        return No("no-agent", name=ask.whom, agents=" | ".join(pen.agents))
    awaited = holder(pen)
    is_other = ask.whom and awaited and ask.whom != awaited
    return No("not-awaited", name=ask.whom) if is_other else None


def cooldown(pen: Pen) -> tuple[int, str] | None:
    """(until, agent or "") of this pause; None when it has none or an earlier pause had it."""
    parts = pen.get("pen_cooldown").split()
    if pen.kind != "PAUSED" or len(parts) != 3 or parts[2] != pen.get("since"):
        return None
    until = seconds(parts[0])
    return None if until is None else (until, "" if parts[1] == "any" else parts[1])


def _cooled(pen: Pen, ask: Ask) -> No | None:
    """A usage limit ends when it ends, whoever asks; a person may know better."""
    found = cooldown(pen)
    if found is None or ask.is_person:
        return None
    until, whom = found
    if ask.now < until:
        return No("cooldown", seconds=until - ask.now, until=pen.get("pen_cooldown").split()[0])
    return No("cooldown-of", name=whom) if whom and whom != ask.actor else None


def _scope(_: Pen, ask: Ask) -> No | None:
    return None if ask.scope.strip() or ask.is_person else No("no-scope")


def _request(_: Pen, ask: Ask) -> No | None:
    return None if ask.request == "open" else No(f"request-{ask.request or 'missing'}")


def _target(pen: Pen, ask: Ask) -> No | None:
    is_held = ask.to == holder(pen)
    return None if is_held else No("not-holder", name=ask.to or "-", holder=holder(pen))


def _name(pen: Pen, ask: Ask) -> No | None:
    if is_stale(pen, ask.now):
        return No("expired")
    return None if is_name(ask.name) else No("bad-name", name=ask.name)


GUARDS: dict[str, Callable[[Pen, Ask], No | None]] = {
    "token": _token,
    "mine": _mine,
    "whole": _whole,
    "recipient": _recipient,
    "reason": _reason,
    "read": _read,
    "no task": _no_task,
    "unchanged": _unchanged,
    "person": _person,
    "alive": _alive,
    "force": _force,
    "until": _until,
    "cooled": _cooled,
    "scope": _scope,
    "request": _request,
    "target": _target,
    "name": _name,
}

# Guard -> what it asks, for the page.
ASKS: dict[str, str] = {
    "token": "a `pen_id` or `epoch` that is presented is the current one",
    "mine": "a `pen_id` or `epoch` that is presented is that of the open window",
    "whole": "no merge is under way (`integrating`)",
    "recipient": "`--to` names another agent of the roster",
    "reason": "a reason is given",
    "read": "the actor has read the newest turn that is addressed to it",
    "no task": "the actor has no open task",
    "unchanged": "nothing changed between the look and the act",
    "person": "a person confirms at a terminal",
    "alive": "no other program has just seen the holder at work, or a person confirms",
    "force": "`--force` is given",
    "until": "`--until` is a UTC timestamp, `--for` the awaited agent",
    "cooled": "a cooldown is over, and this is the agent that it was for",
    "scope": "a person resumes, or `--scope` says what is to be done",
    "request": "the request is open, by this agent, to that one",
    "target": "`--to` names the agent that has the turn",
    "name": "the window has not expired and the name can be one",
}
