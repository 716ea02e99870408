"""`append`: a turn is checked, and written with the hand-over as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.clock import iso
from plastic.disk.penfile import MOST
from plastic.rules.pen.turns import (
    BODY_MOST,
    ENGINE,
    NOTHING,
    Entry,
    added,
    field_fault,
    key_fault,
    safe_body,
)
from plastic.work.pen.move import Moved, move

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.pen.block import Pen
    from plastic.work.pen.desk import Desk, Wish


class Content(NamedTuple):
    """What a turn says; `body` is read only when the pen is found to be the caller's."""

    lines: dict[str, str]  # ask, done, files and the advisory keys, "" for not given
    own: list[str]  # key=value
    body: Callable[[int], str]  # up to so many bytes: a pipe may never end
    is_large: bool = False


def append(desk: Desk, wish: Wish, content: Content) -> Moved:
    """Write a turn and hand over."""
    for key, value in content.lines.items():
        check(desk, key.replace("_", "-"), value)
    more = _own(desk, content)
    body: list[str] = []

    def read_body() -> None:
        text = content.body(MOST if content.is_large else BODY_MOST + 1)
        if len(text.encode("utf-8", "replace")) > BODY_MOST and not content.is_large:
            raise desk.refusal("too-long", field="body")
        body.append(safe_body(text, desk.place.form))

    def edit(text: str, pen: Pen) -> str:
        header = _header(desk, wish, content.lines) | more
        one = Entry(int(pen.get("turn")), desk.me, header, body[-1])
        return added(text, one, desk.place.form)

    return move(desk, "append", wish, edit, read_body)


def check(desk: Desk, field: str, value: str) -> None:
    """Refuse what cannot stand in one line of the file."""
    fault = field_fault(value, desk.place.form)
    if fault is not None:
        raise desk.refusal(fault, field=field)


def _own(desk: Desk, content: Content) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in content.own:
        key, sign, value = one.partition("=")
        taken = found | dict.fromkeys(content.lines, "")
        fault = key_fault(key, taken) if sign else "bad-key"
        if fault is not None:
            raise desk.refusal(fault, name=key)
        check(desk, "field", value)
        found[key] = value
    return found


def _header(desk: Desk, wish: Wish, lines: dict[str, str]) -> dict[str, str]:
    to = wish.to.strip().lower()
    header = {"from": desk.me, "to": to}
    header |= {key: lines.get(key) or NOTHING for key in ("ask", "done", "files")}
    header |= {"handoff": to, "at": iso()}
    for key, name in (("model", "M8SHIFT_AGENT_MODEL"), ("effort", "M8SHIFT_AGENT_EFFORT")):
        value = desk.env.get(name, "").strip()
        if value and field_fault(value, desk.place.form) is None:
            header[key] = value
    return header | {key: value for key, value in lines.items() if value and key not in ENGINE}
