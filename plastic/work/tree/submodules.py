"""What the submodules of a worktree hold that nobody else has."""

from __future__ import annotations

from plastic.disk.git import Git, is_root
from plastic.rules.porcelain import status

STATUS = (
    "-c",
    "status.showUntrackedFiles=all",
    "-c",
    "core.fsmonitor=false",
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=none",
    "--no-renames",
)


def submodules(path: str, prefix: str = "") -> list[str]:
    """Every submodule that is checked out below `path`, relative to the outermost worktree."""
    found = []
    for line in Git(path).paths("ls-files", "--stage", "-z"):
        name = line.partition("\t")[2]
        if line.startswith("160000 ") and is_root(f"{path}/{name}"):
            found.append(f"{prefix}{name}")
            found += submodules(f"{path}/{name}", f"{prefix}{name}/")
    return found


def with_changes(path: str, names: list[str]) -> tuple[str, ...]:
    """The submodules that are not clean."""
    found = []
    for name in names:
        text = Git(f"{path}/{name}").raw(*STATUS).decode("utf-8", "surrogateescape")
        if any(status(text)[:2]):
            found.append(name)
    return tuple(found)


def unpushed(path: str, names: list[str]) -> tuple[str, ...]:
    """The submodules with commits, on any branch or none, that no remote is known to have."""
    found = []
    for name in names:
        git = Git(f"{path}/{name}")
        words = ("rev-list", "--max-count=1", "HEAD", "--branches", "--not", "--remotes")
        if git.says(*words) != "":
            found.append(name)
    return tuple(found)
