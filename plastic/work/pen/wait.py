"""Waiting at the pen: the file is watched by its stamp, and read when that changes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plastic.disk.penfile import stamp
from plastic.work.pen.read import on_roster
from plastic.work.pen.view import Sight, facts, sight, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.penfile import Stamp
    from plastic.rules.pen.block import Pen
    from plastic.work.pen.desk import Desk

SHORT = 0.05  # seconds between two looks at the stamp, at first
LONG = 1.0  # and after a while: one stat a second is no storm
OVER = ("free-pen", "your-turn", "over", "stale-pen")


def wait(
    desk: Desk, timeout: float | None, say: Callable[[str], None]
) -> tuple[dict[str, Any], str, bool]:
    """Until it is the actor's turn, the session is done, or a peer's window has ended.

    `timeout` 0 looks once, None waits as long as it takes. Who works itself waits for nothing.
    """
    end = None if timeout is None else time.monotonic() + timeout
    last = ""
    while True:
        seen = stamp(desk.place.file)
        _, pen, _ = desk.look()
        on_roster(desk, pen)
        step = sight(desk, pen, desk.me)
        text = told(desk, pen, step)
        is_over = step.why in OVER
        if is_over or step.why in ("at-work", "own-expired") or _is_past(end):
            found = facts(desk, pen, turn_is_yours=step.is_turn, next=step.run)
            return found, _shown(desk, text, step), is_over
        if text != last:
            say(text)
            last = text
        _until_changed(desk, pen, step, seen, end)


def _shown(desk: Desk, text: str, step: Sight) -> str:
    return f"{text}\n{desk.said('next-step', run=step.run)}" if step.run else text


def _is_past(end: float | None) -> bool:
    return end is not None and time.monotonic() >= end


def _until_changed(desk: Desk, pen: Pen, step: Sight, seen: Stamp, end: float | None) -> None:
    """Return when the file has another stamp, the time is up, or a window or its beat has ended."""
    pause = SHORT
    while stamp(desk.place.file) == seen and not _is_past(end):
        if pen.kind == "WORKING" and sight(desk, pen, desk.me) != step:
            return
        rest = LONG if end is None else max(0.0, end - time.monotonic())
        time.sleep(min(pause, rest, LONG))
        pause = min(pause * 1.5, LONG)
