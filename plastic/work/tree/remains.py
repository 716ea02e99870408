"""What git's directory of a worktree still holds when the worktree itself is gone.

Staged files, commits on a detached HEAD and a half-done rebase live there, not in the worktree:
whoever drops or replaces the registration keeps them first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.files import exists
from plastic.disk.git import Git
from plastic.disk.indexcopy import index_copy
from plastic.work.merge.underway import UNDER_WAY
from plastic.work.tree.snapshot import Where, keep_tree

if TYPE_CHECKING:
    from plastic.work.tree.snapshot import Salvage


def remains(common: str, admin: str) -> tuple[str, ...]:
    """What would be lost with this registration, in words; empty when nothing would."""
    found = list(
        dict.fromkeys(what for name, what in UNDER_WAY.items() if exists(f"{admin}/{name}"))
    )
    loose = _loose(common, admin)
    if loose != "0":
        found.append(f"{loose or 'some'} commit(s) on no branch")
    staged = _staged(common, admin)
    if staged:
        found.append(f"{len(staged)} staged file(s)")
    return tuple(found)


def keep_remains(
    common: str, admin: str, ref: str, message: str, also: list[str]
) -> Salvage | None:
    """The same as a commit at `ref`; None when there is neither a commit nor an index."""
    where = _where(common, admin)
    head = _head(where)
    tree = _tree(where) or _answer(where, "rev-parse", "--verify", "--quiet", "HEAD^{tree}")
    return keep_tree(where, ref, message, tree, head, also) if tree else None


def _where(common: str, admin: str) -> Where:
    return Where(Git(common), {"GIT_DIR": admin}, admin)


def _answer(where: Where, *words: str) -> str:
    done = where.git.run(*words, ok=None, quiet=True, env=where.env)
    return done.out.strip() if done.rc == 0 else ""


def _head(where: Where) -> str | None:
    return _answer(where, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") or None


def _tree(where: Where) -> str:
    """The tree of the index; "" when there is none, or a conflict keeps it from being one."""
    with index_copy(where.folder) as copy:
        if copy is None:
            return ""
        own = where._replace(env={**where.env, "GIT_INDEX_FILE": copy})
        return _answer(own, "write-tree")


def _loose(common: str, admin: str) -> str:
    """How many commits only the HEAD of this worktree holds; "" when git cannot say."""
    where = _where(common, admin)
    if _head(where) is None:
        return "0"
    words = ("--branches", "--tags", "--remotes")
    return _answer(where, "rev-list", "--count", "HEAD", "--not", *words, "--")


def _staged(common: str, admin: str) -> list[str]:
    where = _where(common, admin)
    with index_copy(admin) as copy:
        if copy is None:
            return []
        base = _head(where) or where.git.read("hash-object", "-t", "tree", "/dev/null")
        env = {**where.env, "GIT_INDEX_FILE": copy}
        words = ("diff-index", "--cached", "--name-only", "-z", "--no-renames", base, "--")
        listed = where.git.raw(*words, env=env)
    return [name for name in listed.decode("utf-8", "surrogateescape").split("\0") if name]
