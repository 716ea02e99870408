"""What can happen to a relay, and what it wants done: one shape for events, one for effects.

Ids and moments come with the event: whoever reads the world draws them, the rule stays pure.
"""

from __future__ import annotations

from typing import NamedTuple

# Event -> what it tells, for the page. Those of people come first: they carry no relay.
EVENTS: dict[str, str] = {
    "START": "begin: `fresh`, `relay`, `session`, `text` (the prompt), `max_steps`, `max_cost`",
    "OFF": "a person stops it; of a stopped one: forget it",
    "RESUME": "a person goes on, with limits raised if wanted; `source` idle: no turn is under way",
    "STAGE_MODEL": "`text` is the model of the next session",
    "INPUT": "`text` from `source`: interactive (a person), rpc or extension; no proof of delivery",
    "TURN_START": "a turn begins in `session`; `source` human, notification or relay",
    "USER_MESSAGE_START": "the prompt `hop` has begun in `session`: the only proof of delivery",
    "NOTIFICATION_START": "the results of `tasks` have reached the agent, in a turn of their own",
    "SETTLED": "the turn ended: `outcome` clean, error, aborted; `parse`, `text`; `fresh`",
    "COST": "`usd` that `session` has cost so far (`is_added`: since the last report); `pricing`",
    "SESSION_NAMED": "the harness calls `session` by the id `text`",
    "BG_CREATED": "background work `task`, `text` its label; `is_detached`: nobody waits for it",
    "BG_STARTED": "the same, where it was not announced",
    "BG_COMPLETED": "it ended; its result has not reached the agent",
    "BG_FAILED": "the same, badly",
    "BG_CONSUMED": "the agent, or who asked for it, has its result",
    "BG_REOPENED": "it goes on after its result was seen",
    "REPLACE_READY": "`session` can take the prompt of `hop`",
    "REPLACE_FAILED": "no session could be made for `hop`",
    "REPLACE_CANCELLED": "somebody forbade it",
    "SEND_ACCEPTED": "the prompt of `hop` was taken, which proves nothing",
    "SEND_REJECTED": "this `attempt` was not taken",
    "SEND_ERROR": "this `attempt` certainly did not begin",
    "TIMER": "`text` (dispatch, delivery) is due for `hop`",
    "PROCESS_LOST": "the runner is gone; `proof` of a prompt under way: found, absent, unknown",
    "SESSION_SHUTDOWN": "the process of `session` ends",
}
HUMAN = ("START", "OFF", "RESUME", "STAGE_MODEL", "INPUT", "PROCESS_LOST")


class Event(NamedTuple):
    """One thing that happened."""

    kind: str
    now: float = 0.0
    relay: str = ""
    session: str = ""
    hop: str = ""  # also the delivery's id
    attempt: int = 0  # of the answers to a send: which one
    fresh: str = ""  # a new id, for the prompt that this event may cause
    source: str = ""
    text: str = ""
    outcome: str = "clean"
    parse: str = "none"  # none, hand-off, done, pause, stop, malformed
    usd: float = 0.0
    is_added: bool = False
    pricing: str = "exact"
    task: str = ""
    tasks: tuple[str, ...] = ()
    is_detached: bool = False
    max_steps: int | None = None
    max_cost: float | None = None
    allows_unknown: bool = False
    is_person: bool = False  # counts as every session
    is_owned: bool = False  # START: another living process has the relay
    proof: str = ""


class Effect(NamedTuple):
    """One thing to be done, after the event that wants it is durable.

    `kind`: notify (people), model (a text that the agent sees), send (`text` to `session`, carrying
    the id `hop`), replace (make a session for `hop`), abort, discard.
    """

    kind: str
    code: str = ""  # of the sentence, or of the prompt, in rules/relay/texts.py
    text: str = ""  # the prompt, byte for byte
    session: str = ""
    hop: str = ""
    model: str = ""
