"""Words to the process that runs a relay, from other processes: a file asked, a file answered."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from plastic.disk.files import names, publish, remove
from plastic.disk.relay.place import owner, record
from plastic.work.relay.desk import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.relay.place import Place
    from plastic.rules.relay.events import Event
    from plastic.rules.relay.reduce import Step

ANSWER = ".answer"
PATIENCE = 15.0  # seconds
TICK = 0.03
# What may be asked from outside; everything else the runner sees for itself.
ASKED = ("OFF", "RESUME", "STAGE_MODEL", "INPUT")


def ask(place: Place, event: Event) -> dict[str, Any] | None:
    """Tell the runner what a person wants; its answer, None when no runner takes it."""
    path = f"{place.inbox}/{time.time_ns()}-{os.getpid()}"
    publish(path, _bytes({"event": packed(event)}), 0o600)
    until = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            answer = record(f"{path}{ANSWER}")
            if answer is not None:
                return answer
            if not owner(place):
                return None
            time.sleep(TICK)
        return None
    finally:
        remove(path)
        remove(f"{path}{ANSWER}")


def answer(place: Place, post: Callable[[Event], Step]) -> None:
    """Take what was asked, oldest first; each question is answered once."""
    for name in names(place.inbox):
        path = f"{place.inbox}/{name}"
        if not name.replace("-", "").isdigit():
            continue  # an answer, or nothing of ours
        raw = record(path) or {}
        asked = raw.get("event")
        event = unpacked(asked) if isinstance(asked, dict) else None
        if event is None or event.kind not in ASKED:
            continue
        # The question goes before it acts: after a kill it is asked again, not done twice.
        remove(path)
        step = post(event)
        said = {"refusal": step.refusal, "row": step.row, "state": step.state.state}
        publish(f"{path}{ANSWER}", _bytes(said), 0o600)


def _bytes(value: dict[str, Any]) -> bytes:
    return (json.dumps(value) + "\n").encode()
