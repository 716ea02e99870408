"""The lists beside a pen file, read from text and written as lines: tasks and requests."""

from __future__ import annotations

import re
from typing import NamedTuple

from plastic.rules.pen.block import FORMAT, Format

_TASK = re.compile(r"- #(\d{1,9}) (\S+) (add|done|drop) ([^:\s]+): ?(.*)")
_FIELD = re.compile(r"- ([a-z][a-z0-9_]*): *(.*)")


class Task(NamedTuple):
    """An open task and whose it is."""

    id: int
    agent: str
    text: str


class Request(NamedTuple):
    """A request for the turn; `event` is the last that happened to it."""

    id: int
    agent: str
    to: str
    reason: str
    event: str

    @property
    def is_open(self) -> bool:
        """Whether nobody has answered it."""
        return self.event == "opened"


def tasks(text: str) -> tuple[list[Task], int]:
    """The open tasks, and the highest number that was ever given."""
    found: dict[int, Task] = {}
    last = 0
    for line in text.splitlines():
        one = _TASK.fullmatch(line.rstrip())
        if one is None:
            continue
        number = int(one[1])
        last = max(last, number)
        if one[3] == "add":
            found[number] = Task(number, one[4], one[5])
        else:
            found.pop(number, None)
    return list(found.values()), last


def task_line(number: int, at: str, verb: str, agent: str, text: str) -> str:
    """One event of a task."""
    return f"- #{number} {at} {verb} {agent}: {text}\n"


def requests(text: str, form: Format = FORMAT) -> list[Request]:
    """Every request as its last event left it."""
    block = re.compile(
        rf"<!-- {re.escape(form.brand)}:REQUEST (\d{{1,9}}) BEGIN -->(.*?)"
        rf"<!-- {re.escape(form.brand)}:REQUEST \1 END -->",
        re.DOTALL,
    )
    found: dict[int, Request] = {}
    for one in block.finditer(text):
        number = int(one[1])
        said = {
            field[1]: field[2].strip() for field in map(_FIELD.match, one[2].split("\n")) if field
        }
        event = said.get("event") or said.get("status") or "opened"
        event = "opened" if event == "open" else event
        old = found.get(number)
        if old is None:
            names = said.get("from", "").lower(), said.get("to", "").lower()
            found[number] = Request(number, *names, said.get("reason", ""), event)
        else:
            found[number] = old._replace(event=event)
    return list(found.values())


def request_block(number: int, fields: dict[str, str], form: Format = FORMAT) -> str:
    """One event of a request."""
    lines = [f"<!-- {form.brand}:REQUEST {number} BEGIN -->"]
    lines += [f"- {key}: {value}" for key, value in fields.items()]
    return "\n".join([*lines, f"<!-- {form.brand}:REQUEST {number} END -->", "", ""])
