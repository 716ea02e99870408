"""The one writer of INDEX.md: it moves entries and leaves every other byte as people wrote it."""

from __future__ import annotations

import re

from plastic.rules.intent.artifacts import Body
from plastic.rules.intent.index import (
    LIFECYCLE,
    SECTIONS,
    TERMINAL,
    Entry,
    entry_of,
    escape,
    read,
    section_name,
)

EMPTY = "_(none)_"
# The same lines as the reader's: only CR and LF end one.
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_DASH = "\u2014"


def skeleton(title: str) -> str:
    """A new INDEX.md without any intent."""
    parts = [f"# {title}"]
    for section in SECTIONS[:5]:
        parts += [f"## {section}", EMPTY]
    return "\n\n".join(parts) + "\n"


def entry_line(id: str, title: str, path: str, tail: str = "") -> str:
    """The canonical list item of an intent."""
    item = f"- [{id} {_DASH} {escape(title)}]({path})"
    return f"{item} {_DASH} {tail}" if tail else item


def insert(text: str, section: str, id: str, title: str, path: str, tail: str = "") -> str:
    """The text with this intent in `section`; unchanged when it stands there."""
    if any(one.id == id for one in read(text, (section,), holding=id)):
        return text
    page = _Page(text)
    page.add(section, [entry_line(id, title, path, tail)])
    return page.text()


def move(text: str, id: str, section: str, tail: str = "") -> str:
    """The text with every entry of this intent in `section`; unchanged when it has none."""
    found = [one for one in read(text, LIFECYCLE, holding=id) if one.id == id]
    moving = [one for one in found if one.section != section]
    if not moving:
        return text
    page = _Page(text)
    items = page.take(moving)
    if len(moving) < len(found):  # it stands there already: only what people added travels
        both = zip(items, moving, strict=True)
        items = [item for item, one in both if one.tail or "\n" in item]
    elif tail:
        items[0] = _with_tail(items[0], tail)
    unique = list(dict.fromkeys(items))
    if unique:
        page.add(section, unique)
    return page.text()


def _with_tail(item: str, tail: str) -> str:
    first, newline, rest = item.partition("\n")
    return f"{first.rstrip()} {_DASH} {tail}{newline}{rest}"


class _Page:
    """The lines of an INDEX with their own line ends; those it adds end as most of them do."""

    def __init__(self, text: str) -> None:
        self.end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        self.lines = _LINES.findall(text)

    def text(self) -> str:
        return "".join(self.lines)

    def take(self, moving: list[Entry]) -> list[str]:
        """Cut entries out, each with the deeper lines below it; emptied sections say so."""
        items = []
        for one in sorted(moving, key=lambda entry: entry.line, reverse=True):
            stop = self._block_end(one.line)
            cut = [line.rstrip("\r\n") for line in self.lines[one.line : stop]]
            indent = _indent(cut[0])
            items.append("\n".join([cut[0].lstrip(), *(line[indent:] for line in cut[1:])]))
            del self.lines[one.line : stop]
            for start, end in self._spans(one.section):
                if start <= one.line <= end and not any(map(str.strip, self.lines[start:end])):
                    self._put(one.line, [EMPTY])
        items.reverse()
        return items

    def add(self, section: str, items: list[str]) -> None:
        """Put entries into a section: newest first where work is over, else at the end."""
        if not self._spans(section):
            self._append_section(section)
        start, end = self._spans(section)[0]
        is_over = section in TERMINAL
        place = self._entry(range(start, end) if is_over else range(end - 1, start - 1, -1))
        if place is None:
            self._put_first(start, end, items)
        elif is_over:
            self._put(place, items)
        else:
            self._put(self._block_end(place), items)

    def _entry(self, lines: range) -> int | None:
        """The first of these lines that is an entry; None when none is."""
        kinds = Body(self.text()).kinds
        for number in lines:
            if kinds[number] == "text" and entry_of("", self.lines[number].rstrip("\r\n")):
                return number
        return None

    def _put(self, place: int, items: list[str]) -> None:
        if place and not self.lines[place - 1].endswith(("\n", "\r")):
            self.lines[place - 1] += self.end
        added = [f"{line}{self.end}" for item in items for line in item.split("\n")]
        self.lines[place:place] = added

    def _put_first(self, start: int, end: int, items: list[str]) -> None:
        """Give a section its first entries: where it says that it has none, else below its text."""
        place = self._drop_empty(start, end)
        if place is None:
            place = end
            while place > start and not self.lines[place - 1].strip():
                place -= 1
            if place == start and start < end:
                place += 1  # the blank line below the heading
            else:
                items = ["", *items]
        if place < len(self.lines) and self.lines[place].strip():
            items = [*items, ""]
        self._put(place, items)

    def _drop_empty(self, start: int, end: int) -> int | None:
        """Take out the line that says "none" in brackets; its place, or None."""
        kinds = Body(self.text()).kinds
        for number in range(start, end):
            line = self.lines[number].strip().strip("_*").casefold()
            if kinds[number] == "text" and line.startswith("(no") and line.endswith(")"):
                del self.lines[number]
                return number
        return None

    def _spans(self, section: str) -> list[tuple[int, int]]:
        """Where the bodies of this section start and end; people may have typed it twice."""
        opened = [
            (name, number)
            for number, line in Body(self.text()).visible()
            if "#" in line and (name := section_name(line)) is not None
        ]
        stops = [*(number for _, number in opened[1:]), len(self.lines)]
        return [
            (number + 1, stop)
            for (name, number), stop in zip(opened, stops, strict=False)
            if name == section
        ]

    def _block_end(self, number: int) -> int:
        """The first line behind an entry and the deeper lines that belong to it."""
        own = _indent(self.lines[number])
        stop = number + 1
        while stop < len(self.lines):
            line = self.lines[stop]
            if not line.strip() or _indent(line) <= own or entry_of("", line.rstrip("\r\n")):
                break
            stop += 1
        return stop

    def _append_section(self, section: str) -> None:
        heading = [f"## {section}"]
        if self.lines and self.lines[-1].strip():
            heading = ["", *heading]
        self._put(len(self.lines), heading)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
