"""Requests for the turn and their answers, tasks, and notes for all."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso
from plastic.disk.penlock import Busy, hold
from plastic.rules.pen.ask import No
from plastic.rules.pen.books import request_block, task_line, tasks
from plastic.rules.pen.table import decide
from plastic.work.pen import books
from plastic.work.pen.move import asked, move, refused
from plastic.work.pen.read import on_roster
from plastic.work.pen.turn import check
from plastic.work.pen.view import facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.rules.pen.block import Pen
    from plastic.work.pen.desk import Desk, Wish


@contextmanager
def _held(desk: Desk) -> Iterator[Pen]:
    """The block under the locks, the actor on its roster."""
    desk.alone()
    desk.look()
    try:
        with hold(desk.place):
            _, pen, _ = desk.look()
            on_roster(desk, pen)
            yield pen
    except Busy as busy:
        raise desk.refusal("busy", who=str(busy)) from None


def request(desk: Desk, wish: Wish) -> tuple[dict[str, Any], str]:
    """Ask who has the turn for it; the block stays as it is."""
    check(desk, "reason", wish.reason)
    with _held(desk) as pen:
        ask = asked(desk, "request", wish, desk.look())
        found = decide(pen, ask)
        if isinstance(found, No):
            raise refused(desk, pen, found, ask)
        number = max((one.id for one in books.all_requests(desk)), default=0) + 1
        _note(desk, number, "opened", desk.me, ask.to, wish.reason)
    return facts(desk, pen, request=number), desk.said("request", request=number, to=ask.to)


def answer(desk: Desk, verb: str, wish: Wish) -> tuple[dict[str, Any], str]:
    """yield and steer: the pen moves, and then the request is closed."""
    check(desk, "reason", wish.reason)
    moved = move(desk, verb, wish)
    event = {"yield": "accepted", "steer": "steered"}[verb]
    _note(desk, wish.request, event, desk.me, wish.to, wish.reason)
    said = desk.said(verb, request=wish.request, to=wish.to)
    return facts(desk, moved.pen, request=wish.request), said


def close(desk: Desk, number: int, reason: str, event: str) -> tuple[dict[str, Any], str]:
    """`declined` by whom it was made to, `withdrawn` by who made it, whoever has the turn now."""
    check(desk, "reason", reason)
    with _held(desk) as pen:
        one = next((one for one in books.all_requests(desk) if one.id == number), None)
        if one is None or desk.me != (one.to if event == "declined" else one.agent):
            raise desk.refusal("request-missing", pen)
        if not one.is_open:
            raise desk.refusal("request-closed", pen)
        _note(desk, number, event, one.agent, one.to, reason)
    code = "decline" if event == "declined" else "withdraw"
    return facts(desk, pen, request=number), desk.said(code, request=number)


def _note(desk: Desk, number: int, event: str, agent: str, to: str, reason: str) -> None:
    fields = {"event": event, "from": agent, "to": to, "at": iso(), "reason": reason or "-"}
    books.add(desk, "requests", request_block(number, fields, desk.place.form))


def remember(desk: Desk, note: str) -> tuple[dict[str, Any], str]:
    """One line for everybody, whoever has the turn."""
    check(desk, "note", note)
    with _held(desk) as pen:
        books.add(desk, "memory", f"- {iso()} {desk.me}: {note}\n")
    return facts(desk, pen, note_added=note), desk.said("remember")


def task(desk: Desk, verb: str, what: str) -> tuple[dict[str, Any], str]:
    """add TEXT, done ID, drop ID."""
    check(desk, "text", what)
    with _held(desk) as pen:
        known, last = tasks(books.book(desk, "tasks"))
        number, text = last + 1, what
        if verb != "add":
            number = int(what.lstrip("#")) if what.lstrip("#").isdigit() else 0
            found = next((one for one in known if one.id == number), None)
            if found is None:
                raise desk.refusal("no-task", pen, task=what)
            text = found.text
        books.add(desk, "tasks", task_line(number, iso(), verb, desk.me, text))
    return facts(desk, pen, task=number), desk.said("task", task=number, verb=verb)


def listed(desk: Desk) -> tuple[dict[str, Any], str]:
    """The open tasks."""
    _, pen, _ = desk.look()
    known = books.open_tasks(desk)
    lines = [f"#{one.id} {one.agent}: {one.text}" for one in known]
    text = "\n".join(lines) or desk.said("no-tasks")
    return facts(desk, pen, tasks=[one._asdict() for one in known]), text
