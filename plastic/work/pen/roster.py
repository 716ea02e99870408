"""Who joins the pen: one value of the block, and not a byte beside it."""

from __future__ import annotations

from typing import Any

from plastic.rules.pen.block import Pen, split
from plastic.work.pen.bind import actor
from plastic.work.pen.desk import Desk, Wish
from plastic.work.pen.move import move
from plastic.work.pen.view import facts


def join(desk: Desk, name: str, by: str | None, pen_id: str) -> tuple[dict[str, Any], str]:
    """Let another agent in; the holder of a live pen does that."""
    actor(desk, by)
    wanted = name.strip().lower()

    def edit(text: str, pen: Pen) -> str:
        if wanted in pen.agents:
            return text
        fresh = split(text, desk.place.form)
        assert fresh is not None
        given = fresh.get("agents") or ",".join(fresh.agents)
        fresh.change("agents", f"{given},{wanted}")
        return fresh.text()

    moved = move(desk, "roster add", Wish(name=wanted, pen_id=pen_id), edit)
    code = "roster-same" if wanted in moved.pen.agents else "roster"
    _, pen, _ = desk.look()
    said = desk.said(code, name=wanted, agents=",".join(pen.agents))
    return facts(desk, pen, joined=code == "roster"), said
