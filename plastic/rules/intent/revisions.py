"""revisions.md: what maintenance has changed in an intent; entries are added, never rewritten."""

from __future__ import annotations

import re
from typing import NamedTuple

FILE = "revisions.md"
HEAD = "# revisions.md\n"
_ENTRY = re.compile(r"^## Revision v(\d+)\b", re.MULTILINE)


class Revision(NamedTuple):
    """One change: `held` is content that was taken out, else `before` and `after` say the change.

    `at` is YYYY-MM-DD-HH:MM, in UTC.
    """

    at: str
    why: str
    rule: str
    prior: str
    before: str = ""
    after: str = ""
    held: str | None = None


def numbers(text: str) -> list[int]:
    """The numbers of all entries. What is held verbatim is indented, so it is never one."""
    return [int(found[1]) for found in _ENTRY.finditer(text)]


def added(text: str, revision: Revision) -> tuple[str, int]:
    """The text with this entry at its end, and its number; every earlier byte stays."""
    number = max(numbers(text), default=0) + 1
    entry = [
        f"## Revision v{number} - {revision.at}",
        "",
        f"- Why: {_sentence(revision.why)} [rule: {revision.rule}]",
        f"- Prior location: {revision.prior}",
    ]
    if revision.held is None:
        entry.append(f"- Change: `{_line(revision.before)}` -> `{_line(revision.after)}`")
    else:
        entry.append("- Content held:")
        entry.append("")
        # Indented by eight: code in a list item, whatever it is made of.
        entry += [f"        {line}".rstrip() for line in revision.held.split("\n")]
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text or HEAD}{gap or chr(10)}" + "\n".join(entry) + "\n", number


def _sentence(text: str) -> str:
    return " ".join(text.split())


def _line(text: str) -> str:
    """A text as one line that its quoting cannot end."""
    return " ".join(text.split()).replace("`", "'") or "(nothing)"
