"""What people are told while a relay runs: lines on stderr, progress, and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.relay.texts import STANDS, TOLD
from plastic.work.relay.alert import alert

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.rules.relay.state import State

    Say = Callable[[str], None]
    Draw = Callable[[State, str], None]


def no_progress(state: State, line: str) -> None:
    """Where nobody looks."""


class Tell:
    """Says each change of state once. `status` gives the one object of `plastic relay status`."""

    def __init__(
        self, home: Home, say: Say, draw: Draw, status: Callable[[State], dict[str, Any]]
    ) -> None:
        self._say = say
        self.progress = draw
        self._home = home
        self._status = status

    def say(self, line: str) -> None:
        """One line; a terminal that is gone stops nothing."""
        try:
            self._say(line)
        except OSError:
            pass

    def moved(self, before: State, after: State) -> None:
        """A step was taken."""
        if after.step != before.step:
            self.say(f"relay: step {after.step} of {after.max_steps}, session {after.current}")

    def people(self, code: str, state: State) -> None:
        """What the rule wants people to know; a relay that cannot go on alone calls them."""
        text = TOLD.get(code) or STANDS.get(code, (code, ""))[0]
        if state.state == "user_paused":
            text += f": {state.question}"
        if code in ("error", "abort") and state.last_error:
            text += f": {state.last_error}"
        self.say(f"relay: {text}")
        if code in STANDS:
            alert(self._home, self._status(state), text, self.say)
