"""Four ways in which agent programs talk to a model, one module each, all with the same functions.

A turn of a script is a list of items: `{"text": …}`, or `{"tool": NAME, "input": {…}}`.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Protocol

Item = dict[str, Any]
Body = dict[str, Any]
MODEL = "scripted"
JSON, STREAM = "application/json", "text/event-stream"


class Asked(NamedTuple):
    """What a request is about: the texts of the user, and how often the model spoke already."""

    text: str
    turn: int
    has_tools: bool


class Result(NamedTuple):
    """What the model was told about one tool call; `bad` is None where the form cannot say."""

    text: str
    bad: bool | None


class Wire(Protocol):
    """What a module of this folder has."""

    def asked(self, body: Body) -> Asked:
        """Read a request."""

    def results(self, body: Body) -> list[Result]:
        """The outcomes of all tool calls so far."""

    def answer(self, turn: list[Item], number: int, *, streamed: bool) -> tuple[bytes, str]:
        """A turn of the script as the body of an answer, and its content type."""


def text_of(content: Any) -> str:
    """The text of a message, however its parts are written."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def whole(value: Any) -> tuple[bytes, str]:
    """One JSON object."""
    return json.dumps(value).encode(), JSON


def stream(events: list[dict[str, Any]], *, named: bool, end: str = "") -> tuple[bytes, str]:
    """Events as a stream; `named` = each with its type in a line of its own."""
    lines = [
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    ]
    return ("".join(lines) + end).encode(), STREAM
