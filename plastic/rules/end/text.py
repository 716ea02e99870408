"""The texts that End leaves in the documents: the stamp, the follow-ups, the tail in INDEX."""

from __future__ import annotations

import re

from plastic.rules.intent.artifacts import Body, box_of, heading_of

OUTCOME = "Outcome"
FOLLOW_UPS = "Follow-ups"
_BLANKS = re.compile(r"\s+")
# The same lines as the reader's: only CR and LF end one.
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def one_line(text: str) -> str:
    """A note as one line without control characters."""
    shown = "".join(one if one.isprintable() else " " for one in text)
    return _BLANKS.sub(" ", shown).strip()


def tail(day: str, note: str) -> str:
    """What stands behind a terminal entry of INDEX."""
    return f"{day} \u2014 {note}" if note else day


def stamp_line(disposition: str, day: str, note: str, where: str) -> str:
    """The sentence of the intent file's Outcome; `where` says what became of the branch."""
    said = f" {where}." if where else ""
    stop = "" if note.endswith((".", "!", "?")) else "."
    more = f" {note}{stop}" if note else ""
    return f"{disposition.capitalize()} {day}.{said}{more} See [outcome.md](outcome.md)."


def stamp(text: str, line: str) -> str:
    """The intent file with this line at the end of `## Outcome`; unchanged when it has it.

    What people wrote there stays; without that section nothing is added.
    """
    return _append(text, OUTCOME, [line])


def open_items(checklist: str) -> list[str]:
    """The open boxes of a checklist as list items, fences left out."""
    return [
        f"- [ ] {box_of_text(line)}"
        for _, line in Body(checklist).visible()
        if box_of(line) == " " and box_of_text(line)
    ]


def box_of_text(line: str) -> str:
    """What stands behind the box of a list item."""
    return one_line(line.partition("]")[2])


def follow_up(text: str, items: list[str]) -> str:
    """The outcome with these items under `## Follow-ups`, each once; the section is made."""
    if not items:
        return text
    if _section(text, FOLLOW_UPS) is None:
        end = "" if not text or text.endswith("\n") else "\n"
        text = f"{text}{end}\n## {FOLLOW_UPS}\n"
    return _append(text, FOLLOW_UPS, items)


def _append(text: str, section: str, wanted: list[str]) -> str:
    found = _section(text, section)
    if found is None:
        return text
    start, stop = found
    lines = _LINES.findall(text)
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    known = {line.strip() for line in lines[start:stop]}
    added = [line for line in wanted if line not in known]
    if not added:
        return text
    last = stop
    while last > start and not lines[last - 1].strip():
        last -= 1
    if not lines[last - 1].endswith(("\n", "\r")):
        lines[last - 1] += end
    is_list = added[0].startswith("- ") and lines[last - 1].lstrip().startswith(("- ", "* ", "+ "))
    gap = [] if is_list else [end]
    below = [] if last < stop or last == len(lines) else [end]
    lines[last:last] = [*gap, *(f"{line}{end}" for line in added), *below]
    return "".join(lines)


def _section(text: str, name: str) -> tuple[int, int] | None:
    """The lines between this `##` heading and the next of its rank; None without it."""
    start = None
    for number, line in Body(text).visible():
        found = heading_of(line)
        if found is None or found[0] > 2:
            continue
        if start is not None:
            return start, number
        if found[0] == 2 and found[1].strip().casefold() == name.casefold():
            start = number + 1
    return None if start is None else (start, len(_LINES.findall(text)))
