"""The Markdown file that mirrors an item: our front matter and trail around a person's text."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.backlog.mirrorlines import line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import Outgoing
    from plastic.rules.backlog.items import Item

    Row = tuple[Outgoing, str]  # a message and when it was, as people read it

# What we write at the top, in this order; any other key is a person's and stays where it is.
OURS = (
    "id",
    "title",
    "kind",
    "state",
    "admission",
    "priority",
    "phase",
    "region",
    "base",
    "part_of",
    "integrates",
    "blocked_by",
    "resources",
    "ruling",
    "revision",
)
SEAL = "mirrored"
TRAIL = "## Trail"
_FRONT = re.compile(r"\A---\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"([A-Za-z_][\w-]*):")
MARKER = re.compile(r"(?m)^<!-- plastic (\S+) -->")


class Drawn(NamedTuple):
    """The new text; `edited` names keys of ours that a person changed, which stay as they are."""

    text: str
    edited: tuple[str, ...]


def values(item: Item) -> dict[str, str]:
    """Our keys as YAML: every value as JSON has it, which YAML reads the same."""
    route = item.route
    plain = {name: getattr(item, name, None) for name in OURS if name != "ruling"}
    plain["ruling"] = f"{route.owner}: {route.question} ({route.where})" if route else None
    return {name: json.dumps(plain[name], ensure_ascii=False) for name in OURS}


def seal(lines: Iterable[str]) -> str:
    """What tells our own lines from those that a person has changed."""
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def draw(text: str | None, item: Item, rows: Iterable[Row]) -> Drawn:
    """The file with what is new in it; each marker once, everything of a person as it was."""
    ours = [f"{name}: {value}" for name, value in values(item).items()]
    if text is None:
        body = f"{item.body}\n" if item.body else ""
        fresh = f"---\n{_block(ours)}---\n\n# {_plain(item.title)}\n\n{body}"
        return Drawn(_with_trail(fresh, rows), ())
    front = _FRONT.match(text)
    if front is None:
        return Drawn(_with_trail(f"---\n{_block(ours)}---\n\n{text}", rows), ())
    mine, theirs, seen = _sorted(front[1])
    edited = () if seen == seal(mine) else _changed(mine, ours)
    head = front[1] if edited else _block(ours) + "".join(theirs)
    return Drawn(_with_trail(f"---\n{head}---\n{text[front.end() :]}", rows), edited)


def marks(text: str) -> set[str]:
    """The keys of the markers that stand in a file: only those that begin a line count."""
    return set(MARKER.findall(text))


def _block(ours: list[str]) -> str:
    return "".join(f"{one}\n" for one in [*ours, f"{SEAL}: {seal(ours)}"])


def _sorted(front: str) -> tuple[list[str], list[str], str]:
    """Our lines, a person's lines, and the seal that was written over ours."""
    mine: list[str] = []
    theirs: list[str] = []
    seen = ""
    is_ours = False
    for one in front.splitlines(keepends=True):
        key = _KEY.match(one)
        if key is not None:
            is_ours = key[1] in OURS or key[1] == SEAL
            if key[1] == SEAL:
                seen = one.partition(":")[2].strip()
                continue
        # What is indented belongs to the key above it.
        if is_ours and one.strip():
            mine.append(one.rstrip("\r\n"))
        elif not is_ours:
            theirs.append(one)
    return mine, theirs, seen


def _changed(mine: list[str], ours: list[str]) -> tuple[str, ...]:
    there = {one.partition(":")[0] for one in mine if one not in ours}
    gone = {one.partition(":")[0] for one in ours} - {one.partition(":")[0] for one in mine}
    return tuple(name for name in OURS if name in there | gone) or (SEAL,)


def _with_trail(text: str, rows: Iterable[Row]) -> str:
    known = marks(text)
    new = []
    for row, when in rows:
        if row.key not in known:
            known.add(row.key)
            new.append(f"<!-- plastic {row.key} -->\n{line(row, when)}\n")
    if not new:
        return text
    start = text.rstrip("\n") + "\n"
    if not re.search(rf"(?m)^{TRAIL}[ \t]*$", text):
        start += f"\n{TRAIL}\n"
    return start + "\n" + "\n".join(new)


def _plain(text: str) -> str:
    return " ".join(text.split())
