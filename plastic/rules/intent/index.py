"""The one reader of INDEX.md: which section names an intent, however people typed it."""

from __future__ import annotations

from plastic.rules.intent.artifacts import Body, heading_of
from plastic.rules.intent.names import split, valid_id

SECTIONS = ("Active", "Future", "Clusters", "Abandoned", "Completed", "Relocated")
# An intent stands in exactly one of these; Clusters only group intents that stand elsewhere.
LIFECYCLE = ("Active", "Future", "Completed", "Abandoned", "Relocated")
TERMINAL = ("Completed", "Abandoned", "Relocated")
# Found in several: the first of these is believed, since it is the one that gates enforce.
_BELIEVED = (*LIFECYCLE, "Clusters")
_NAMES = {name.casefold(): name for name in SECTIONS}
_DASHES = "\u2014\u2013\u2012\u2015\u2212"
_BLANKS = " \t\u00a0"


class Entry:
    """One list item that links an intent; `tail` is what follows the link, `line` its number."""

    __slots__ = ("id", "line", "path", "section", "tail", "title")

    def __init__(
        self, section: str, id: str, title: str, path: str, tail: str = "", line: int = 0
    ) -> None:
        self.section = section
        self.id = id
        self.title = title
        self.path = path
        self.tail = tail
        self.line = line


def section_name(line: str) -> str | None:
    """The section that a heading opens ("" for one we do not know); None when it opens none.

    Deeper headings group entries inside a section.
    """
    found = heading_of(line)
    if found is None or found[0] > 2:
        return None
    return _NAMES.get(found[1].rstrip(": ").casefold(), "")


def entry_of(section: str, line: str, number: int = 0) -> Entry | None:
    """The intent that a list item links; None for any other line."""
    text = line.strip(_BLANKS)
    if text[:1] not in ("-", "*", "+") or text[1:2] not in (" ", "\t", "\u00a0"):
        return None
    text = text[1:].strip(_BLANKS)
    if text[:1] == "[" and text[1:2] in (" ", "x", "X") and text[2:4] in ("] ", "]\t"):
        text = text[3:].strip(_BLANKS)
    text = text.lstrip("*_~")
    link = _wiki(text) if text.startswith("[[") else _link(text)
    if link is None:
        return None
    label, path, tail = link
    named = _label(label)
    if named is None:
        id = _id_in(path)
        if id is None:
            return None
        named = id, label
    return Entry(section, named[0], named[1], path, tail.strip(_BLANKS), number)


def _wiki(text: str) -> tuple[str, str, str] | None:
    inner, closed, tail = text[2:].partition("]]")
    if not closed:
        return None
    path, bar, label = inner.partition("|")
    return (label if bar else inner).strip(_BLANKS), path.strip(_BLANKS), tail


def _link(text: str) -> tuple[str, str, str] | None:
    if text[:1] != "[":
        return None
    end = _closing(text, 1, "]")
    if end < 0 or text[end + 1 : end + 2] != "(":
        return None
    stop = _closing(text, end + 2, ")")
    if stop < 0:
        return None
    path = text[end + 2 : stop].strip(_BLANKS).strip("<>")
    return unescape(text[1:end]).strip(_BLANKS), path, text[stop + 1 :]


def _closing(text: str, start: int, mark: str) -> int:
    """Where the next unescaped `mark` that closes this bracket stands; -1 = nowhere."""
    opener = "[" if mark == "]" else "("
    end = text.find(mark, start)
    if end < 0 or (text.find(opener, start, end) < 0 and text.find("\\", start, end) < 0):
        return end
    depth = 0
    place = start
    while place < len(text):
        letter = text[place]
        if letter == "\\":
            place += 1
        elif letter == opener:
            depth += 1
        elif letter == mark:
            if depth == 0:
                return place
            depth -= 1
        place += 1
    return -1


def unescape(text: str) -> str:
    """A link's text without the backslashes that protect its brackets."""
    kept = []
    place = 0
    while place < len(text):
        if text[place] == "\\" and text[place + 1 : place + 2] in ("[", "]", "\\"):
            place += 1
        kept.append(text[place])
        place += 1
    return "".join(kept)


def escape(text: str) -> str:
    """A title as a link's text."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _label(label: str) -> tuple[str, str] | None:
    """Id and title of `ID <separator> Title`; a hyphen separates only between blanks."""
    label = label.strip("*_~` \t\u00a0")
    name = label.rpartition("/")[2].removesuffix(".md")
    whole = split(name)
    if whole is not None:
        return whole[0], whole[1].replace("-", " ")
    end = 0
    while end < len(label) and label[end] not in _BLANKS and label[end] not in _DASHES:
        end += 1
    id = label[:end]
    if not valid_id(id):
        return None
    rest = label[end:].lstrip(_BLANKS)
    if not rest:
        return id, ""
    if rest[0] in _DASHES:
        return id, rest[1:].strip(_BLANKS)
    behind = rest.lstrip("-")
    if behind != rest and label[end] in _BLANKS and behind[:1] in ("", *_BLANKS):
        return id, behind.strip(_BLANKS)
    return None


def _id_in(path: str) -> str | None:
    for part in reversed(path.split("/")):
        name = split(part.removesuffix(".md"))
        if name is not None:
            return name[0]
    return None


def read(text: str, only: tuple[str, ...] = SECTIONS, holding: str = "[") -> list[Entry]:
    """Every entry of the known sections, in the order of the file.

    `only` these sections and lines `holding` this text are looked at closely: an INDEX of ten
    thousand finished intents must not cost a gate a tenth of a second.
    """
    found = []
    section = ""
    for number, line in Body(text).visible():
        opened = section_name(line) if "#" in line else None
        if opened is not None:
            section = opened if opened in only else ""
        elif section and holding in line:
            entry = entry_of(section, line, number)
            if entry is not None:
                found.append(entry)
    return found


def entries(text: str) -> list[tuple[str, str, str, str]]:
    """Every entry as (section, id, title, path)."""
    return [(one.section, one.id, one.title, one.path) for one in read(text)]


def sections(text: str, only: tuple[str, ...] = SECTIONS) -> dict[str, list[str]]:
    """The ids that stand in each of these sections of the text."""
    found: dict[str, list[str]] = {}
    for one in read(text, only):
        found.setdefault(one.section, []).append(one.id)
    return found


def where(text: str, id: str) -> str | None:
    """The section that names this intent, Active before all others; None = none does."""
    if id not in text:
        return None
    named = {one.section for one in read(text, holding=id) if one.id == id}
    return next((section for section in _BELIEVED if section in named), None)
