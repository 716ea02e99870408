"""Watches a relay that another process runs, or becomes the one that runs it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plastic.disk.relay.place import owner
from plastic.work.relay.desk import look
from plastic.work.relay.people import run
from plastic.work.relay.report import report
from plastic.work.relay.tell import Tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.relay.place import About, Place

TICK = 0.3  # seconds


def attach(home: Home, place: Place, about: About, say: Callable[[str], None]) -> dict[str, Any]:
    """Until the relay needs somebody; what it is then."""
    tell = Tell(say)
    state = look(place)
    while owner(place):
        time.sleep(TICK)
        now = look(place)
        tell.moved(state, now)
        if (now.state, now.reason) != (state.state, state.reason):
            tell.people(now.reason or now.state, now)
        state = now
    if state.state in ("running", "advancing", "background"):
        return run(home, place, about, None, say)
    return report(place, about, state)
