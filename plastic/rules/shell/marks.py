"""The characters that stand in a word for what the text alone does not say, and their matching."""

from __future__ import annotations

# Any run of characters, slashes too: an expansion whose value is not known.
ANY = "\ue000"
# `*` of a glob and `?` or `[...]`: a run, or one character, within a name.
STAR = "\ue001"
ONE = "\ue002"
# `{`, `,` and `}` that may be a brace expansion.
OPEN = "\ue003"
COMMA = "\ue004"
CLOSE = "\ue005"
# Where an unquoted expansion is split into words.
GAP = "\ue006"

_SHOWN = {ord(ANY): "*", ord(STAR): "*", ord(ONE): "?"}


def marked(text: str) -> bool:
    """Whether the text stands for more than itself."""
    return not text.isascii() and (ANY in text or STAR in text or ONE in text)


def shown(text: str) -> str:
    """The text as a person would write the pattern."""
    return text if text.isascii() else text.translate(_SHOWN)


def literal_part(path: str) -> str:
    """The deepest directory that a pattern names without a mark ("/" at least)."""
    for place, letter in enumerate(path):
        if letter in (ANY, STAR, ONE):
            return path[:place].rpartition("/")[0] or "/"
    return path


def _close(pattern: str, places: set[int]) -> set[int]:
    """These places and those that marks for an empty run lead to."""
    for start in list(places):
        at = start
        while pattern[at : at + 1] in (ANY, STAR):
            at += 1
            places.add(at)
    return places


def _run(pattern: str, text: str) -> set[int]:
    """The places of the pattern that may be reached once the text has been read."""
    places = _close(pattern, {0})
    for letter in text:
        after = set()
        for place in places:
            mark = pattern[place : place + 1]
            if mark == ANY or (mark == STAR and letter != "/"):
                after.add(place)
            elif mark == letter or (mark == ONE and letter != "/"):
                after.add(place + 1)
        if not after:
            return after
        places = _close(pattern, after)
    return places


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern may stand for exactly this text."""
    if not marked(pattern):
        return pattern == text
    return len(pattern) in _run(pattern, text)


def matches_below(pattern: str, directory: str) -> bool:
    """Whether the pattern may stand for something below this directory."""
    directory = directory.rstrip("/")
    if not marked(pattern):
        return pattern.startswith(directory + "/")
    return any(
        pattern[place] in ("/", ANY) for place in _run(pattern, directory) if place < len(pattern)
    )
