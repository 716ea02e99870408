"""Looks at branch and base: is the work in the base, could it be merged, and is there room."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.files import is_dir, read_text
from plastic.disk.git import Git, oid
from plastic.disk.indexcopy import index_copy
from plastic.rules.end.facts import Checkout, Flags, Merge
from plastic.words import Refused
from plastic.work.end.contained import proof
from plastic.work.merge.committing import require_identity, seat
from plastic.work.merge.objects import Conflict, merge_tree
from plastic.work.merge.ready import foreign_lock
from plastic.work.merge.room import changes, clashes, refresh
from plastic.work.merge.seats import holder, operation, seat_at, seats
from plastic.work.tree.base import REMOTES

if TYPE_CHECKING:
    from plastic.words import Intent
    from plastic.work.end.subject import Place


def refs_of(place: Place) -> Merge:
    """Branch and base as they stand, nothing compared."""
    git = Git(place.site.root)
    return Merge(
        root=place.site.root,
        common=place.site.common,
        branch=place.branch,
        base=place.base,
        tip=oid(git, place.branch) or "",
        base_tip=oid(git, place.base) or "",
        is_remote=place.base.startswith(REMOTES),
        read_only=_read_only(place.site.common),
    )


def _read_only(common: str) -> str:
    """Where git keeps new objects, when it may not: no salvage and no merge could be made."""
    objects = f"{common}/objects"
    return "" if os.access(objects, os.W_OK | os.X_OK) else objects


def merge_facts(intent: Intent, place: Place, flags: Flags) -> Merge:
    """Everything about the merge of a delivery; writes loose objects at most."""
    found = _proven(refs_of(place), intent, flags)
    if found.contained or found.not_in_base or not (found.tip and found.base_tip):
        return found
    if found.is_remote or found.read_only:
        return found
    git = Git(place.site.root)
    root = git.says("merge-base", found.base_tip, found.tip)
    if git.says("rev-parse", "--is-shallow-repository") == "true" and _is_cut(git, found, root):
        return found._replace(shallow=True)
    if root is None:
        return found._replace(unrelated=True)
    merged = merge_tree(found.common, found.base_tip, found.tip)
    if isinstance(merged, Conflict):
        return found._replace(conflicts=tuple(merged.paths))
    words = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", found.base_tip, merged.tree)
    written = git.paths(*words)
    found = found._replace(
        tree=merged.tree,
        changed=len(written),
        commits=int(git.read("rev-list", "--count", found.tip, f"^{found.base_tip}")),
        unnamed=_is_unnamed(found.common),
    )
    return found._replace(checkout=_checkout(found))


def _proven(found: Merge, intent: Intent, flags: Flags) -> Merge:
    if not found.base_tip:
        return found
    if flags.proven_by:
        git = Git(found.root)
        commit = oid(git, flags.proven_by)
        words = ("merge-base", "--is-ancestor", commit or "", found.base_tip)
        if commit is None or git.run(*words, ok=None, quiet=True).rc != 0:
            return found._replace(not_in_base=True)
        return found._replace(contained="person", proof=commit)
    proven = proof(found.common, found.base_tip, found.tip, intent.name) if found.tip else None
    if proven is None:
        return found
    return found._replace(contained=proven.how, proof=proven.commit)


def _is_cut(git: Git, found: Merge, root: str | None) -> bool:
    """Whether the clone ends before branch and base meet, so that the meeting is not known."""
    if root is None:
        return True
    ends = set((read_text(f"{found.common}/shallow", 1 << 26) or "").split())
    words = ("rev-list", found.base_tip, found.tip, f"^{root}")
    return not ends.isdisjoint(git.read(*words).split())


def _is_unnamed(common: str) -> bool:
    try:
        require_identity(seat(common))
    except Refused:
        return True
    return False


# -- the checkout of the base ----------------------------------------------------------------------


def _checkout(found: Merge) -> Checkout:
    held = holder(found.common, found.base)
    if held is not None:
        what, folder = held
        return Checkout(_path_of(folder, found.common), operation=what)
    places = seats(found.common, found.base)
    if not places:
        return Checkout()
    path, more = places[0], tuple(places[1:])
    if not is_dir(path):
        return Checkout(path, more, away=True)
    seat = seat_at(path)
    what_else = operation(seat.folder)
    if what_else is not None:
        return Checkout(path, more, operation=what_else)
    locked = foreign_lock(seat.folder)
    if locked:
        return Checkout(path, more, locked=locked)
    with index_copy(seat.folder) as index:
        if index is None:
            return Checkout(path, more)
        refresh(seat, index)
        seen = clashes(seat, index, found.base_tip, changes(seat, found.base_tip, found.tree))
    told = {*seen.unmerged, *seen.removed, *seen.intended, *seen.hidden}
    dirty = {*seen.staged, *seen.dirty} - told
    return Checkout(
        path,
        more,
        dirty=tuple(sorted(dirty)),
        unmerged=seen.unmerged,
        removed=seen.removed,
        intended=seen.intended,
        hidden=seen.hidden,
        in_the_way=seen.in_the_way,
    )


def _path_of(folder: str, common: str) -> str:
    """The checkout that a git directory belongs to."""
    dot = read_text(f"{folder}/gitdir")
    return (dot.strip() if dot else common).removesuffix("/.git")
