"""The world in which the recorded texts were run, and which answers stand for which changes."""

from __future__ import annotations

from plastic.rules.shell.answer import Write

REPO, STORE = "/repo", "/store"
TREE = f"{REPO}/.claude/worktrees/12--login"
FOREIGN = f"{STORE}/12--login"


def checkout(path: str) -> str:
    """The root of the checkout that a path lies in."""
    if path.startswith(f"{REPO}/.claude/worktrees/"):
        return "/".join(path.split("/")[:5])
    return next((root for root in (REPO, STORE) if (path + "/").startswith(root + "/")), path)


def git_directory(path: str) -> str:
    """Worktrees share the git directory of their repository."""
    root = checkout(path)
    return (REPO if root.startswith(REPO) else root) + "/.git"


def covers(write: Write, path: str) -> bool:
    """Whether this answer foretells that the path changes.

    A directory that appears or vanishes is foretold by what is written in it.
    """
    path = path.rstrip("/")
    if write.reach in ("git", "shared"):
        return git_directory(write.path) == path
    if write.reach == "checkout":
        root = checkout(write.path)
        return f"{path}/".startswith(f"{root}/")
    return write.meets(path) or write.path.startswith(f"{path}/")
