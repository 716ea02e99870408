"""Keep the uncommitted work of a worktree as a commit before its lock changes hands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.git import Git, common_dir, is_root, oid
from plastic.rules.names import WORKTREES, branch
from plastic.work.snapshot import Salvage, Where, point_at, snapshot

if TYPE_CHECKING:
    from plastic.words import Intent, LockView


def ref_of(intent: Intent, token: int) -> str:
    """The ref of what the holder of this token had in the worktree."""
    return f"refs/plastic/salvage/{intent.id}/{token}"


def keep_tip(git: Git, intent: Intent, token: int, tip: str) -> str:
    """Point a salvage ref at a commit, beside what an earlier salvage of this token holds."""
    turn = 1
    while True:
        ref = ref_of(intent, token) + (f".{turn}" if turn > 1 else "")
        kept = point_at(git, ref, tip, dirty=False).commit
        if kept == tip or git.run("merge-base", "--is-ancestor", tip, kept, ok=None).rc == 0:
            return ref
        turn += 1


def tree_of(intent: Intent, view: LockView, repo: str) -> str:
    """The worktree's path: as the lock says, else where plastic makes it."""
    tree = view.lock.raw.get("worktree") if view.lock is not None else None
    path = tree.get("path") if isinstance(tree, dict) else None
    if isinstance(path, str) and path.startswith("/"):
        return path
    return f"{repo.rstrip('/')}/{WORKTREES}/{intent.name}"


def keep(repo: str | None, intent: Intent, view: LockView, token: int) -> Salvage | None:
    """Keep the state of the intent's worktree under its old token; None when there is nothing.

    Tracked and untracked files, not ignored ones: they stay where they are, as everything does.
    """
    if repo is None:
        return None
    path = tree_of(intent, view, repo)
    ref = ref_of(intent, token)
    tip = oid(Git(repo), f"refs/heads/{branch(intent.name)}")
    where = _worktree(repo, path)
    if where is None:
        return point_at(Git(repo), ref, tip, dirty=False) if tip is not None else None
    message = f"plastic: what {intent.name} held under token {token}"
    _keep_submodules(where, path, ref, message)
    return snapshot(where, ref, message, [tip] if tip is not None else [])


def _keep_submodules(where: Where, path: str, ref: str, message: str) -> None:
    """The same ref in every submodule that is checked out: a commit of ours names its HEAD only."""
    entries = where.git.run("ls-files", "--stage", "-z", env=where.env).out.split("\0")
    for entry in entries if where.folder else ():
        inner = f"{path}/{entry.partition(chr(9))[2]}"
        if entry.startswith("160000 ") and is_root(inner):
            git = Git(inner)
            folder = git.read("rev-parse", "--path-format=absolute", "--git-dir")
            below = Where(git, {}, folder)
            _keep_submodules(below, inner, ref, message)
            if oid(git, "HEAD") is not None:
                snapshot(below, ref, message, [])


def _worktree(repo: str, path: str) -> Where | None:
    if not os.path.isdir(path):
        return None
    if is_root(path):
        git = Git(path)
        return Where(git, {}, git.read("rev-parse", "--path-format=absolute", "--git-dir"))
    if not os.listdir(path):
        return None
    common = common_dir(repo)
    if common is None:
        return None
    # The files are there but their `.git` is not: read them as a work tree of the repository.
    env = {"GIT_DIR": common, "GIT_WORK_TREE": path}
    return Where(Git(path), env, "")
