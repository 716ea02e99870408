"""`claim --check`: could this agent claim, and who wrote the files that it is about to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.pen.turns import Entry, entry
from plastic.work.pen.read import on_roster
from plastic.work.pen.turn import check
from plastic.work.pen.view import facts, sight, told

if TYPE_CHECKING:
    from plastic.work.pen.desk import Desk


def readiness(desk: Desk, files: str, turns: int | None) -> tuple[dict[str, Any], str, bool]:
    """Changes nothing. Names are compared whole; an overlap is told and decides nothing."""
    check(desk, "files", files)
    text, pen, book = desk.look()
    on_roster(desk, pen)
    step = sight(desk, pen, desk.me)
    ready = step.why in ("free-pen", "your-turn", "at-work")
    entries = [entry(text, one) for one in book.turns]
    meant = _names(files)
    overlap = {
        one.n: sorted(meant & _names(one.header.get("files", "")))
        for one in _since(entries, desk.me, turns)
        if meant & _names(one.header.get("files", ""))
    }
    lines = [told(desk, pen, step)]
    lines += [f"{n}: {', '.join(names)}" for n, names in overlap.items()]
    lines.append(desk.said("next-step", run=step.run))
    return facts(desk, pen, ready=ready, overlap=overlap, next=step.run), "\n".join(lines), ready


def _names(files: str) -> set[str]:
    return {name.strip() for name in files.split(",")} - {"", "\u2014", "-"}


def _since(entries: list[Entry], agent: str, turns: int | None) -> list[Entry]:
    """The turns of others since the agent's own last one, or the last few."""
    if turns is not None:
        return [one for one in entries[-turns:] if one.agent != agent] if turns > 0 else []
    own = max((one.n for one in entries if one.agent == agent), default=0)
    return [one for one in entries if one.n > own and one.agent != agent]
