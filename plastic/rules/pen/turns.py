"""The journal of a pen file: its turns found by their markers, read, and written as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.pen.block import FORMAT, Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.rules.pen.block import Fault

ENGINE = ("from", "to", "ask", "done", "files", "handoff", "at", "model", "effort")
ADVISORY = ("branch", "commit", "tests", "next", "blocked_on")
NOTHING = "\u2014"  # what stands for a text that was not given
HIDDEN = "\u200b"  # behind the brand in a body: it can be no marker then
FIELD_MOST = 64 * 1024  # bytes
BODY_MOST = 256 * 1024
_FIELD = re.compile(r"- ([a-z][a-z0-9_]*): *(.*)")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # a byte of the command line that is no UTF-8
_RESERVED = ("TURN", "LOCK", "STANZA", "TASK", "REQUEST")


class Turn(NamedTuple):
    """One turn: its number and author, and where its text begins and ends in the file."""

    n: int
    agent: str
    start: int
    end: int


class Entry(NamedTuple):
    """A turn that was read: its header in order, and its body."""

    n: int
    agent: str
    header: dict[str, str]
    body: str

    @property
    def to(self) -> str:
        """The recipient, in lower case."""
        return self.header.get("to", "").lower()


class Journal:
    """The turns of a text in their order, and what is wrong with their markers.

    Whether all is well is one scan; where ten thousand turns begin is found only when it is asked.
    """

    def __init__(self, text: str, form: Format) -> None:
        self._text, self._form = text, form
        self._turns: list[Turn] | None = None
        self.faults: list[Fault] = []
        self.last = 0  # the highest number
        marks = markers(form).findall(text)
        numbers = [int(number) for number, _, side in marks if side == "BEGIN"]
        opens, closes = marks[::2], marks[1::2]
        if (
            [one[:2] for one in opens] != [one[:2] for one in closes]
            or {one[2] for one in opens} - {"BEGIN"}
            or numbers != sorted(set(numbers))
        ):
            self._turns, self.faults = _slowly(text, form)
            numbers = [turn.n for turn in self._turns]
        self.last = max(numbers, default=0)
        if text.count(form.begin) > 1 or text.count(form.end) > 1:
            self.faults.append(("second-block",))

    @property
    def turns(self) -> list[Turn]:
        """All of them."""
        if self._turns is None:
            self._turns = _slowly(self._text, self._form)[0]
        return self._turns

    def backwards(self) -> Iterator[Turn]:
        """The newest first; of a journal without faults as many as are asked for."""
        if self._turns is not None:
            yield from reversed(self._turns)
            return
        at, found = len(self._text), markers(self._form)
        while (last := self._text.rfind(f"<!-- {self._form.brand}:TURN ", 0, at)) >= 0:
            at = last
            end = found.match(self._text, last)
            if end is not None:
                at = self._text.rfind(f"{end[0][: -len('END -->')]}BEGIN -->", 0, last)
                yield Turn(int(end[1]), end[2], at, end.end())

    @property
    def newest(self) -> Turn | None:
        """The last of the text."""
        return next(self.backwards(), None)


def marker(n: int, agent: str, side: str, form: Format = FORMAT) -> str:
    """The line before or behind a turn."""
    return f"<!-- {form.brand}:TURN {n} {agent} {side} -->"


def markers(form: Format) -> re.Pattern[str]:
    """Both lines, of any turn."""
    return re.compile(
        rf"<!-- {re.escape(form.brand)}:TURN (\d{{1,9}}) ([a-z][a-z0-9_-]*) (BEGIN|END) -->"
    )


def journal(text: str, form: Format = FORMAT) -> Journal:
    """The turns of a text."""
    return Journal(text, form)


def _slowly(text: str, form: Format) -> tuple[list[Turn], list[Fault]]:
    """Every turn by its place, and every marker that has no other half."""
    turns: list[Turn] = []
    wrong: list[Fault] = []
    opened: tuple[str, str, int] | None = None
    last = -1
    for found in markers(form).finditer(text):
        number, agent, side = found.groups()
        if side == "BEGIN":
            if opened is not None:
                wrong.append(("no-end", opened[0]))
            opened = (number, agent, found.start())
        elif opened is None or opened[:2] != (number, agent):
            wrong.append(("no-beginning", number))
            opened = None
        else:
            turn = Turn(int(number), agent, opened[2], found.end())
            opened = None
            if turn.n <= last:
                wrong.append(("order", str(turn.n), str(last)))
            last = max(last, turn.n)
            turns.append(turn)
    if opened is not None:
        wrong.append(("no-end", opened[0]))
    return turns, wrong


def entry(text: str, turn: Turn) -> Entry:
    """One turn, read: lines `- key: value` up to the first other line are its header."""
    lines = text[turn.start : turn.end].replace("\r\n", "\n").split("\n")[1:-1]
    header: dict[str, str] = {}
    at = 0
    for line in lines:
        found = _FIELD.fullmatch(line.rstrip())
        if found is None:
            break
        header.setdefault(found[1], found[2])
        at += 1
    return Entry(turn.n, turn.agent, header, "\n".join(lines[at:]).strip("\n"))


def render(entry: Entry, form: Format = FORMAT) -> str:
    """A turn as text, from its first marker to the line break behind its last."""
    lines = [marker(entry.n, entry.agent, "BEGIN", form)]
    for key, value in entry.header.items():
        label = f"- {key}:"
        lines.append(f"{label:<11}{value}" if key in ENGINE else f"{label} {value}")
    if entry.body:
        lines += ["", entry.body]
    lines.append(marker(entry.n, entry.agent, "END", form))
    return "\n".join(lines) + "\n"


def added(text: str, entry: Entry, form: Format = FORMAT) -> str:
    """The file with a turn at its end, one blank line before it, in the file's own line ends."""
    new = render(entry, form)
    tail = text.rstrip("\r\n")
    gap = "\n\n"
    if "\r\n" in text[:4096]:
        new, gap = new.replace("\n", "\r\n"), "\r\n\r\n"
    return tail + gap + new


def safe_body(text: str, form: Format = FORMAT) -> str:
    """A body that can neither be read as a marker nor command a terminal."""
    text = text.replace("\r\n", "\n").strip("\n")
    text = text.replace(f"{form.brand}:", f"{form.brand}{HIDDEN}:")
    text = _SURROGATE.sub("\ufffd", text)
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def field_fault(text: str, form: Format = FORMAT) -> str | None:
    """Why a text cannot be the value of one line: a code, None when it can."""
    if len((text + ".").splitlines()) > 1:
        return "line-break"
    if any(f"{form.brand}:{word}" in text for word in _RESERVED):
        return "marker"
    if _CONTROL.search(text) or _SURROGATE.search(text):
        return "control"
    return "too-long" if len(text.encode()) > FIELD_MOST else None


def key_fault(key: str, taken: dict[str, str]) -> str | None:
    """Why a word cannot be the key of a line of one's own: a code, None when it can."""
    if not _KEY.fullmatch(key):
        return "bad-key"
    return "taken-key" if key in ENGINE or key in taken else None


def unread(entries: list[Entry], agent: str, receipt: int) -> list[int]:
    """The turns to an agent that it has neither read nor answered by a later one of its own."""
    written = max((one.n for one in entries if one.agent == agent), default=0)
    seen = max(written, receipt)
    return [one.n for one in entries if one.to == agent and one.agent != agent and one.n > seen]
