"""Merges two commits as objects only: no checkout, no index and no ref is touched."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from plastic.disk.git import Git, failure, oid
from plastic.words import Broken, Refused
from plastic.work.merge.committing import commit
from plastic.work.merge.neutral import attributes_of

__all__ = ["Conflict", "Merged", "commit", "merge_tree", "message"]

TIMEOUT = 600.0  # seconds; a merge driver may be slow
UNRELATED = 128


class Merged(NamedTuple):
    """The tree of a clean merge."""

    tree: str


class Conflict(NamedTuple):
    """The paths that need a decision."""

    paths: list[str]


def merge_tree(common: str, base_oid: str, tip_oid: str) -> Merged | Conflict:
    """Merge `tip` into `base` with the attributes that the base has committed.

    A merge driver of the user runs, in a temporary directory. Raises Broken when a commit does
    not exist, Refused when the two share no history.
    """
    git = Git(common)
    base, tip = _known(git, base_oid), _known(git, tip_oid)
    with attributes_of(common, base) as place:
        # git answers 1 to a conflict and to a name that it does not know; a tree tells them apart.
        words = ("merge-tree", "--write-tree", "--name-only", "-z", base, tip)
        done = place.git.run(*words, ok=None, env=place.env, timeout=TIMEOUT)
    tree, _, rest = done.out.partition("\0")
    if done.rc == UNRELATED and "unrelated histories" in done.err:
        raise Refused(
            "unrelated",
            f"{tip[:12]} and {base[:12]} share no commit, so nothing can be merged",
            run=shlex.join(("git", "-C", common, "log", "--oneline", "-3", tip, "--")),
        )
    if done.rc not in (0, 1) or not _is_oid(tree, base):
        raise failure(common, words, done)
    return Merged(tree) if done.rc == 0 else Conflict(_paths(rest))


def _known(git: Git, name: str) -> str:
    found = oid(git, name)
    if found is None:
        raise Broken(
            "no-commit",
            f"there is no commit {name} in {git.cwd}",
            run=shlex.join(("git", "-C", git.cwd, "fsck", "--connectivity-only")),
        )
    return found


def _is_oid(text: str, like: str) -> bool:
    return len(text) == len(like) and all(one in "0123456789abcdef" for one in text)


def _paths(rest: str) -> list[str]:
    """The conflicted paths: git lists them up to an empty word; else those of its messages."""
    listed, _, messages = rest.partition("\0\0")
    found = [path for path in listed.split("\0") if path]
    if found:
        return list(dict.fromkeys(found))
    words = messages.split("\0")
    while words and words[0].isdigit():
        count = int(words[0])
        found += words[1 : 1 + count]
        words = words[3 + count :]
    return list(dict.fromkeys(found))


def message(mode: str, intent: str, title: str, base_ref: str, tip: str) -> str:
    """The message of a merge or squash; a squash names the tip, which no parent does."""
    base = base_ref.removeprefix("refs/heads/")
    if mode == "squash":
        return f"{title}\n\nPlastic-Intent: {intent}\nPlastic-Tip: {tip}\n"
    return f"Merge plastic/{intent} into {base}: {title}\n\nPlastic-Intent: {intent}\n"
