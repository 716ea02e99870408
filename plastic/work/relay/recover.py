"""What a new runner finds: a child at work, one that has ended meanwhile, or nothing at all."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk.relay import turn as turns
from plastic.rules.relay.events import Event
from plastic.work.relay.runner import WORKING
from plastic.work.relay.watch import Watch

if TYPE_CHECKING:
    from plastic.disk.relay.turn import Turn
    from plastic.rules.relay.state import State
    from plastic.work.relay.runner import Runner

PATIENCE = 2.0  # seconds that a shell may need to say which process it is
TICK = 0.05


def recover(runner: Runner) -> bool:
    """Go on where the last runner was lost; True = its child is watched again, or was read."""
    desk = runner.desk
    state = desk.state
    turn = turns.last(desk.place)
    mine = turn is not None and is_of(state, turn)
    if turn is not None and mine and (_lives(turn) or _has_news(state, turn)):
        watch = Watch(turn, runner.new_adapter(), desk.place.name, desk.about.stall)
        runner.reattach(watch)
        return True
    if is_unsettled(state):
        runner.post(Event("PROCESS_LOST", proof=_proof(turn if mine else None)))
    return False


def is_of(state: State, turn: Turn) -> bool:
    """Whether this turn is the one that the state waits for."""
    if state.state not in (*WORKING, "attention"):
        return False
    pending = state.pending
    if pending is not None:
        return pending.is_started and turn.delivery == pending.hop
    if state.state == "attention":
        return False  # of a turn whose end was heard
    if state.sent is not None:
        return turn.delivery == state.sent[0]
    return turn.session == state.current


def _has_news(state: State, turn: Turn) -> bool:
    """Whether it has ended and nobody has heard how: in the background that was heard."""
    return turns.code(turn) is not None and state.state != "background"


def is_unsettled(state: State) -> bool:
    """Whether something was under way that nobody looks after any more."""
    tried = state.pending is not None and (state.pending.is_started or state.has_claim)
    return state.state in WORKING or (tried and state.state in ("attention", "stopped"))


def _lives(turn: Turn) -> bool:
    """Whether its process is there; one that was just started may not have said so."""
    until = time.monotonic() + PATIENCE
    while not turns.process(turn):
        if turns.has_begun(turn) or time.monotonic() > until or time.time() - turn.at > PATIENCE:
            return bool(turns.process(turn))
        time.sleep(TICK)
    return True


def _proof(turn: Turn | None) -> str:
    """What is known of the prompt of a turn whose process is gone: it has begun, or never will."""
    if turn is None or turns.give_up(turn):
        return "absent"
    return "found"
