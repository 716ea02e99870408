"""Signs that a silent session is still at work: commits, files in the worktree, hook events."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.clock import seconds
from plastic.disk.files import names
from plastic.disk.git import Git, is_root
from plastic.disk.journal import tail
from plastic.disk.paths import parent_of
from plastic.quickjson import loads
from plastic.rules.intent.names import branch
from plastic.rules.lock.evidence import Evidence
from plastic.work.tree.salvage import tree_of

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent, Lock, LockView

TAIL = 512 * 1024  # bytes of the journal that are younger than any quarantine
# The key by which the hook marks its rows; a row of a command is never evidence.
HOOK = "hook"


def signs(home: Home, intent: Intent, view: LockView, repo: str | None) -> list[Evidence]:
    """Everything that may speak against a takeover; the rule decides what counts."""
    if view.lock is None or view.heartbeat is None:
        return []
    found = _events(home, intent, view.lock)
    if repo is not None:
        found += _commits(intent, view.lock, repo)
        found += _files(tree_of(intent, view, repo), view.heartbeat)
    return found


def _commits(intent: Intent, lock: Lock, repo: str) -> list[Evidence]:
    tree = lock.raw.get("worktree")
    base = tree.get("base_commit") if isinstance(tree, dict) else None
    if not isinstance(base, str) or not base:
        return []
    tip = f"refs/heads/{branch(intent.name)}"
    said = Git(repo).says("log", "-1", "--format=%ct %h", "--end-of-options", f"{base}..{tip}")
    when, _, name = (said or "").partition(" ")
    return [Evidence("commit", float(when), name)] if when.isdigit() else []


def _files(path: str, since: float) -> list[Evidence]:
    """Changed and untracked files, not ignored ones; a time set forward counts by its change."""
    if not is_root(path):
        return []
    data = Git(path).raw("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
    found = []
    for entry in data.decode("utf-8", "surrogateescape").split("\0"):
        try:
            seen = os.lstat(f"{path}/{entry[3:]}") if len(entry) > 3 else None
        except OSError:
            continue
        if seen is not None and min(seen.st_mtime, seen.st_ctime) > since:
            found.append(Evidence("file", min(seen.st_mtime, seen.st_ctime), entry[3:]))
    return found


def _events(home: Home, intent: Intent, lock: Lock) -> list[Evidence]:
    """Hook events of the owner or a delegate in the journal's tail."""
    who = {lock.owner, *lock.delegates}
    found = []
    for line in _tail(home):
        try:
            row = loads(line)
        except ValueError:
            continue
        if not isinstance(row, dict) or row.get("session") not in who or not row.get(HOOK):
            continue
        if row.get("intent") in (None, intent.id, intent.name):
            at = seconds(row.get("at"))
            if at is not None:
                found.append(Evidence("event", at, str(row.get("event", ""))))
    return found


def _tail(home: Home) -> list[bytes]:
    """The last lines of the journal, those of the newest rotated file before them."""
    folder = parent_of(home.log)
    older = [one for one in names(folder) if one.startswith("events.") and one.endswith(".jsonl")]
    paths = [f"{folder}/{one}" for one in sorted(older) if f"{folder}/{one}" != home.log][-1:]
    return [line for path in [*paths, home.log] for line in tail(path, TAIL).split(b"\n")]
