"""`plastic relay signal`, run by the agent inside its turn: checked at once, heard when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.relay import turn as turns
from plastic.disk.relay.place import about_of, place_of
from plastic.rules.relay.signals import MOST, checked
from plastic.words import Refused, Usage
from plastic.work.relay.childenv import hashed
from plastic.work.relay.desk import look

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plastic.disk.home import Home
    from plastic.disk.relay.turn import Turn

WRONG = {
    "empty": "it says nothing",
    "too large": f"it is longer than {MOST} bytes",
}


def signal(home: Home, env: Mapping[str, str], kind: str, text: str, *, instead: bool) -> str:
    """Keep a signal of this turn; the relay it is for."""
    relay, turn = _turn(home, env)
    found = checked(kind, text)
    if found.kind == "malformed":
        why = WRONG.get(found.text, found.text)
        raise Usage("signal", f"the {kind} was not taken: {why}", run="plastic relay signal --help")
    before = {one for one, _ in turns.calls(turn)} - {kind}
    if before and not instead:
        from plastic.disk.command import again

        why = f"this turn has signalled {sorted(before)[0]} already, and can end in one way only"
        raise Refused("signalled", why, run=again("--instead"))
    turns.call(turn, kind, text, instead=instead)
    return relay


def _turn(home: Home, env: Mapping[str, str]) -> tuple[str, Turn]:
    """The turn that this process belongs to; refused when it is over, or is none."""
    relay, token = env.get("RELAY_ID", ""), env.get("RELAY_TOKEN", "")
    if not relay or not token:
        why = "RELAY_ID and RELAY_TOKEN are not set: only an agent that a relay runs signals"
        raise Refused("no-relay", why, run="plastic relay status")
    place = place_of(home, relay)
    turn = turns.last(place) if "/" not in relay and about_of(place) is not None else None
    if turn is None:
        raise Refused("no-relay", f"there is no relay {relay[:80]!r}", run="plastic relay list")
    if turn.token != hashed(token):
        why = f"this turn of relay {relay} is over, or the token is not its own"
        raise Refused("turn-over", why, run=f"plastic relay status {relay}")
    state = look(place)
    if state.state not in ("running", "advancing", "background"):
        why = f"relay {relay} is {state.state}: signals of this turn count for nothing"
        raise Refused("turn-over", why, run=f"plastic relay status {relay}")
    return relay, turn
