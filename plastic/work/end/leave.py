"""End's steps in the repository after the merge: worktree to the trash, branch deleted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.files import lstat, remove
from plastic.disk.git import Git, oid
from plastic.disk.paths import is_below, real
from plastic.disk.worktrees import NOTE, admin_dir, entry_at, listed, owner_of
from plastic.rules.end.facts import DELIVERED
from plastic.rules.end.proof import short
from plastic.words import Broken
from plastic.work.end.contained import proof
from plastic.work.fence.install import take_down
from plastic.work.fence.ref import delete
from plastic.work.tree.trash import bury

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.words import Intent
    from plastic.work.end.subject import Place

ELSEWHERE = "trash-elsewhere"  # the worktree is on another file system


def leave_worktree(
    intent: Intent, place: Place, token: int, say: Callable[[str], None]
) -> str | None:
    """Take the worktree out of use; where it lies now, None when it stays or there was none."""
    if place.adopted:
        _give_back(intent, place)
        say(f"{place.path} stays: somebody else made it")
        return None
    _step_out(place, say)
    try:
        return bury(place.site.common, place.path, intent.id, token)
    except Broken as broken:
        if broken.code != ELSEWHERE:
            raise
        say(f"{place.path} stays: {broken.reason}")
        return None


def _step_out(place: Place, say: Callable[[str], None]) -> None:
    """A process whose directory goes away can start nothing any more."""
    try:
        here = real(os.getcwd())
    except FileNotFoundError:
        here = place.path  # it is gone already
    if is_below(here, place.path):
        os.chdir(place.site.root)
        if lstat(place.path) is not None:
            say(f"your directory {here} goes away: cd {place.site.root}")


def _give_back(intent: Intent, place: Place) -> None:
    """Take our marks off a worktree that is not ours."""
    admin = admin_dir(place.site.common, place.path)
    if admin is not None:
        take_down(place.site.common, admin)
        remove(f"{admin}/{NOTE}")
    git = Git(place.site.root)
    entry = entry_at(git, place.path)
    if entry is not None and owner_of(entry.locked) == intent.id:
        git.run("worktree", "unlock", "--", place.path)


def drop_branch(
    intent: Intent,
    place: Place,
    tip: str,
    salvage: str,
    barrier: tuple[str, str] | None,
    *,
    by_person: bool,
) -> str | None:
    """Delete the branch if it is still at `tip`, proven and checked out nowhere.

    `barrier` is the fence and the blob it must still name. None when it is gone, else why it stays.
    """
    git = Git(place.site.root)
    now = oid(git, place.branch)
    if now is None:
        return None
    if tip and now != tip:
        return "it has moved meanwhile"
    seat = next((one.path for one in listed(git) if one.branch == place.branch), None)
    if seat is not None:
        return f"it is checked out in {seat}"
    base = oid(git, place.base)
    proven = proof(place.site.common, base, now, intent.name) if base is not None else None
    if proven is None and not by_person:
        return f"it is not proven to be in {short(place.base)}"
    if (proven is None or proven.how != "ancestor") and not _is_kept(git, now, salvage):
        return "nothing else keeps its commits"
    done = delete(git, place.branch, now, barrier)
    if oid(git, place.branch) is not None:
        return done.tail(1) or "git did not delete it"
    # Its configuration goes as with `branch -d`; a config that is locked may keep it.
    git.run("config", "--remove-section", f"branch.{short(place.branch)}", ok=None)
    return None


def _is_kept(git: Git, tip: str, salvage: str) -> bool:
    """Whether the salvage ref holds these commits: squashed away they are nowhere else."""
    if not salvage or oid(git, salvage) is None:
        return False
    return git.run("merge-base", "--is-ancestor", tip, salvage, ok=None, quiet=True).rc == 0


def fate(disposition: str, kept: str | None) -> str:
    """What became of the branch, for people."""
    if disposition != DELIVERED:
        return "kept"
    return "deleted" if kept is None else f"kept: {kept}"
