"""Which paths a merge writes, and what already lies there that git does not track.

Git itself overwrites ignored files, and deletes a submodule's folder to write a file in its place.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import DIRECTORY, MODE_TYPE, lstat, names

if TYPE_CHECKING:
    from plastic.disk.git import Git

NOTHING = "000000"
MODULE = "160000"
TIMEOUT = 600.0


class Change(NamedTuple):
    """One path that differs between two trees; a mode of 000000 = it is not in that tree."""

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str


def differing(git: Git, old: str, new: str) -> list[Change]:
    """Every path that differs between two commits or trees."""
    words = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new)
    text = git.raw(*words, timeout=TIMEOUT).decode("utf-8", "surrogateescape")
    fields = text.split("\0")
    found = []
    for head, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old_oid, new_oid, _ = head[1:].split(" ")
        found.append(Change(path, old_mode, new_mode, old_oid, new_oid))
    return found


def in_the_way(root: str, touched: list[Change]) -> list[str]:
    """Untracked and ignored names where the merge writes: git would overwrite the ignored ones."""
    leaving = {change.path for change in touched if change.new_mode == NOTHING}
    found: set[str] = set()
    known: dict[str, str | None] = {}
    for change in touched:
        if change.new_mode == NOTHING:
            continue
        blocked = _blocked(root, change.path.rpartition("/")[0], leaving, known)
        if blocked is not None:
            found.add(blocked)
        elif change.old_mode == MODULE:
            if change.new_mode != MODULE and _is_full(f"{root}/{change.path}"):
                found.add(change.path)
        elif _is_occupied(root, change, leaving):
            found.add(change.path)
    return sorted(found)


def _is_full(path: str) -> bool:
    """Whether a submodule is checked out here: git deletes it whole to write a file there."""
    return _is_folder(path) and bool(names(path))


def _is_folder(path: str) -> bool:
    seen = lstat(path)
    return seen is not None and seen.st_mode & MODE_TYPE == DIRECTORY


def _blocked(root: str, folder: str, leaving: set[str], known: dict[str, str | None]) -> str | None:
    """The file or link that stands where a folder is needed, unless the merge removes it."""
    if not folder:
        return None
    if folder not in known:
        above = _blocked(root, folder.rpartition("/")[0], leaving, known)
        seen = lstat(f"{root}/{folder}") if above is None else None
        stands = seen is not None and seen.st_mode & MODE_TYPE != DIRECTORY
        known[folder] = folder if stands and folder not in leaving else above
    return known[folder]


def _is_occupied(root: str, change: Change, leaving: set[str]) -> bool:
    """Whether a file is to be added where one lies, or written where a folder has files that stay.

    A file that git tracks and something has changed is not for us to find.
    """
    path = f"{root}/{change.path}"
    if not _is_folder(path):
        return change.old_mode == NOTHING and lstat(path) is not None
    for place, folders, inside in os.walk(path):
        links = [one for one in folders if os.path.islink(f"{place}/{one}")]
        if any(f"{place}/{one}"[len(root) + 1 :] not in leaving for one in [*inside, *links]):
            return True
    return False
