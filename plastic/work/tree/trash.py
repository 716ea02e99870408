"""Takes a worktree out of use: into the trash, then out of git's list; deleted only when old."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk import trash
from plastic.disk.clock import now, seconds
from plastic.disk.failpoints import point
from plastic.disk.files import DIRECTORY, MODE_TYPE, exists, lstat
from plastic.disk.git import Git
from plastic.disk.paths import real
from plastic.disk.trash import Entry, entries
from plastic.disk.worktrees import admin_dir, entry_at, lock_reason, owner_of, recall, unregister
from plastic.words import Broken
from plastic.work.fence.install import sweep

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.worktrees import Entry as Registered

__all__ = ["Entry", "bury", "empty", "entries"]

DAY = 86400.0


def bury(common: str, path: str, id: str, token: int) -> str | None:
    """Move the worktree of an intent into the trash and drop its registration.

    Returns its place in the trash; None when there was no directory any more. Only what git knows
    as ours, by the lock reason or by our own note, or what git does not know at all. Killed
    anywhere, the next call finishes it. The caller holds the repository's guard and has proven
    that nothing in it is needed.
    """
    git = Git(common)
    path = real(path)
    entry = entry_at(git, path)
    if entry is not None:
        _require_ours(git, common, path, id, entry)
    place = _moved(common, path, id, token, entry)
    if place is not None:
        trash.unlink(place)
        point("trash.detached")
    if entry is not None:
        admin = admin_dir(common, path)
        if place is not None and admin is not None:
            trash.keep_modules(place, admin)
        elif admin is not None:
            trash.put_modules(common, path, id, token, admin)
        unregister(git, path, id)
        point("trash.unregistered")
    sweep(common)
    return place


def _moved(common: str, path: str, id: str, token: int, entry: Registered | None) -> str | None:
    """The place of the directory: it is moved now, or an earlier call that was killed did it."""
    seen = lstat(path)
    if seen is None:
        done = [one for one in entries(common) if (one.path, one.intent) == (path, id)]
        done.sort(key=lambda one: (one.token == token, one.buried_at or "", len(one.name)))
        return done[-1].place if done else None
    inner = lstat(f"{path}/.git")
    whole = inner is not None and inner.st_mode & MODE_TYPE == DIRECTORY
    if seen.st_mode & MODE_TYPE != DIRECTORY or whole:
        what = "a repository of its own" if whole else "no directory"
        raise Broken(
            "trash-foreign",
            f"{path} is {what}, no worktree: it is left alone",
            run=f"ls -la {shlex.quote(path)}",
        )
    branch, head = (entry.branch, entry.head) if entry is not None else (None, None)
    return trash.put(common, path, id, token, branch=branch, head=head)


def _require_ours(git: Git, common: str, path: str, id: str, entry: Registered) -> None:
    """Git's own lock reason decides; one that was unlocked is ours when our note is in it."""
    if owner_of(entry.locked) == id:
        return
    note = recall(admin_dir(common, path))
    if entry.locked is None and note is not None and note.intent.partition("--")[0] == id:
        git.run("worktree", "lock", "--reason", lock_reason(id, 0), "--", path)
        return
    why = f"locked with `{entry.locked}`" if entry.locked else "not locked"
    raise Broken(
        "worktree-foreign",
        f"{path} is {why}, not by plastic for intent {id}, so it is left alone",
        run=shlex.join(("git", "-C", git.cwd, "worktree", "list")),
    )


def empty(
    common: str,
    days: float,
    say: Callable[[str], None] | None = None,
    only: str | None = None,
) -> list[Entry]:
    """Delete what was buried more than `days` days ago; returns what is gone.

    `only` is one place in the trash. What has no time recorded gets one now: nothing is deleted
    for looking old.
    """
    gone = []
    for entry in entries(common):
        if only not in (None, entry.place):
            continue
        since = seconds(entry.buried_at)
        if since is None:
            trash.date(entry)
        elif now() - since > days * DAY and not _is_half_buried(common, entry):
            gone += [entry] if trash.delete(entry, say or _silent) else []
    return gone


def _is_half_buried(common: str, entry: Entry) -> bool:
    """A burial that was killed before git forgot the worktree: whoever finishes it needs it."""
    if not entry.path or exists(entry.path):
        return False
    found = entry_at(Git(common), entry.path)
    return found is not None and owner_of(found.locked) == entry.intent


def _silent(line: str) -> None:
    """Nobody listens."""
