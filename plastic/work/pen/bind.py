"""Which agent a session is, which window it opened, and which turns an agent has read.

Small files below `.m8shift/`: the block cannot carry what concerns one session alone.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from plastic.disk.clock import now
from plastic.disk.files import make_dirs, read, remove, replace
from plastic.disk.penplace import bound_file
from plastic.quickjson import dumps
from plastic.rules.pen.beat import FOLDER, counts
from plastic.rules.pen.block import holder, instance, is_name, is_stale
from plastic.work.pen.foreign import bound, is_others, note

if TYPE_CHECKING:
    from plastic.disk.penplace import Place
    from plastic.rules.pen.block import Pen
    from plastic.work.pen.desk import Desk

_MOST = 8192


def bind(place: Place, session: str, agent: str, pen_id: str = "") -> None:
    """Let this session act as an agent."""
    _write(bound_file(place, session), {"session": session, "agent": agent, "pen_id": pen_id})


def unbind(place: Place, session: str) -> bool:
    """Forget a session."""
    return remove(bound_file(place, session))


def actor(desk: Desk, name: str | None) -> str:
    """Who acts: the name that was given, in any case, else whom the session is bound to."""
    found = (name or "").strip().lower()
    if not found:
        found = str(bound(desk.place, desk.session).get("agent") or "")
    if not found:
        raise desk.refusal("who")
    if not is_name(found):
        raise desk.refusal("bad-name", name=found)
    desk.me = found
    return found


def is_other(desk: Desk, pen: Pen, agent: str, pen_id: str = "") -> bool:
    """Whether another session of the same name opened the window that is open."""
    opened = instance(pen)
    if not opened or holder(pen) != agent or opened == pen_id:
        return False
    mine = bound(desk.place, desk.session)
    if mine.get("agent") != agent or mine.get("pen_id") == opened:
        return False
    return is_others(desk.place, desk.session, opened)


def opened(desk: Desk, pen: Pen, agent: str) -> None:
    """Note the window that this session has opened, when the session is bound."""
    mine = bound(desk.place, desk.session)
    if mine.get("agent") == agent and mine.get("pen_id") != instance(pen):
        bind(desk.place, desk.session, agent, instance(pen))


def alive(desk: Desk, pen: Pen) -> str:
    """When another program last saw the holder of an expired pen at work; "" for never."""
    moment = int(now())
    if not is_stale(pen, moment):
        return ""
    return counts(note(f"{desk.place.hidden}/{FOLDER}/{holder(pen)}.json"), pen, moment)


def receipt(place: Place, agent: str) -> int:
    """The newest turn that an agent has read, 0 for none."""
    try:
        text = (read(f"{place.hidden}/read/{agent}", _MOST) or b"").decode("ascii", "replace")
    except OSError:
        return 0
    return int(text) if text.isascii() and text.strip().isdigit() else 0


def received(place: Place, agent: str, turn: int) -> None:
    """Note that an agent has been shown a turn; where nothing can be noted, it is shown anyway."""
    if turn > receipt(place, agent):
        with suppress(OSError):
            make_dirs(f"{place.hidden}/read")
            replace(f"{place.hidden}/read/{agent}", f"{turn}\n".encode())


def _write(path: str, value: dict[str, str]) -> None:
    make_dirs(path.rpartition("/")[0])
    replace(path, (dumps(value) + "\n").encode())
