"""Registers the worktree of an intent, from every state that an earlier start can have left."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.checkout import has_leftovers, is_pristine, try_filling
from plastic.disk.command import again
from plastic.disk.failpoints import point
from plastic.disk.files import exists
from plastic.disk.git import Git, oid, whereabouts
from plastic.disk.paths import real
from plastic.disk.trash import put, put_modules
from plastic.disk.worktrees import (
    Entry,
    Note,
    add,
    admin_dir,
    entry_at,
    exclude,
    has_index,
    listed,
    lock_reason,
    noted_for,
    owner_of,
    recall,
    remember,
)
from plastic.rules.intent.names import BRANCH_PREFIX, branch
from plastic.words import Broken, Refused
from plastic.work.lock.refuse import start_command
from plastic.work.tree.base import HEADS, Base, branch_named, fork_point, resolve
from plastic.work.tree.moved import moved_to
from plastic.work.tree.reflogs import keep_reflogs
from plastic.work.tree.salvage import keep_lost
from plastic.work.tree.site import branch_of, path_of, require_free, require_safe

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.projects import Project
    from plastic.words import Intent
    from plastic.work.tree.made import Made
    from plastic.work.tree.site import Site


class Wish(NamedTuple):
    """What one start asks for; `base` is the branch it names, `usual` where it begins else."""

    site: Site
    intent: Intent
    project: Project
    token: int
    base: str | None
    say: Callable[[str], None]
    home: str  # its root
    usual: str | None = None

    @property
    def git(self) -> Git:
        return Git(self.site.root)


class Place(NamedTuple):
    """A registered worktree: `admin` is git's directory for it, `branch` a short name."""

    path: str
    admin: str
    branch: str
    note: Note


def place(wish: Wish, made: Made) -> Place:
    """The intent's worktree, registered; the caller holds the repository's guard."""
    common = wish.site.common
    usual = path_of(wish.site, wish.intent)
    path = noted_for(common, wish.intent.name) or usual
    if path == usual:
        made.absent = require_safe(wish.site, wish.intent)
    entry = entry_at(wish.git, path)
    if entry is None:
        require_free(path)
        return _create(wish, made, path, None)
    note = recall(admin_dir(common, path))
    _require_ours(wish, entry, path, note)
    if not exists(path):
        _require_our_reason(wish, entry, path)
        _require_not_moved(wish, path)
        _keep_lost(wish, path)
        return _create(wish, made, path, note, entry)
    _require_whole(wish, path)
    admin = _admin(common, path)
    if not has_index(admin) and _was_half_filled(path, admin):
        aside = put(common, path, wish.intent.id, wish.token, branch=entry.branch)
        wish.say(f"a start was killed while it wrote {path}; what it had written lies in {aside}")
        return _create(wish, made, path, note, entry)
    return _reuse(wish, entry, path, admin, note)


def _keep_lost(wish: Wish, path: str) -> None:
    """A new registration replaces the old one and all that git had in it."""
    kept = keep_lost(wish.site.root, wish.intent, path, wish.token, [])
    if kept is not None:
        wish.say(f"{path} was gone; what git still had of it is kept at {kept.ref}")
    logs = keep_reflogs(wish.site.common, wish.intent, wish.token, path, [])
    if logs is not None:
        wish.say(f"commits that only its reflog had are kept at {logs.ref}")
    admin = admin_dir(wish.site.common, path)
    if admin is not None:
        put_modules(wish.site.common, path, wish.intent.id, wish.token, admin)


def _was_half_filled(path: str, admin: str) -> bool:
    with try_filling(admin) as free:
        return (
            free and not has_index(admin) and has_leftovers(path) and not is_pristine(path, admin)
        )


def _admin(common: str, path: str) -> str:
    admin = admin_dir(common, path)
    if admin is None:
        raise Broken("worktree-broken", f"git has no directory for {path}", run=again())
    return admin


def _require_ours(wish: Wish, entry: Entry, path: str, note: Note | None) -> None:
    mine = (
        owner_of(entry.locked) == wish.intent.id
        or entry.branch == branch_of(wish.intent)
        or (note is not None and note.intent == wish.intent.name)
    )
    if not mine:
        there = entry.branch.removeprefix(HEADS) if entry.branch else "a detached HEAD"
        raise Broken(
            "worktree-foreign",
            f"{path} is a worktree that plastic did not make (on {there})",
            run=start_command(wish.intent, "--adopt", path),
        )


def _require_our_reason(wish: Wish, entry: Entry, path: str) -> None:
    if owner_of(entry.locked) != wish.intent.id:
        raise Broken(
            "worktree-missing",
            f"{path} is gone, but its registration is not locked by plastic, so it is left alone",
            run=f"git -C {shlex.quote(wish.site.root)} worktree remove -f -f {shlex.quote(path)}",
        )


def _require_not_moved(wish: Wish, path: str) -> None:
    """A new registration would cut off the directory that was moved, with all its edits."""
    admin = admin_dir(wish.site.common, path)
    moved = moved_to(admin, path) if admin is not None else ""
    if moved:
        raise Broken(
            "worktree-moved",
            f"{path} was moved to {moved}, and git does not know it there",
            run=f"git -C {shlex.quote(wish.site.root)} worktree repair {shlex.quote(moved)}",
        )


def _require_whole(wish: Wish, path: str) -> None:
    """A directory that lost its `.git` file would make git act on the repository around it."""
    seen = whereabouts(path)
    if seen is None or (seen.top, seen.common) != (path, wish.site.common):
        raise Broken(
            "worktree-broken",
            f"{path} is registered, but git does not see a worktree there",
            run=f"git -C {shlex.quote(wish.site.root)} worktree repair",
        )


def _reuse(wish: Wish, entry: Entry, path: str, admin: str, note: Note | None) -> Place:
    """An existing worktree changes nothing in git, whatever its owner is in the middle of."""
    if note is None:
        tip = entry.head or "HEAD"
        base = resolve(wish.site.root, wish.intent, wish.project, wish.base or wish.usual)
        # Nothing says that it was ever prepared by us, so no setup runs in what may be in use.
        start = fork_point(wish.git, base, tip)
        note = _note(wish, base, start, prepared=has_index(admin))
    require_same_base(wish, note)
    usual = branch_of(wish.intent)
    if not note.adopted:
        if entry.branch != usual:
            there = entry.branch.removeprefix(HEADS) if entry.branch else "a detached HEAD"
            wish.say(f"{path} is on {there}, not on {branch(wish.intent.name)}")
        return Place(path, admin, branch(wish.intent.name), note)
    return Place(path, admin, (entry.branch or usual).removeprefix(HEADS), note)


def _note(wish: Wish, base: Base, start: str, *, prepared: bool) -> Note:
    return Note(
        wish.intent.name,
        base.ref,
        start,
        prepared=prepared,
        adopted=False,
        home=wish.home,
        dir=wish.intent.dir,
    )


def require_same_base(wish: Wish, note: Note) -> None:
    if wish.base is None:
        return
    asked = branch_named(wish.git, wish.base, wish.project) or wish.base
    if asked != note.base:
        raise Refused(
            "base-differs",
            f"{wish.intent.id} was started from {note.base}, not from {asked}",
            run=start_command(wish.intent),
        )


def _create(
    wish: Wish, made: Made, path: str, note: Note | None, lost: Entry | None = None
) -> Place:
    """Branch, registration and note; whatever is made is written down in `made` beforehand.

    `lost` is the registration of ours whose directory is missing. An adopted worktree comes back
    on the branch that it was on.
    """
    ref = branch_of(wish.intent)
    if note is not None and note.adopted and lost is not None and lost.branch:
        ref = lost.branch
    short = ref.removeprefix(HEADS)
    commit = oid(wish.git, ref)
    if note is None:
        base = resolve(wish.site.root, wish.intent, wish.project, wish.base or wish.usual)
        start = base.commit if commit is None else fork_point(wish.git, base, ref)
        note = _note(wish, base, start, prepared=False)
    require_same_base(wish, note)
    _require_not_elsewhere(wish, ref, path)
    exclude(wish.site.common)
    if commit is None:
        base_tip = Base(note.base, note.base_commit)
        _make_branch(wish, made, ref, base_tip)
    point("provision.branch")
    made.path, made.reason = path, lock_reason(wish.intent.id, wish.token)
    made.commit = commit or note.base_commit
    add(wish.git, path, short, made.reason, registered=lost is not None)
    if os.path.realpath(path) != path:
        raise Broken("worktree-parent", f"{path} leads to {os.path.realpath(path)}", run=again())
    admin = _admin(wish.site.common, path)
    note = note._replace(prepared=False, home=wish.home, dir=wish.intent.dir)
    remember(admin, note)
    point("provision.added")
    return Place(path, admin, short, note)


def _require_not_elsewhere(wish: Wish, ref: str, path: str) -> None:
    """git checks a branch out once; say where it is, and the way on from there."""
    root = shlex.quote(wish.site.root)
    for entry in listed(wish.git):
        there = real(entry.path)
        if entry.branch != ref or there == path:
            continue
        if there in (wish.site.root, wish.site.common):
            way = f"git -C {root} switch --detach"
        elif exists(there):
            way = start_command(wish.intent, "--adopt", there)
        else:
            way = f"git -C {root} worktree remove -f -f {shlex.quote(there)}"
        raise Broken(
            "branch-elsewhere", f"{ref.removeprefix(HEADS)} is checked out in {there}", run=way
        )


def _make_branch(wish: Wish, made: Made, ref: str, base: Base) -> None:
    """Exclusive: whoever created it meanwhile keeps it, and we say so."""
    blocking = BRANCH_PREFIX.rstrip("/")
    if oid(wish.git, f"{HEADS}{blocking}"):
        raise Broken(
            "branch-conflict",
            f"a branch named `{blocking}` exists, so git cannot make {ref.removeprefix(HEADS)}",
            run=f"git -C {shlex.quote(wish.site.root)} branch -m {blocking} {blocking}-old",
        )
    text = f"create {ref} {base.commit}\n"
    wish.git.run("update-ref", "-m", f"plastic: start from {base.ref}", "--stdin", stdin=text)
    made.branch, made.commit = ref, base.commit
