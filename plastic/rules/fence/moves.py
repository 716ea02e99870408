"""Which lines of a reference transaction change something, and which only tidy up what is there.

`pack-refs` and `gc` look exactly like creating every ref and deleting its file afterwards, so each
line is held against what the ref says at this moment.
"""

from __future__ import annotations

from typing import NamedTuple

# Judged: what an intent's work consists of. Remote branches, plastic's own refs and notes are not.
_PREFIXES = ("refs/heads/", "refs/tags/")
_STASH = "refs/stash"
# These stand in git's directory of the worktree. ORIG_HEAD is written before a merge, a rebase or
# an `am` touches any file: it is judged even where it says the same again.
HEAD = "HEAD"
BEFORE = "ORIG_HEAD"


class Line(NamedTuple):
    """One line of the hook's input."""

    old: str
    new: str
    ref: str


class Known(NamedTuple):
    """What a ref says: its own file, and its line among the packed refs; "" = nothing."""

    loose: str
    packed: str

    @property
    def value(self) -> str:
        return self.loose or self.packed


def lines(text: str) -> list[Line]:
    """The lines of a transaction that are judged at all."""
    found = [Line(*words) for one in text.splitlines() if len(words := one.split(" ", 2)) == 3]
    return [one for one in found if is_judged(one.ref)]


def is_judged(ref: str) -> bool:
    """Whether only the owner moves this ref from the worktree."""
    return ref.startswith(_PREFIXES) or ref in (_STASH, HEAD, BEFORE)


def is_change(line: Line, known: Known) -> bool:
    """Whether the line changes what the ref says; `known` is what it says before."""
    if line.ref == BEFORE:
        return True
    new = "" if _is_zero(line.new) else line.new
    if not _is_id(line.new):
        return False  # a symbolic ref, as newer gits write it: no branch moves
    if new == known.value:
        return False
    # The loose copy of what is packed goes; a deletion was judged when it left the packed refs.
    is_pruned = not new and not _is_zero(line.old) and line.old == known.packed
    return not is_pruned


def _is_zero(id: str) -> bool:
    return not id.strip("0")


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")
