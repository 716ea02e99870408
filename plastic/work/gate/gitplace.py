"""Whose work a path in git's own directory is: a worktree's part of it, or an intent's branch."""

from __future__ import annotations

from plastic.disk.files import read
from plastic.disk.paths import parent_of, real
from plastic.rules.intent.names import BRANCH_PREFIX

LIMIT = 64 * 1024  # bytes of a `gitdir` file
BRANCHES = f"refs/heads/{BRANCH_PREFIX}"


def owner_of(rest: str, common: str, trees: dict[str, str]) -> tuple[str, str]:
    """(name of the intent, its worktree) for `rest`, a path inside `common`; "" = nobody's.

    `trees` names the intents of the worktrees that are held.
    """
    if rest.startswith(BRANCHES):
        return rest[len(BRANCHES) :].partition("/")[0], ""
    folder, _, below = rest.partition("/")
    admin = below.partition("/")[0]
    if folder != "worktrees" or not admin:
        return "", ""
    try:
        told = read(f"{common}/worktrees/{admin}/gitdir", LIMIT) or b""
    except OSError:
        told = b""
    dot = told.decode("utf-8", "surrogateescape").rstrip("\n")
    tree = real(parent_of(dot)) if dot.startswith("/") else ""
    return trees.get(tree, admin) if tree else admin, tree
