"""A pen file made whole again from its journal: no turn goes, what cannot be true does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.pen.block import (
    LANGS,
    PAIR,
    Format,
    Pen,
    faults,
    is_name,
    roster,
    split,
)
from plastic.rules.pen.clock import seconds, stamp
from plastic.rules.pen.turns import HIDDEN, Journal, entry, journal, marker, markers

if TYPE_CHECKING:
    from plastic.rules.pen.block import Fault

ORDER = ("holder", "state", "agents", "lang", "turn", "since", "expires", "note")


class Repaired(NamedTuple):
    """The text, and what was done to it; nothing done = the text was sound."""

    text: str
    done: list[Fault]


def repaired(text: str, form: Format, now: int, archived: int = 0) -> Repaired:
    """The same journal under a block that holds; `archived` is the highest turn of the archive."""
    done: list[Fault] = []
    text = _balanced(_one_block(text, form, done), form, done)
    book = journal(text, form)
    pen = split(text, form)
    last = max(book.last, archived)
    if pen is not None and not faults(pen) and int(pen.get("turn")) == last:
        return Repaired(text, done)
    if pen is None:
        pen = _opened(text, form)
        done.append(("new-block",))
        text = pen.text()
    # Judged anew, because positions in the text have moved.
    _rebuild(pen, journal(text, form), text, last, now, done)
    return Repaired(pen.text(), done)


def _one_block(text: str, form: Format, done: list[Fault]) -> str:
    """The first block stays, a lost marker of it comes back; the markers of others lose effect."""
    text = _closed(text, form, done)
    start = text.find(form.begin)
    end = text.find(form.end, start) if start >= 0 else -1
    start = start + len(form.begin) if end >= 0 else 0
    past = end + len(form.end)
    parts = [text[:start], text[start:end], text[end:past], text[past:]]
    if start == 0:
        parts = ["", "", "", text]
    for number in (0, 1, 3):
        last = len(parts[0]) - len(form.begin) if number == 0 and start else len(parts[number])
        head, tail = parts[number][:last], parts[number][last:]
        clean = head.replace(f"{form.brand}:LOCK:", f"{form.brand}{HIDDEN}:LOCK:")
        if clean != head:
            done.append(("second-block",))
        parts[number] = clean + tail
    return "".join(parts)


def _closed(text: str, form: Format, done: list[Fault]) -> str:
    """A block that lost one of its markers gets it back around its lines `key: value`."""
    start = text.find(form.begin)
    if start >= 0 and text.find(form.end, start) < 0:
        body = re.compile(r"(?:\r?\n(?:[a-z_]+[ \t]*:|#)[^\n]*)*").match(
            text, start + len(form.begin)
        )
        at = body.end() if body else start + len(form.begin)
        done.append(("block-end",))
        return f"{text[:at]}\n{form.end}{text[at:]}"
    end = text.find(form.end)
    if start < 0 <= end:
        lines = re.search(r"(?:^(?:[a-z_]+[ \t]*:|#)[^\n]*\n)+\Z", text[:end], re.MULTILINE)
        at = lines.start() if lines else end
        done.append(("block-begin",))
        return f"{text[:at]}{form.begin}\n{text[at:]}"
    return text


def _opened(text: str, form: Format) -> Pen:
    """A block where there is none: behind the title, before the first turn."""
    first = markers(form).search(text)
    head = text[: first.start()] if first else text
    heading = re.search(r"^## ", head, re.MULTILINE)
    at = heading.start() if heading else len(head)
    before, after = text[:at], text[at:]
    if before and not before.endswith("\n"):
        before += "\n"
    return Pen(f"{before}{form.begin}", "\n", f"{form.end}\n\n{after}")


def _balanced(text: str, form: Format, done: list[Fault]) -> str:
    """Every turn with both markers and a number of its own; the words between them untouched."""
    out: list[str] = []
    at, last = 0, -1
    opened: tuple[int, str, str] | None = None  # number given, agent, number written

    def close(upto: int) -> None:
        nonlocal opened, at
        assert opened is not None
        out.append(text[at:upto].rstrip("\n") + "\n")
        out.append(marker(opened[0], opened[1], "END", form) + "\n\n")
        done.append(("no-end", str(opened[0])))
        at, opened = upto, None

    for found in markers(form).finditer(text):
        number, agent, side = found.groups()
        if side == "END":
            out.append(text[at : found.start()])
            if opened is not None and (opened[2], opened[1]) == (number, agent):
                out.append(marker(opened[0], agent, "END", form))
                opened = None
            else:
                out.append(found[0].replace(f"{form.brand}:", f"{form.brand}{HIDDEN}:"))
                done.append(("no-beginning", number))
            at = found.end()
            continue
        if opened is not None:
            close(found.start())
        given = int(number) if int(number) > last else last + 1
        if given != int(number):
            done.append(("renumbered", number, str(given)))
        last = given
        out += [text[at : found.start()], marker(given, agent, "BEGIN", form)]
        opened, at = (given, agent, number), found.end()
    if opened is not None:
        close(len(text))
    return "".join(out) + text[at:]


def _rebuild(pen: Pen, book: Journal, text: str, last: int, now: int, done: list[Fault]) -> None:
    """Values that hold stay; the rest is what the journal says."""
    before = dict(pen.fields)
    _once(pen)
    names = _names(pen, book, text)
    if roster(pen.fields.get("agents")) != names:
        pen.change("agents", ",".join(names))
    if "lang" in pen.fields and pen.get("lang").lower() not in LANGS:
        pen.change("lang", "en")
    pen.change("turn", str(last))
    if seconds(pen.get("since")) is None:
        pen.change("since", stamp(now))
    if faults(pen):
        _state(pen, book, text, names, now)
    if "note" not in pen.fields:
        pen.change("note", "-")
    changed = [key for key in pen.fields if pen.fields[key] != before.get(key)]
    changed += [key for key in before if key not in pen.fields]
    done += [("value", key, pen.get(key) or "-") for key in changed] or [("line",)]


def _once(pen: Pen) -> None:
    """The first line of a key is the one."""
    seen: set[str] = set()
    rows = []
    for key, line in pen.rows:
        if key == "" or key not in seen:
            rows.append((key, line))
        seen.add(key)
    pen.rows, pen.twice = rows, []


def _names(pen: Pen, book: Journal, text: str) -> list[str]:
    """The roster: its valid names, then who is in the journal, then the usual pair."""
    found = [name for name in roster(pen.fields.get("agents", "")) if is_name(name)]
    if len(found) >= 2:
        return found
    for turn in book.turns:
        found += [name for name in (turn.agent, entry(text, turn).to) if is_name(name)]
    found = list(dict.fromkeys(found))
    return found if len(found) >= 2 else list(dict.fromkeys([*found, *PAIR]))


def _state(pen: Pen, book: Journal, text: str, names: list[str], now: int) -> None:
    """Whose turn it is: the recipient of the newest turn; without one the pen is free."""
    newest = max(book.turns, key=lambda turn: turn.n, default=None)
    to = entry(text, newest).to if newest is not None else ""
    holder = to if to in names else "none"
    pen.change("state", f"AWAITING_{holder.upper()}" if holder in names else "IDLE")
    pen.change("holder", holder)
    pen.change("expires", "-")
    pen.change("since", stamp(now))
    for key in ("integrating", "pen_cooldown"):
        if key in pen.fields:
            pen.change(key, None)
    if faults(pen):  # `holder` in another case and the like: written anew
        for key in ORDER:
            value = pen.get(key)
            pen.change(key, None)
            if value:
                pen.change(key, value)
