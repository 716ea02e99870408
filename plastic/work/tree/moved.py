"""Finds a worktree that was moved by a plain `mv`, of which git knows only the place of before."""

from __future__ import annotations

import os

from plastic.disk.files import names, read_text
from plastic.disk.gitdir import find
from plastic.disk.paths import parent_of, real

MOST = 2000  # entries of one folder


def moved_to(admin: str, path: str) -> str:
    """Where the worktree of this registration lies now; "" when it is not found.

    Looked for beside its old place, and where the caller stands: further a look would be a search.
    """
    folder = parent_of(path)
    try:
        beside = names(folder)[:MOST]
    except OSError:
        beside = []
    places = [f"{folder}/{name}" for name in beside]
    here = _here()
    if here:
        places.append(here)
    return next((one for one in places if one != path and _is_of(one, admin)), "")


def _here() -> str:
    try:
        found = find(real(os.getcwd()))
    except FileNotFoundError:
        return ""
    return found[0] if found is not None else ""


def _is_of(place: str, admin: str) -> bool:
    """Whether a directory's `.git` file names this registration."""
    try:
        named = (read_text(f"{place}/.git") or "").partition("gitdir:")[2].strip()
    except OSError:
        return False
    return bool(named) and real(os.path.join(place, named)) == real(admin)
