"""`next`: claim when it is the actor's turn, and show what was handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.pen.block import holder
from plastic.work.pen.move import move
from plastic.work.pen.read import peek
from plastic.work.pen.view import facts, sight
from plastic.work.pen.wait import wait

if TYPE_CHECKING:
    from plastic.work.pen.desk import Desk, Wish


def take(
    desk: Desk, wish: Wish, patience: float | None, *, is_resume: bool
) -> tuple[dict[str, Any], str, bool]:
    """Resume when that is asked for, wait as long as is asked for, claim, peek."""
    _, pen, _ = desk.look()
    if is_resume and pen.kind == "PAUSED":
        move(desk, "resume", wish)
    found, text, is_over = wait(desk, patience, lambda _: None)
    _, pen, _ = desk.look()
    step = sight(desk, pen, desk.me)
    if step.why == "own-expired":
        moved = move(desk, "claim", wish._replace(reason=""))
        step = sight(desk, moved.pen, desk.me)
    if step.why == "at-work":
        seen, handoff, _ = peek(desk)
        text = desk.said("at-work")
        return {**seen, "claimed": False, "next": step.run}, f"{text}\n{handoff}", True
    if step.why in ("stale-pen", "alive-yet") and wish.force:
        move(desk, "claim --force", wish)
    elif step.why in ("free-pen", "your-turn"):
        move(desk, "claim", wish._replace(reason=""))
    else:
        is_done = step.why == "over"
        return {**found, "claimed": False}, text, is_over and is_done
    _, pen, _ = desk.look()
    seen, handoff, _ = peek(desk)
    said = desk.said("claim", expires=pen.get("expires"))
    return (
        {**facts(desk, pen), "handoff": seen["handoff"], "claimed": holder(pen) == desk.me},
        (f"{said}\n{handoff}"),
        True,
    )
