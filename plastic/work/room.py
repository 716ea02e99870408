"""Whether a checkout has room for a merge: nothing uncommitted lies on a path that it writes.

Git itself overwrites ignored files, and what is hidden by assume-unchanged or skip-worktree.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import DIRECTORY, MODE_TYPE, lstat, names

if TYPE_CHECKING:
    from plastic.work.seats import Seat

NOTHING = "000000"
LINK = "120000"
MODULE = "160000"
# A private index is nobody's business: no hook, no daemon, and submodules stay where they are.
OPTIONS = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "submodule.recurse=false",
)
TIMEOUT = 600.0


class Change(NamedTuple):
    """One path that differs between two trees; a mode of 000000 = it is not in that tree."""

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str


class Clashes(NamedTuple):
    """Paths of a merge that are not free in a checkout, each in the list of its own reason."""

    unmerged: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()
    intended: tuple[str, ...] = ()  # `add -N`
    dirty: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()  # assume-unchanged, or skip-worktree without a sparse checkout
    in_the_way: tuple[str, ...] = ()  # untracked or ignored


def changes(seat: Seat, old: str, new: str) -> list[Change]:
    """Every path that differs between two commits or trees."""
    words = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new)
    text = seat.git.raw(*words, timeout=TIMEOUT).decode("utf-8", "surrogateescape")
    fields = text.split("\0")
    found = []
    for head, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old_oid, new_oid, _ = head[1:].split(" ")
        found.append(Change(path, old_mode, new_mode, old_oid, new_oid))
    return found


def refresh(seat: Seat, index: str) -> None:
    """Let an index know which files are unchanged; what it then lists as changed, is."""
    env = {"GIT_INDEX_FILE": index}
    words = ("update-index", "-q", "--refresh")
    seat.git.run(*OPTIONS, *words, ok=None, env=env, timeout=TIMEOUT)


def clashes(seat: Seat, index: str, old: str, touched: list[Change]) -> Clashes:
    """What of a checkout, seen through this refreshed index, is in the way of these changes."""
    ours = {change.path for change in touched}
    flags = {line[2:]: line[0] for line in _listed(seat, index, "ls-files", "-v")}
    unmerged = sorted(path for path, flag in flags.items() if flag in "Mm")
    staged = set(_listed(seat, index, "diff-index", "--cached", *_STAGED, old)) & ours
    added = {change.path for change in touched if change.old_mode == NOTHING}
    dirty = set(_listed(seat, index, "diff-files", "--diff-filter=d", *_NAMES)) & ours
    return Clashes(
        tuple(unmerged),
        tuple(sorted(staged)),
        tuple(sorted(added & flags.keys() - staged)),
        tuple(sorted(dirty - set(unmerged))),
        tuple(_hidden(seat, sorted(ours & flags.keys()), flags)),
        tuple(in_the_way(seat.path, touched)),
    )


_NAMES = ("--name-only", "--no-renames", "--ignore-submodules=dirty")
_STAGED = ("--ita-invisible-in-index", *_NAMES)


def _listed(seat: Seat, index: str, *words: str) -> list[str]:
    env = {"GIT_INDEX_FILE": index}
    done = seat.git.raw(*OPTIONS, words[0], "-z", *words[1:], env=env, timeout=TIMEOUT)
    return [name for name in done.decode("utf-8", "surrogateescape").split("\0") if name]


def _hidden(seat: Seat, paths: list[str], flags: dict[str, str]) -> list[str]:
    """Paths that git was told not to look at. Those that a sparse checkout leaves out are free."""
    sparse = seat.git.says("config", "--type=bool", "core.sparseCheckout") == "true"
    found = []
    for path in paths:
        left_out = flags[path] == "S" and sparse and lstat(f"{seat.path}/{path}") is None
        if (flags[path].islower() or flags[path] == "S") and not left_out:
            found.append(path)
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
        elif change.old_mode == NOTHING:
            found.update(_occupied(root, change, leaving))
        elif change.old_mode == MODULE != change.new_mode and _is_full(f"{root}/{change.path}"):
            found.add(change.path)
    return sorted(found)


def _is_full(path: str) -> bool:
    """Whether a submodule is checked out here: git deletes it whole to write a file there."""
    seen = lstat(path)
    return seen is not None and seen.st_mode & MODE_TYPE == DIRECTORY and bool(names(path))


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


def _occupied(root: str, change: Change, leaving: set[str]) -> list[str]:
    """What lies where a path is added: a file, or files below a folder of that name."""
    path = f"{root}/{change.path}"
    seen = lstat(path)
    if seen is None:
        return []
    if seen.st_mode & MODE_TYPE != DIRECTORY:
        return [change.path]
    found = []
    for place, folders, inside in os.walk(path):
        links = [name for name in folders if os.path.islink(f"{place}/{name}")]
        for name in [*inside, *links]:
            relative = f"{place}/{name}"[len(root) + 1 :]
            if relative not in leaving:
                found.append(relative)
    return sorted(found)
