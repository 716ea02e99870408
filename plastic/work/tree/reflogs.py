"""Keeps the commits that only a reflog has: amended ones, and those that a reset left behind.

A branch takes its reflog with it, a worktree the one of its HEAD. What no ref reaches by then is
bound into one commit under a salvage ref; its parents are those commits, the newest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.git import Git, oid
from plastic.disk.worktrees import admin_dir
from plastic.work.tree import salvage
from plastic.work.tree.snapshot import Salvage, commit_of, point_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.words import Intent

SUFFIX = ".reflog"
MOST = 4000  # entries of one reflog, the newest; git itself forgets them after some weeks
WALKED = 100_000  # commits that are looked at
PARENTS = 200  # of one commit
TIMEOUT = 120.0


def ref_of(intent: Intent, token: int) -> str:
    """The ref of what only reflogs had when the holder of this token left."""
    return f"{salvage.ref_of(intent, token)}{SUFFIX}"


def keep_reflogs(
    common: str, intent: Intent, token: int, path: str | None, branches: Iterable[str]
) -> Salvage | None:
    """Keep what only the reflogs of these branches, and of the worktree at `path`, have.

    None when that is nothing. Run again it finds everything kept.
    """
    git = Git(common)
    logs = list(branches)
    admin = admin_dir(common, path) if path is not None else None
    if admin is not None:
        logs.append(f"worktrees/{admin.rpartition('/')[2]}/HEAD")
    entries = dict.fromkeys(commit for log in logs for commit in _entries(git, log))
    tips = _loose(git, list(entries)) if entries else []
    if not tips:
        return None
    ref = ref_of(intent, token)
    old = oid(git, ref)
    message = f"plastic: what only the reflog of {intent.name} had under token {token}\n"
    return point_at(git, ref, _bound(git, tips, old, message), dirty=False, old=old)


def _entries(git: Git, log: str) -> list[str]:
    """The commits that a reflog names, the newest first; none where there is no such reflog."""
    words = ("rev-list", "--walk-reflogs", f"--max-count={MOST}", log, "--")
    done = git.run(*words, ok=None, quiet=True, timeout=TIMEOUT)
    return done.out.split() if done.rc == 0 else []


def _loose(git: Git, commits: list[str]) -> list[str]:
    """Those of them, the newest first, that no ref reaches and no other of them stands upon."""
    words = ("rev-list", "--parents", "--ignore-missing", f"--max-count={WALKED}", "--stdin")
    asked = "".join(f"{commit}\n" for commit in commits)
    listed = git.run(*words, "--not", "--all", stdin=asked, timeout=TIMEOUT)
    rows = [line.split() for line in listed.out.splitlines()]
    below = {parent for row in rows for parent in row[1:]}
    return [row[0] for row in rows if row[0] not in below]


def _bound(git: Git, tips: list[str], old: str | None, message: str) -> str:
    """One commit above all of them, with the files of the newest."""
    for at in range((len(tips) - 1) // PARENTS * PARENTS, -1, -PARENTS):
        some = [*tips[at : at + PARENTS], *([old] if old is not None else [])]
        old = commit_of(git, f"{some[0]}^{{tree}}", some, message)
    assert old is not None
    return old
