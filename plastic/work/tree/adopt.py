"""Takes over a worktree that somebody else made: `plastic start ID --adopt PATH`."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from plastic.disk.git import common_dir, is_root
from plastic.disk.held import lock_paths
from plastic.disk.lockfile import look
from plastic.disk.paths import parent_of, real
from plastic.disk.worktrees import (
    Entry,
    Note,
    admin_dir,
    entry_at,
    has_index,
    lock_reason,
    noted_for,
    owner_of,
    recall,
    remember,
)
from plastic.rules.intent.names import branch
from plastic.rules.lock.lease import worktree
from plastic.words import Held, Refused, Stale
from plastic.work.lock.refuse import start_command
from plastic.work.tree.base import HEADS, fork_point, resolve
from plastic.work.tree.placing import Place, require_same_base
from plastic.work.tree.site import path_of

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.work.tree.made import Made
    from plastic.work.tree.placing import Wish


def adopt(home: Home, wish: Wish, made: Made, named: str) -> Place:
    """Mark a registered worktree as the intent's; the caller holds the repository's guard."""
    path = real(os.path.abspath(named))
    entry = entry_at(wish.git, path)
    admin = admin_dir(wish.site.common, path)
    if entry is None or admin is None or path == wish.site.root:
        raise _no(wish, f"{path} is no linked worktree of {wish.site.root}")
    if not is_root(path) or common_dir(path) != wish.site.common or not has_index(admin):
        raise _no(wish, f"{path} is not a complete worktree")
    _require_only(wish, path)
    _require_unclaimed(home, wish, entry, path)
    if entry.branch is None:
        raise Refused(
            "adopt-detached",
            f"{path} is on no branch (detached HEAD)",
            run=f"git -C {shlex.quote(path)} switch -c {branch(wish.intent.name)}",
        )
    short = entry.branch.removeprefix(HEADS)
    note = recall(admin)
    if note is None:
        note = _mark(wish, made, entry, path, admin)
    require_same_base(wish, note)
    return Place(path, admin, short, note)


def _no(wish: Wish, why: str) -> Refused:
    root = shlex.quote(wish.site.root)
    return Refused("adopt-unknown", why, run=f"git -C {root} worktree list")


def _require_only(wish: Wish, path: str) -> None:
    """One worktree an intent: a second one would leave work behind in the first."""
    usual = path_of(wish.site, wish.intent)
    first = noted_for(wish.site.common, wish.intent.name)
    if first is None and entry_at(wish.git, usual) is not None:
        first = usual
    if first not in (None, path):
        raise Refused(
            "adopt-second",
            f"{wish.intent.id} has a worktree already: {first}",
            run=start_command(wish.intent),
        )


def _require_unclaimed(home: Home, wish: Wish, entry: Entry, path: str) -> None:
    for lock_path in lock_paths(home):
        view = look(lock_path)
        tree = worktree(view.lock) if view.lock is not None else None
        if view.lock is None or tree is None or real(tree["path"]) != path:
            continue
        directory = parent_of(lock_path)
        if directory == wish.intent.dir:
            continue
        id = directory.rpartition("/")[2].partition("--")[0]
        kind = Stale if view.state == "stale" else Held
        raise kind(
            "adopt-held",
            f"{path} is the worktree of intent {id}",
            who=view.lock.owner,
            since=str(view.lock.raw.get("acquired_at") or "") or None,
            run=f"plastic-lock status {id}",
        )
    note = recall(admin_dir(wish.site.common, path))
    other = note.intent.partition("--")[0] if note is not None else owner_of(entry.locked)
    if other not in (None, wish.intent.id) or (note and note.intent != wish.intent.name):
        raise Refused(
            "adopt-foreign",
            f"{path} is the worktree of intent {other}",
            run=f"plastic show {other}",
        )


def _mark(wish: Wish, made: Made, entry: Entry, path: str, admin: str) -> Note:
    base = resolve(wish.site.root, wish.intent, wish.project, wish.base)
    if base.ref == entry.branch:
        raise Refused(
            "adopt-base",
            f"{path} is on {base.ref}, which is the base itself",
            run=f"git -C {shlex.quote(path)} switch -c {branch(wish.intent.name)}",
        )
    commit = fork_point(wish.git, base, entry.branch or "HEAD")
    own = (wish.home, wish.intent.dir)
    note = Note(wish.intent.name, base.ref, commit, True, True, *own)  # noqa: FBT003 - prepared, adopted
    made.adopted = path
    if entry.locked is None:
        made.reason = lock_reason(wish.intent.id, wish.token)
        wish.git.run("worktree", "lock", "--reason", made.reason, "--", path)
    remember(admin, note)
    return note
