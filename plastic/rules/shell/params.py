"""What `${x%y}`, `${x/y/z}` and their relatives make of a known value."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, ONE, STAR, marked, matches

_GLOBS = {ord("*"): ANY, ord("?"): ONE}
# Longer values are not cut letter by letter.
_LONGEST = 512


def cut(op: str, value: str, word: str) -> str:
    """The value without what a pattern matches at its start or end, or with its case changed."""
    if op[0] in ("^", ",", "@"):
        if marked(value) or op[0] == "@":
            return value if op[0] == "@" and word in ("Q", "E", "P", "") else ANY
        return value.upper() if op[0] == "^" else value.lower()
    pattern = word.translate(_GLOBS)
    if op[0] not in ("#", "%") or len(value) > _LONGEST:
        return ANY
    if marked(value):
        return _unsure(op, value, pattern)
    ends = range(len(value) + 1)
    for at in ends if op in ("#", "%%") else reversed(ends):
        piece = value[:at] if op[0] == "#" else value[at:]
        if matches(pattern, piece):
            return value[at:] if op[0] == "#" else value[:at]
    return value


def _unsure(op: str, value: str, pattern: str) -> str:
    """A value with marks: only a plain suffix can be cut."""
    if op[0] == "%" and not marked(pattern) and value.endswith(pattern):
        return value[: len(value) - len(pattern)]
    if op in ("##",) and pattern == ANY + "/" and "/" in value:
        name = value.rpartition("/")[2]
        return STAR if ANY in name else name
    return ANY


def replaced(value: str, old: str, new: str, *, every: bool) -> str:
    """The value with a text replaced; ANY when a pattern decides what is."""
    if marked(value) or marked(old) or any(letter in old for letter in "*?["):
        return ANY
    if old[0] in "#%" and len(old) > 1:
        return ANY
    return value.replace(old, new) if every else value.replace(old, new, 1)
