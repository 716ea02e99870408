"""What a new runner finds: a child at work, one that has ended meanwhile, or nothing at all."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from plastic.disk.relay import turn as turns
from plastic.rules.relay.events import Event
from plastic.rules.relay.state import WORKING
from plastic.work.relay.watch import Watch

if TYPE_CHECKING:
    from plastic.disk.relay.turn import Turn
    from plastic.rules.relay.state import State
    from plastic.work.relay.runner import Runner

PATIENCE = 2.0  # seconds that a shell may need to say which process it is
TICK = 0.05


def recover(runner: Runner) -> None:
    """Go on where the last runner was lost: its child is watched again, and heard to its end."""
    desk = runner.desk
    state = desk.state
    if state.state == "off":
        return
    runner.tell_rest()
    turn = turns.last(desk.place)
    if turn is not None and is_of(state, turn) and (_lives(turn) or not turns.give_up(turn)):
        runner.watch = Watch(turn, runner.new_adapter(), desk.about, desk.mark)
    elif turn is not None and not state.is_live and turns.process(turn):
        runner.watch = Watch(turn, runner.new_adapter(), desk.about, desk.mark)
        runner.watch.stop("the relay was stopped")
    elif is_unsettled(state):
        runner.post(Event("PROCESS_LOST", proof="absent"))
    while (
        runner.watch is not None and not runner.watch.leftover.tasks and not runner.watch.is_alive()
    ):
        runner.look()


def is_of(state: State, turn: Turn) -> bool:
    """Whether this turn is the one that the state waits for."""
    pending = state.pending
    if pending is not None and (state.state == "advancing" or state.has_claim):
        return pending.is_started and turn.delivery == pending.hop
    if state.state not in WORKING:
        return False
    if state.sent is not None:
        return turn.delivery == state.sent[0]
    return turn.session == state.current and (state.state == "running" or _lives(turn))


def is_unsettled(state: State) -> bool:
    """Whether something was under way that nobody looks after any more."""
    tried = state.pending is not None and (state.pending.is_started or state.has_claim)
    return state.state in WORKING or (tried and state.state in ("attention", "stopped"))


def _lives(turn: Turn) -> bool:
    """Whether its process is there; one that was just started may not have said so."""
    until = time.monotonic() + PATIENCE
    while not turns.process(turn):
        is_late = time.monotonic() > until or not 0 <= time.time() - turn.at <= PATIENCE
        if turns.has_begun(turn) or turns.is_given_up(turn) or is_late:
            return bool(turns.process(turn))
        time.sleep(TICK)
    return True
