"""Whether a checkout has room for a merge: nothing uncommitted lies on a path that it writes.

Git itself overwrites ignored files, and what is hidden by assume-unchanged or skip-worktree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import lstat
from plastic.work.merge.intheway import MODULE, NOTHING, TIMEOUT, Change, differing, in_the_way

if TYPE_CHECKING:
    from plastic.work.merge.seats import Seat

__all__ = [
    "LINK",
    "MODULE",
    "NOTHING",
    "OPTIONS",
    "TIMEOUT",
    "Change",
    "Clashes",
    "changes",
    "clashes",
    "in_the_way",
    "refresh",
]

LINK = "120000"
# A private index is nobody's business: no hook, no daemon, and submodules stay where they are.
OPTIONS = (
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "submodule.recurse=false",
)


class Clashes(NamedTuple):
    """Paths of a merge that are not free in a checkout, each in the list of its own reason."""

    unmerged: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # of those, the ones that the index has no more
    intended: tuple[str, ...] = ()  # `add -N`
    dirty: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()  # assume-unchanged, or skip-worktree without a sparse checkout
    in_the_way: tuple[str, ...] = ()  # untracked or ignored


def changes(seat: Seat, old: str, new: str) -> list[Change]:
    """Every path that differs between two commits or trees, as a checkout of it sees them."""
    return differing(seat.git, old, new)


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
        tuple(sorted(staged - flags.keys())),
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
