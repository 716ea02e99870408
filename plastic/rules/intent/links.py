"""The `## Links` section of an intent file: it is a projection of the front matter, never typed."""

from __future__ import annotations

from plastic.rules.intent.artifacts import Body, heading_of
from plastic.rules.intent.intentfile import REFERENCES, frontmatter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EMPTY = "_(none)_"
_LABELS = {"sources": "Sources", "chain": "Chain"}


def section(text: str) -> str | None:
    """What stands under `## Links`; None unless there is exactly one such section."""
    body = Body(text)
    found: list[int] = []
    ends: list[int] = []
    for number, line in body.visible():
        heading = heading_of(line) if "#" in line else None
        if heading is None or heading[0] > 2:
            continue
        if len(found) > len(ends):
            ends.append(number)
        if heading == (2, "Links"):
            found.append(number)
    if len(found) != 1:
        return None
    end = ends[0] if ends else len(body.lines)
    return "\n".join(body.lines[found[0] + 1 : end])


def projection(front: dict[str, Any]) -> str | None:
    """The one text of the section for this front matter; None when it cannot be judged."""
    lines = []
    for key in REFERENCES:
        value = front.get(key)
        if not isinstance(value, list):
            return None
        if value:
            lines.append(f"- {_LABELS[key]}: " + ", ".join(f"[[{one}]]" for one in value))
    return "\n".join(lines) or EMPTY


def _core(text: str) -> str:
    """The section's lines without blanks at their ends and without blank lines."""
    lines = [line.strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line) or EMPTY


def verdict(before: str | None, after: str) -> str | None:
    """Why the new text's Links may not be written; None = fine, or not for us to judge."""
    new = section(after)
    if new is None:
        return None
    if before is not None:
        old = section(before)
        # None: the old text has none (or two), so that nothing can be called changed.
        if old is None or _core(old) == _core(new):
            return None
    front = frontmatter(after)
    wanted = projection(front) if front else None
    if wanted is None or _core(new) == wanted:
        return None
    shown = wanted.replace("\n", " / ")
    return (
        "`## Links` is made from `sources` and `chain` of the front matter; "
        f"it would have to be: {shown}"
    )
