"""Watches a relay that another process runs, or becomes the one that runs it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plastic.disk.relay.place import owner
from plastic.rules.relay.state import WORKING
from plastic.work.relay.desk import look
from plastic.work.relay.people import run
from plastic.work.relay.report import means, report

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.relay.place import About, Place
    from plastic.work.relay.tell import Draw, Say

TICK = 0.3  # seconds


def attach(home: Home, place: Place, about: About, say: Say, draw: Draw) -> dict[str, Any]:
    """Until the relay needs somebody; what it is then."""
    state = look(place)
    while owner(place):
        time.sleep(TICK)
        now = look(place)
        if (now.state, now.reason, now.step) != (state.state, state.reason, state.step):
            say(f"relay: step {now.step} of {now.max_steps}: {means(now)}")
        draw(now, "")
        state = now
    if state.state in WORKING:
        return run(home, place, about, None, say, draw)
    return report(place, about, state)
