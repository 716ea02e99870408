"""Looks at a worktree before it is taken away: everything in it that only it holds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.files import exists, is_dir, lstat
from plastic.disk.git import Git, common_dir, current_branch, is_root
from plastic.disk.nested import nested
from plastic.disk.worktrees import admin_dir, entry_at, has_index, owner_of
from plastic.rules.end.facts import Tree
from plastic.rules.porcelain import Status, status
from plastic.work.merge.underway import UNDER_WAY
from plastic.work.tree.base import HEADS
from plastic.work.tree.hidden import hidden_edits
from plastic.work.tree.moved import moved_to
from plastic.work.tree.remains import remains
from plastic.work.tree.submodules import STATUS, submodules, unpushed, with_changes
from plastic.work.tree.trashroom import closed, taken

if TYPE_CHECKING:
    from plastic.words import Intent
    from plastic.work.end.subject import Place

SHUT = "warning: could not open directory"
STATUS_TIMEOUT = 300.0  # seconds, for a huge and cold tree


def tree_facts(intent: Intent, place: Place) -> Tree:
    """Facts about the worktree at this place; reads only."""
    found = Tree(_state(place), place.path, place.adopted)
    found = found._replace(locked=_locked(intent, place), stashes=_stashes(place))
    if found.state == "missing" and lstat(place.path) is None:
        admin = admin_dir(place.site.common, place.path)
        if admin is None:
            return found
        moved = moved_to(admin, place.path)
        return found._replace(moved=moved, lost=() if moved else remains(place.site.common, admin))
    if found.state != "there":
        return found
    if not place.adopted:
        common = place.site.common
        blocked = taken(common)
        shut = "" if blocked else closed(common, place.path)
        found = found._replace(trash_taken=blocked, trash_closed=shut)
    git = Git(place.path)
    folder = git.read("rev-parse", "--absolute-git-dir")
    seen, unreadable = _status(git)
    modules = submodules(place.path)
    current = current_branch(git)
    inner = tuple(one for one in nested(place.path) if one not in modules)
    return found._replace(
        unreadable=unreadable,
        operation=next(
            (what for name, what in UNDER_WAY.items() if exists(f"{folder}/{name}")), ""
        ),
        elsewhere=_elsewhere(current, place.branch),
        detached=_detached(git) if current is None else 0,
        dirty=tuple(path for path in seen.changed if path and path not in seen.unmerged),
        unmerged=seen.unmerged,
        # To add a repository would put a link into the work, and not its files.
        untracked=tuple(one for one in seen.untracked if one.rstrip("/") not in inner),
        hidden=hidden_edits(git, folder),
        nested=inner,
        modules_dirty=with_changes(place.path, modules),
        modules_unpushed=unpushed(place.path, modules),
    )


def _state(place: Place) -> str:
    if lstat(place.path) is None:
        return "missing"
    if is_root(place.path) and common_dir(place.path) == place.site.common:
        admin = admin_dir(place.site.common, place.path)
        fresh = admin is not None and not has_index(admin) and os.listdir(place.path) == [".git"]
        return "missing" if fresh else "there"  # a start that was killed had nothing in it yet
    if is_dir(place.path) and not os.listdir(place.path):
        return "missing"
    return "broken"


def _locked(intent: Intent, place: Place) -> str:
    """The reason of a lock that is somebody else's; an adopted worktree stays in any case."""
    entry = entry_at(Git(place.site.root), place.path)
    if entry is None or entry.locked is None or place.adopted:
        return ""
    return "" if owner_of(entry.locked) == intent.id else entry.locked or "no reason given"


def _stashes(place: Place) -> tuple[str, ...]:
    """Stash entries that were made on the branch: the stash is shared by all worktrees."""
    short = place.branch.removeprefix(HEADS)
    marks = (f"WIP on {short}:", f"On {short}:")
    listed = Git(place.site.root).says(
        "log", "--walk-reflogs", "--format=%gd%x00%gs", "refs/stash", "--"
    )
    rows = [line.partition("\0") for line in (listed or "").splitlines()]
    return tuple(name for name, _, text in rows if text.startswith(marks))


def _status(git: Git) -> tuple[Status, str]:
    done = git.run(*STATUS, ok=None, quiet=True, timeout=STATUS_TIMEOUT)
    if done.rc != 0:
        return Status((), (), ()), done.tail(1) or f"git status ended with {done.rc}"
    # A folder that it may not open is a warning to git; what lies in it nobody has seen.
    shut = next((line for line in done.err.splitlines() if line.startswith(SHUT)), "")
    return status(done.out), shut.removeprefix("warning: ")


def _elsewhere(current: str | None, branch: str) -> str:
    if current is None:
        return "a detached HEAD"
    return "" if current == branch else current.removeprefix(HEADS)


def _detached(git: Git) -> int:
    words = ("--branches", "--tags", "--remotes")
    count = git.says("rev-list", "--count", "HEAD", "--not", *words)
    return int(count or 0)
