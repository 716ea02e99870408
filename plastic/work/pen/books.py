"""The files beside a pen: sessions, requests, tasks, memory; each line is added under the locks."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from plastic.disk.clock import iso
from plastic.disk.files import append, exists, read_text
from plastic.disk.penfile import MOST
from plastic.rules.pen.books import Request, Task, requests, tasks
from plastic.rules.pen.turns import Journal, entry
from plastic.work.pen.bind import receipt

if TYPE_CHECKING:
    from plastic.rules.pen.ask import Ask, Move
    from plastic.rules.pen.block import Pen
    from plastic.work.pen.desk import Desk, Wish

TITLES = {"memory": "memory", "tasks": "tasks", "requests": "turn requests"}


def book(desk: Desk, name: str) -> str:
    """The text of one of them, "" when it is not there or cannot be read."""
    try:
        return read_text(desk.place.sibling(name), MOST) or ""
    except OSError:
        return ""


def add(desk: Desk, name: str, text: str) -> None:
    """Add to one of them; the first line makes its title, so there is one."""
    path = desk.place.sibling(name)
    title = "" if exists(path) else f"# {desk.place.form.brand} · {TITLES[name]}\n\n"
    append(path, title + text)


def open_tasks(desk: Desk) -> list[Task]:
    """What somebody said that he is doing."""
    return tasks(book(desk, "tasks"))[0]


def all_requests(desk: Desk) -> list[Request]:
    """Every request for the turn."""
    return requests(book(desk, "requests"), desk.place.form)


def request_state(desk: Desk, verb: str, wish: Wish) -> str:
    """Whether the request that is answered is open, closed, or not there for these two."""
    if verb not in ("yield", "steer"):
        return ""
    pair = (wish.to, desk.me) if verb == "yield" else (desk.me, wish.to)
    for one in all_requests(desk):
        if one.id == wish.request and (one.agent, one.to) == pair:
            return "open" if one.is_open else "closed"
    return "missing"


def unread_newest(desk: Desk, text: str, turns: Journal) -> int:
    """The newest turn, when it is addressed to the actor and was not shown to it."""
    last = turns.newest
    if last is None or not desk.me:
        return 0
    newest = entry(text, last)
    is_mine = newest.to == desk.me and newest.agent != desk.me
    return newest.n if is_mine and newest.n > receipt(desk.place, desk.me) else 0


def new_session() -> str:
    """A name for a session, as the format has it."""
    return f"{iso().replace('-', '').replace(':', '')}-{secrets.token_hex(4)}"


def record(desk: Desk, pen: Pen, move: Move, ask: Ask) -> None:
    """The rows of a move in the ledger of sessions. The block is the truth; this may lag."""
    row = {
        "session_id": pen.get("session"),
        "at": iso(),
        "actor": ask.actor or None,
        "turn": int(pen.get("turn")),
        "operation": ask.verb,
        "writer": "plastic",
    }
    rows = []
    if move.before != move.state:
        rows.append({"event": "state", "from_state": move.before, "to_state": move.state, **row})
    if move.event not in ("", "state"):
        rows.append({"event": move.event, "reason": ask.reason, **row})
    try:
        for one in rows:
            append(desk.place.sibling("sessions", "jsonl"), json.dumps(one) + "\n")
    except OSError:
        pass
