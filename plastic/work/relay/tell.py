"""What people are told while a relay runs: lines on stderr, and commands of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.relay.texts import STANDS, TOLD

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.relay.state import State
    from plastic.work.relay.watch import Watch


class Tell:
    """Says each change of state once."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say

    def moved(self, before: State, after: State) -> None:
        """A step was taken."""
        if after.step != before.step:
            self.say(f"relay: step {after.step} of {after.max_steps}, session {after.current}")

    def people(self, code: str, state: State) -> None:
        """What the rule wants people to know."""
        words = TOLD.get(code) or STANDS.get(code, (code, ""))[0]
        more = f": {state.question}" if state.state == "user_paused" else ""
        if code in ("error", "abort") and state.last_error:
            more = f": {state.last_error}"
        self.say(f"relay: {words}{more}")

    def progress(self, state: State, watch: Watch | None) -> None:
        """What the child does just now."""
