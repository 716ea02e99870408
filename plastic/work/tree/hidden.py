"""Edits that git was told not to see: assume-unchanged and skip-worktree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.indexcopy import index_copy

if TYPE_CHECKING:
    from plastic.disk.git import Git


def hidden_edits(git: Git, folder: str) -> tuple[str, ...]:
    """Files that differ from the index although git does not look; missing ones are no edits.

    Asked of a copy of the index (`folder` is git's own directory of the worktree) in which
    nothing is hidden.
    """
    marked = [line[2:] for line in git.paths("ls-files", "-v", "-z") if _is_hidden(line[:1])]
    if not marked:
        return ()
    with index_copy(folder) as copy:
        if copy is None:
            return ()
        env = {"GIT_INDEX_FILE": copy}
        names = "".join(f"{name}\0" for name in marked)
        for way in ("--no-assume-unchanged", "--no-skip-worktree"):
            git.run("update-index", way, "-z", "--stdin", env=env, stdin=names)
        git.run("update-index", "-q", "--refresh", env=env, ok=None)
        words = ("diff-files", "--name-only", "-z", "--diff-filter=d")
        listed = git.raw("-c", "core.fsmonitor=false", *words, env=env)
    changed = set(listed.decode("utf-8", "surrogateescape").split("\0"))
    return tuple(name for name in marked if name in changed)


def _is_hidden(tag: str) -> bool:
    return tag.islower() or tag == "S"
