"""What maintenance may change in the documents of an intent: pure changes of text."""

from __future__ import annotations

import re
from typing import NamedTuple

from plastic.rules.intent.artifacts import Body, heading_of
from plastic.rules.intent.intentfile import SECTIONS, frontmatter
from plastic.rules.intent.links import projection
from plastic.rules.intent.names import PROTECTED, STAGED
from plastic.rules.intent.revisions import FILE

# What an intent consists of; everything else in its directory is a stray file.
OWN_FILES = (*STAGED, FILE, *PROTECTED)
OWN_FOLDERS = ("actions", "resources")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Cut(NamedTuple):
    """A section that was taken out of a text."""

    text: str
    held: str
    line: int  # where its heading stood, counted from 1


def without_section(text: str, name: str) -> Cut | None:
    """The text without its one `## name` section; None when there is none, or several."""
    body = Body(text)
    heads = [
        (number, found)
        for number, line in body.visible()
        if "#" in line and (found := heading_of(line)) is not None and found[0] <= 2
    ]
    wanted = [number for number, found in heads if found == (2, name)]
    if len(wanted) != 1:
        return None
    start = wanted[0]
    end = next((number for number, _ in heads if number > start), None)
    lines = _LINES.findall(text)
    cut = lines[start:end]
    kept = lines[:start] + (lines[end:] if end is not None else [])
    return Cut("".join(kept), "".join(cut).rstrip("\r\n"), start + 1)


def sections(text: str) -> list[str]:
    """The `##` headings of a text."""
    found = [heading_of(line) for _, line in Body(text).visible() if "#" in line]
    return [one[1] for one in found if one is not None and one[0] == 2]


def is_sanctioned(section: str) -> bool:
    """Whether a section belongs into an intent file: it is content, so it is not maintenance."""
    return section in SECTIONS


def is_stray(path: str, name: str) -> bool:
    """Whether a file (relative to the intent's directory) is none of an intent's own."""
    head, slash, _ = path.partition("/")
    if slash:
        return head not in OWN_FOLDERS and not head.startswith(".")
    return head not in OWN_FILES and head != f"{name}.md" and not head.startswith(".")


def with_links(text: str) -> tuple[str, str, str] | None:
    """The text with its Links made from the front matter, the section before and after.

    None when that cannot be judged: no front matter that is read here, no section, or two.
    """
    front = frontmatter(text)
    wanted = projection(front) if front else None
    cut = without_section(text, "Links")
    if wanted is None or cut is None:
        return None
    lines = _LINES.findall(text)
    start = cut.line
    end = start + len(_LINES.findall(cut.held)) - 1
    before = "".join(lines[start:end])
    newline = "\r\n" if lines[start - 1].endswith("\r\n") else "\n"
    after = newline + wanted.replace("\n", newline) + newline
    if before.split() == wanted.split():
        return text, before, before
    head = "".join(lines[:start])
    if not head.endswith(("\n", "\r")):
        head += newline
    return head + after + "".join(lines[end:]), before, after
