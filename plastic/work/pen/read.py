"""Reading at the pen: the turn that is addressed to an agent, one turn, the log, the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import now
from plastic.rules.pen.block import is_stale
from plastic.rules.pen.table import column
from plastic.rules.pen.turns import Entry, entry
from plastic.work.pen.bind import is_other, received
from plastic.work.pen.view import facts, sight

if TYPE_CHECKING:
    from plastic.rules.pen.block import Pen
    from plastic.work.pen.desk import Desk


def peek(desk: Desk) -> tuple[dict[str, Any], str, bool]:
    """The newest turn to the actor; whether it may act. Being shown it counts as having read it."""
    text, pen, book = desk.look()
    on_roster(desk, pen)
    mine = (entry(text, turn) for turn in book.backwards())
    found = next((one for one in mine if one.to == desk.me and one.agent != desk.me), None)
    if found is not None:
        received(desk.place, desk.me, found.n)
    is_open = column(pen, desk.me, int(now())) in (0, 1, 4, 7)
    shown = turn_text(found) if found is not None else desk.said("no-handoff")
    return facts(desk, pen, handoff=as_dict(found)), shown, is_open


def on_roster(desk: Desk, pen: Pen) -> None:
    """Refuse a name that is not of this pen."""
    if desk.me not in pen.agents:
        raise desk.refusal("no-agent", pen, name=desk.me, agents=" | ".join(pen.agents))


def turn(desk: Desk, number: int) -> tuple[dict[str, Any], str]:
    """One turn, also one that was archived."""
    _, pen, _ = desk.look()
    one = next((one for one in every(desk) if one.n == number), None)
    if one is None:
        raise desk.refusal("no-turn", pen, turn=number)
    return facts(desk, pen, **(as_dict(one) or {})), turn_text(one)


def every(desk: Desk, *, archived: bool = True) -> list[Entry]:
    """All turns by their numbers; what stands in the file goes before what was moved."""
    text, _, book = desk.look()
    found = {one.n: entry(text, one) for one in book.turns}
    if archived:
        more = desk.archive_text()
        found = {one.n: entry(more, one) for one in desk.archived().turns} | found
    return [found[n] for n in sorted(found)]


def log(desk: Desk, limit: int, *, archived: bool) -> tuple[dict[str, Any], str]:
    """One ASCII line a turn, oldest first; turn 0 is no turn of anybody."""
    _, pen, _ = desk.look()
    turns = [one for one in every(desk, archived=archived) if one.n > 0]
    turns = turns[-limit:] if limit > 0 else turns
    counts = [_files(one) for one in turns]
    said = {count: desk.said("files", count=count) for count in set(counts)}  # of thousands, few
    lines = [_line(one, said[count]) for one, count in zip(turns, counts, strict=True)]
    return facts(desk, pen, turns=[as_dict(one) for one in turns]), "\n".join(lines)


def _files(one: Entry) -> int:
    return len([name for name in one.header.get("files", "").split(",") if name.strip(" \u2014-")])


def _line(one: Entry, files: str) -> str:
    done = one.header.get("done", "-")
    line = f"{one.n} {one.agent} -> {one.to or '-'} {files} {done}"
    return line.replace("\u2014", "-").encode("ascii", "backslashreplace").decode()


def as_dict(one: Entry | None) -> dict[str, Any] | None:
    """A turn for programs."""
    if one is None:
        return None
    return {"turn": one.n, "agent": one.agent, "header": one.header, "body": one.body}


def turn_text(one: Entry) -> str:
    """A turn for people: key=value lines, then what it says."""
    lines = [f"turn={one.n}", *(f"{key}={value}" for key, value in one.header.items())]
    return "\n".join([*lines, "", one.body] if one.body else lines)


def guard(desk: Desk, pen_id: str, number: int | None) -> tuple[dict[str, Any], str, bool]:
    """Whether the actor may write at this moment: holder, state, time, and its instance."""
    _, pen, _ = desk.look()
    on_roster(desk, pen)
    mine = column(pen, desk.me, int(now())) == 1 and not is_other(desk, pen, desk.me, pen_id)
    mine = mine and pen_id in ("", pen.get("pen_id")) and number in (None, _epoch(pen))
    may = mine and not is_stale(pen, int(now()))
    block = {key: pen.get(key) for key in ("state", "holder", "expires")}
    if may:
        return facts(desk, pen, may_write=True), desk.said("may-write", **block), True
    why = desk.said("expired-lock") if mine else f"{block['state']}, holder {block['holder']}"
    step = sight(desk, pen, desk.me)
    text = f"{desk.said('may-not', why=why)}\n{desk.said('next-step', run=step.run)}"
    return facts(desk, pen, may_write=False, next=step.run), text, False


def _epoch(pen: Pen) -> int:
    text = pen.get("epoch")
    return int(text) if text.isdigit() else 0
