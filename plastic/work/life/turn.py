"""The end of a turn, as a process of its own: commits documents, counts what is dirty.

The hook cannot load what this needs. It gets JSON and says JSON, and it says it at its end, so
that a hook that cannot wait loses the words and not the commit.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from plastic.disk.commit import scoped_commit
from plastic.disk.files import is_dir
from plastic.disk.git import Git
from plastic.disk.home import Home
from plastic.disk.journal import note
from plastic.disk.seen import first
from plastic.words import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

REPEAT = 3600.0  # seconds until the same trouble is noted again
TIMEOUT = 20.0  # seconds for one `git status`; by then nobody listens any more


def main(words: Sequence[str]) -> int:
    """`ROOT TASKS`: TASKS is a list of {dir, index, name, tree}."""
    home = Home(words[0])
    told: dict[str, dict[str, Any]] = {"failed": {}, "dirty": {}}
    tasks: list[dict[str, str]] = json.loads(words[1])
    for task in tasks:
        why = commit(home, task)
        if why:
            told["failed"][task["dir"]] = why
    for task in tasks:
        count = dirty(task["tree"]) if task["tree"] else 0
        if count:
            told["dirty"][task["dir"]] = count
    try:
        sys.stdout.write(json.dumps(told))
        sys.stdout.flush()
    except OSError:
        pass  # the hook went on without us
    return 0


def commit(home: Home, task: dict[str, str]) -> str:
    """Bring one intent's documents into the home's history; why not, "" when it is done."""
    if not is_dir(task["dir"]):
        return ""
    try:
        scoped_commit(home, [task["dir"], task["index"]], f"Documents of {task['name']}")
    except Refusal as refusal:
        # Every turn of a session may meet the same trouble; doctor finds a home without git.
        key = f"not-committed\0{task['dir']}\0{refusal.code}"
        if refusal.code != "home-git" and first(home, key, REPEAT):
            id = task["name"].partition("--")[0]
            note(home, "not-committed", intent=id, code=refusal.code, reason=refusal.reason)
        return refusal.reason
    return ""


def dirty(tree: str) -> int:
    """How many paths of a worktree are not committed; 0 where git cannot say."""
    if not is_dir(tree):
        return 0
    try:
        git = Git(tree)
        words = ("status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=none")
        listed = git.raw(*words, env={"GIT_OPTIONAL_LOCKS": "0"}, timeout=TIMEOUT)
    except Refusal:
        return 0
    return listed.count(b"\0")
