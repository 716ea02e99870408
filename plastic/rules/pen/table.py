"""Who may move the pen, and where it goes: one table of every command in every state.

`decide` looks a command up, asks the guards of the cell, and answers with a Move (the values that
the block gets) or a No (a code of rules/pen/texts.py). It changes nothing and asks no clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.pen import guards
from plastic.rules.pen.ask import Move, No
from plastic.rules.pen.block import TTL, epoch, holder, is_stale
from plastic.rules.pen.clock import stamp

if TYPE_CHECKING:
    from plastic.rules.pen.ask import Ask
    from plastic.rules.pen.block import Pen

COLUMNS = (
    "IDLE",
    "WORKING, mine",
    "WORKING, another's",
    "WORKING, another's, expired",
    "AWAITING me",
    "AWAITING another",
    "PAUSED",
    "DONE",
)


class Cell(NamedTuple):
    """What a command does: `holder` is actor, to, none or same; `guards` are asked in order."""

    state: str  # IDLE, WORKING, AWAITING, PAUSED, DONE, same
    holder: str
    turn: str = "same"  # same, +1
    expires: str = "-"  # -, now + TTL, same
    since: str = "now"  # now, kept
    event: str = "state"  # in the ledger of sessions; "" for none
    guards: tuple[str, ...] = ()


def _tight(*guards: str) -> tuple[str, ...]:
    return ("whole", *guards)


OPEN = Cell("WORKING", "actor", expires="now + TTL", guards=("token",))
REFRESH = Cell("WORKING", "actor", "same", "now + TTL", "kept", "", ("mine",))
TAKE = OPEN._replace(event="force", guards=_tight("token", "unchanged", "alive"))
HAND = Cell("AWAITING", "to", "+1", guards=_tight("mine", "recipient"))
MERGED = HAND._replace(guards=("mine", "recipient"))
PASS = Cell("AWAITING", "to", guards=_tight("mine", "recipient", "read"))
PASS_OWN = PASS._replace(event="force", guards=_tight("mine", "recipient", "reason"))
PASS_FOREIGN = PASS._replace(event="force", guards=_tight("recipient", "reason", "unchanged"))
PASS_STALE = PASS_FOREIGN._replace(guards=(*PASS_FOREIGN.guards, "alive"))
PASS_LIVE = PASS_FOREIGN._replace(guards=(*PASS_FOREIGN.guards, "person"))
CLOSE = Cell("DONE", "none", event="done", guards=_tight("mine"))
CLOSE_FOREIGN = CLOSE._replace(event="force", guards=_tight("reason", "unchanged"))
CLOSE_STALE = CLOSE_FOREIGN._replace(guards=(*CLOSE_FOREIGN.guards, "alive"))
CLOSE_LIVE = CLOSE_FOREIGN._replace(guards=(*CLOSE_FOREIGN.guards, "person"))
STAY = Cell("same", "same", "same", "same", "kept", "")
PARK = Cell("PAUSED", "none", event="pause", guards=_tight("mine", "reason", "no task"))
COOL = Cell("PAUSED", "none", event="pause", guards=_tight("reason", "until"))
COOL_LONGER = COOL._replace(since="kept")
RESUME = Cell("AWAITING", "actor", event="resume", guards=("reason", "cooled", "scope"))
YIELD = Cell("AWAITING", "to", event="yield", guards=_tight("mine", "recipient", "request"))
STEER = Cell("AWAITING", "actor", event="force", guards=("force", "target", "request", "reason"))
ADD = STAY._replace(guards=("mine", "name"))
ASKED = STAY._replace(guards=("reason", "target"))
ANEW = Cell("IDLE", "none", event="reset", guards=("whole",))
ANEW_STALE = ANEW._replace(guards=("whole", "unchanged", "alive"))
ANEW_LIVE = ANEW._replace(guards=("whole", "unchanged", "person"))

# Command -> one entry for each column: what it does, or the code of its refusal.
TABLE: dict[str, tuple[Cell | str, ...]] = {
    "claim": (OPEN, REFRESH, "held", "stale", OPEN, "awaited", "paused", "done"),
    "claim --refresh": ("no-window", REFRESH, *("no-window",) * 4, "paused", "done"),
    "claim --force": (OPEN, REFRESH, "live", TAKE, OPEN, "awaited", "paused", "done"),
    "append": ("unclaimed", HAND, "held", "stale", "unclaimed", "awaited", "paused", "done"),
    "integrate": ("unclaimed", MERGED, "held", "stale", "unclaimed", "awaited", "paused", "done"),
    "release": (PASS, PASS, "held", "stale", PASS, "awaited", "paused", "done"),
    "release --force": (
        *(PASS_OWN, PASS_OWN, PASS_LIVE, PASS_STALE, PASS_OWN, PASS_FOREIGN),
        *("paused", "done"),
    ),
    "done": (CLOSE, CLOSE, "held", "stale", CLOSE, "awaited", CLOSE, STAY),
    "done --force": (*(CLOSE, CLOSE, CLOSE_LIVE, CLOSE_STALE, CLOSE, CLOSE_FOREIGN, CLOSE, STAY),),
    "pause": ("unclaimed", PARK, "held", "stale", PARK, "awaited", "paused", "done"),
    "resume": (*("not-paused",) * 6, RESUME, "done"),
    "cooldown": (COOL, "working", "working", "working", COOL, COOL, "paused", "done"),
    "cooldown --replace": (
        *(COOL, "working", "working", "working", COOL, COOL, COOL_LONGER, "done"),
    ),
    "yield": ("unclaimed", YIELD, "held", "stale", YIELD, "awaited", "paused", "done"),
    "steer": ("not-awaited", "mine", "held", "stale", "mine", STEER, "paused", "done"),
    "request": ("free", "mine", ASKED, ASKED, "mine", ASKED, "paused", "done"),
    "roster add": ("unclaimed", ADD, "held", "stale", "unclaimed", "awaited", "paused", "done"),
    "init --force": (ANEW, ANEW_LIVE, ANEW_LIVE, ANEW_STALE, ANEW, ANEW, ANEW, ANEW),
}


def column(pen: Pen, actor: str, now: int) -> int:
    """Which column of the table a block is for an actor."""
    kind, is_mine = pen.kind, holder(pen) == actor != ""
    if kind == "WORKING":
        return 1 if is_mine else 2 + is_stale(pen, now)
    if kind == "AWAITING":
        return 4 if is_mine else 5
    return {"IDLE": 0, "PAUSED": 6, "DONE": 7}[kind]


def decide(pen: Pen, ask: Ask) -> Move | No:
    """What a command does to this block; the block itself must be without faults."""
    names = pen.agents
    if ask.actor not in names and not (ask.actor == "" and ask.verb in NOBODY):
        return No("no-agent", name=ask.actor, agents=" | ".join(names))
    if ask.to and ask.to not in names:
        return No("no-agent", name=ask.to, agents=" | ".join(names))
    if ask.to and ask.to == ask.actor:
        return No("self", name=ask.actor)
    # A second session of the same name is another's, as long as the window is not its own.
    me = "" if ask.is_other else ask.actor
    cell = TABLE[ask.verb][column(pen, me, ask.now)]
    if isinstance(cell, str):
        return No(cell)
    for name in cell.guards:
        no = guards.GUARDS[name](pen, ask)
        if no is not None:
            return no
    return _move(pen, ask, cell)


# Commands that name no actor.
NOBODY = ("cooldown", "cooldown --replace", "init --force")


def _move(pen: Pen, ask: Ask, cell: Cell) -> Move:
    """The values that change, nothing else."""
    if cell.state == "same":
        return Move(pen.get("state"), pen.get("state"), {}, "")
    owner = {"actor": ask.actor, "to": ask.to, "none": "none"}[cell.holder]
    state = f"{cell.state}_{owner.upper()}" if cell.state in ("WORKING", "AWAITING") else cell.state
    new: dict[str, str | None] = {"holder": owner, "state": state}
    if cell.turn == "+1":
        new["turn"] = str(int(pen.get("turn")) + 1)
    if cell.since == "now":
        new["since"] = stamp(ask.now)
    new["expires"] = stamp(ask.now + TTL) if cell.expires == "now + TTL" else "-"
    if cell.event:
        new["note"] = ask.reason or "-"
    if cell.state == "WORKING" and cell.since == "now":
        opened = stamp(ask.now).replace("-", "").replace(":", "")
        new |= {"pen_id": f"{opened}-{ask.nonce}", "epoch": str(epoch(pen) + 1)}
    elif cell.state != "WORKING" and "pen_id" in pen.fields:
        new["pen_id"] = "-"  # a program that writes none opens the next window with this line
    new |= _cooldown(pen, ask, cell)
    if cell.event == "reset":
        new["session"] = ask.session or None
    changed = {key: value for key, value in new.items() if pen.fields.get(key) != value}
    return Move(pen.get("state"), state, changed, cell.event)


def _cooldown(pen: Pen, ask: Ask, cell: Cell) -> dict[str, str | None]:
    """`pen_cooldown: UNTIL AGENT|any SINCE`, as long as its pause lasts."""
    if cell is COOL or cell is COOL_LONGER:
        since = pen.get("since") if cell is COOL_LONGER else stamp(ask.now)
        return {"pen_cooldown": f"{ask.until} {ask.whom or 'any'} {since}"}
    gone: dict[str, str | None] = {"pen_cooldown": None}
    return gone if "pen_cooldown" in pen.fields else {}
