"""Keep the uncommitted work of a worktree as a commit before its lock changes hands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.files import lstat
from plastic.disk.git import Git, common_dir, is_root, oid
from plastic.disk.worktrees import admin_dir, noted_for
from plastic.rules.intent.names import WORKTREES, branch
from plastic.work.tree.remains import keep_remains, remains
from plastic.work.tree.snapshot import Salvage, Where, point_at, snapshot

if TYPE_CHECKING:
    from plastic.words import Intent, LockView


def folder_of(intent: Intent) -> str:
    """What the refs of an intent's salvages lie below."""
    return f"refs/plastic/salvage/{intent.id}"


def ref_of(intent: Intent, token: int) -> str:
    """The ref of what the holder of this token had in the worktree."""
    return f"{folder_of(intent)}/{token}"


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
    usual = f"{repo.rstrip('/')}/{WORKTREES}/{intent.name}"
    named = path if isinstance(path, str) and path.startswith("/") else usual
    common = common_dir(repo) if lstat(named) is None else None
    # `git worktree move` tells the registration, not the lock.
    return (noted_for(common, intent.name) if common is not None else None) or named


def keep(repo: str | None, intent: Intent, view: LockView, token: int) -> Salvage | None:
    """Keep the state of the intent's worktree under its old token; None when there is nothing.

    Tracked and untracked files, not ignored ones: they stay where they are, as everything does.
    """
    if repo is None:
        return None
    path = tree_of(intent, view, repo)
    ref = ref_of(intent, token)
    tip = oid(Git(repo), f"refs/heads/{branch(intent.name)}")
    also = [tip] if tip is not None else []
    where = _worktree(repo, path)
    if where is None:
        kept = keep_lost(repo, intent, path, token, also) if lstat(path) is None else None
        if kept is not None or tip is None:
            return kept
        return point_at(Git(repo), ref, tip, dirty=False)
    message = f"plastic: what {intent.name} held under token {token}"
    _keep_submodules(where, path, ref, message)
    return snapshot(where, ref, message, [*also, *_private(where)])


def keep_lost(repo: str, intent: Intent, path: str, token: int, also: list[str]) -> Salvage | None:
    """Keep what git still has of a worktree whose directory is gone; None when that is nothing."""
    common = common_dir(repo)
    admin = admin_dir(common, path) if common is not None else None
    if common is None or admin is None or not remains(common, admin):
        return None
    message = f"plastic: what git had of {intent.name} under token {token}"
    return keep_remains(common, admin, ref_of(intent, token), message, also)


def _private(where: Where) -> list[str]:
    """Commits under `refs/worktree/`: they go with the worktree, and no other ref names them."""
    if where.env:
        return []
    words = ("--format=%(objecttype) %(objectname)", "refs/worktree/")
    lines = where.git.read("for-each-ref", *words).splitlines()
    return [line.rpartition(" ")[2] for line in lines if line.startswith("commit ")]


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
