"""How an agent says that its turn is a boundary: one tag, last in its final message, or a command.

`parse` never raises: what is no clean signal is none, or malformed with what is wrong.
"""

from __future__ import annotations

import re
from typing import NamedTuple

KINDS = ("hand-off", "done", "pause", "stop")
NEEDS_TEXT = ("hand-off", "pause")
MOST = 64 * 1024  # bytes of a payload
_OPEN = re.compile(r"<relay\b([^<>]*)>")
_ATTRIBUTE = re.compile(r'\s+(kind|id)="([^"<>\n]*)"')
_CLOSE = "</relay>"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class Signal(NamedTuple):
    """`kind` is none, malformed, or one of KINDS; `text` its payload or what is wrong."""

    kind: str
    text: str = ""


NONE = Signal("none")


def parse(message: str, relay: str) -> Signal:
    """What the final message of a turn says. Tags in fences and quotes are somebody else's."""
    text = _own(message)
    heads = list(_OPEN.finditer(text))
    if not heads:
        return Signal("malformed", "unclosed") if "<relay " in text else NONE
    if len(heads) > 1:
        return Signal("malformed", "more than one")
    head = heads[0]
    end = text.rfind(_CLOSE)
    if end < head.end():
        return Signal("malformed", "unclosed")
    if text[end + len(_CLOSE) :].strip():
        return Signal("malformed", "not the last thing said")
    found = dict(_ATTRIBUTE.findall(head[1]))
    if _ATTRIBUTE.sub("", head[1]).strip():
        return Signal("malformed", "kind")
    if found.get("id") != relay:
        return Signal("malformed", "id")
    return checked(found.get("kind", ""), text[head.end() : end].strip("\n"))


def checked(kind: str, text: str) -> Signal:
    """The same for either channel."""
    if kind not in KINDS:
        return Signal("malformed", "kind")
    if kind in NEEDS_TEXT and not text.strip():
        return Signal("malformed", "empty")
    if len(text.encode("utf-8", "surrogatepass")) > MOST:
        return Signal("malformed", "too large")
    return Signal(kind, text)


def agreed(said: tuple[Signal, ...], tag: Signal) -> Signal:
    """One signal of the calls of `plastic relay signal` in a turn and of its last message."""
    if len({one.kind for one in said}) > 1:
        return Signal("malformed", "more than one")
    if not said:
        return tag
    last = said[-1]
    return last if tag in (NONE, last) else Signal("malformed", "conflict")


def render(kind: str, relay: str, text: str) -> str:
    """A tag as `parse` reads it."""
    return f'<relay kind="{kind}" id="{relay}">\n{text}\n{_CLOSE}'


def _own(message: str) -> str:
    """The message without fenced blocks and quotes; what stands inside a tag stays."""
    kept: list[str] = []
    fence = ""
    is_inside = False
    for line in message.split("\n"):
        if not is_inside:
            mark = _FENCE.match(line)
            if fence:
                run = line.strip()
                if run and set(run) == {fence[0]} and len(run) >= len(fence):
                    fence = ""
                continue
            if mark:
                fence = mark[1]
                continue
            if line.lstrip().startswith(">") and len(line) - len(line.lstrip()) < 4:
                continue
            is_inside = _OPEN.search(line) is not None
        kept.append(line)
        is_inside = is_inside and _CLOSE not in line
    return "\n".join(kept)
