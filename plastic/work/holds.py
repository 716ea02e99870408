"""What a worktree holds that would be lost with it: uncommitted, hidden, nested, suspended."""

from __future__ import annotations

import os
import shlex
from typing import NamedTuple

from plastic.disk.files import exists, names, read, remove, replace
from plastic.disk.git import Git, oid, whereabouts
from plastic.disk.worktrees import has_index

# What a half-done git operation leaves in the private directory of a worktree.
OPERATIONS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "sequencer": "a sequence of picks",
}
PLAIN = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
STATUS = (
    *PLAIN,
    "-c",
    "status.showUntrackedFiles=all",
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=none",
    "--no-renames",
)
SLOW = 300.0  # seconds
SHOWN = 3


class Hold(NamedTuple):
    """One reason to keep a worktree, and the command that shows it."""

    name: str
    reason: str
    run: str


def holds(path: str, common: str, admin: str) -> list[Hold]:
    """Everything in a worktree that only it has, commits on a branch aside; reads only."""
    at = f"git -C {shlex.quote(path)}"
    seen = whereabouts(path)
    if seen is None or (seen.top, seen.common) != (path, common) or not has_index(admin):
        return [Hold("unreadable", "git does not see a worktree there", f"{at} status")]
    git = Git(path)
    found = operations(admin, f"{at} status")
    entries = git.raw(*STATUS, timeout=SLOW).decode("utf-8", "surrogateescape").split("\0")
    changed = [one[3:] for one in entries if one and not one.startswith("??")]
    untracked = [one[3:] for one in entries if one.startswith("??")]
    for name, some in (("uncommitted", changed), ("untracked", untracked)):
        if some:
            found.append(Hold(name, f"{name}: {_some(some)}", f"{at} status"))
    hidden = hidden_edits(git, admin)
    if hidden:
        reason = f"edits that git was told not to see: {_some(hidden)}"
        found.append(Hold("hidden", reason, f"{at} ls-files -v"))
    links = gitlinks(git)
    found += [
        Hold("nested", f"a repository of its own: {inner}", f"git -C {shlex.quote(inner)} status")
        for inner in nested(path, links)
    ]
    return found + unpushed(path, links) + _detached(git, at)


def operations(admin: str, run: str) -> list[Hold]:
    """The git operations that are under way in a worktree."""
    what = dict.fromkeys(OPERATIONS[name] for name in OPERATIONS if exists(f"{admin}/{name}"))
    return [Hold("operation", f"{one} is not finished", run) for one in what]


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more


def hidden_edits(git: Git, admin: str) -> list[str]:
    """Files that differ though assume-unchanged or skip-worktree keeps `status` from saying so."""
    listed = git.raw("ls-files", "-v", "-z").decode("utf-8", "surrogateescape").split("\0")
    flagged = [one[2:] for one in listed if one[:1].islower() or one[:1] == "S"]
    there = [name for name in flagged if exists(f"{git.cwd}/{name}")]
    if not there:
        return []
    index = f"{admin}/index.plastic.{os.getpid()}"
    env = {"GIT_INDEX_FILE": index}
    try:
        replace(index, read(f"{admin}/index", 1 << 30) or b"", 0o600)
        text = "".join(f"{name}\0" for name in there)
        for flag in ("--no-assume-unchanged", "--no-skip-worktree"):
            git.run("update-index", flag, "-z", "--stdin", env=env, stdin=text)
        differ = git.raw(*PLAIN, "diff-files", "--name-only", "-z", env=env, timeout=SLOW)
    finally:
        remove(index)
        remove(f"{index}.lock")
    known = set(there)
    return [one for one in differ.decode("utf-8", "surrogateescape").split("\0") if one in known]


def gitlinks(git: Git) -> list[str]:
    """The paths of submodules, initialised or not."""
    listed = git.raw("ls-files", "--stage", "-z").decode("utf-8", "surrogateescape").split("\0")
    return [one.partition("\t")[2] for one in listed if one.startswith("160000 ")]


def nested(path: str, links: list[str]) -> list[str]:
    """Repositories inside that are no submodules, ignored directories included."""
    found = []
    known = {f"{path}/{one}" for one in links}
    for folder, inner, files in os.walk(path):
        if folder != path and (".git" in inner or ".git" in files):
            if folder not in known:
                found.append(folder)
            inner.clear()
    return found


def unpushed(path: str, links: list[str]) -> list[Hold]:
    """Submodules with commits that no remote has: their repository goes with the worktree."""
    found = []
    for name in links:
        inner = f"{path}/{name}"
        if not exists(f"{inner}/.git"):
            continue
        git = Git(inner)
        heads = ("HEAD", "--branches") if oid(git, "HEAD") else ("--branches",)
        count = git.read("rev-list", "--count", *heads, "--not", "--remotes")
        if count != "0":
            run = f"git -C {shlex.quote(inner)} log --branches HEAD --not --remotes"
            found.append(Hold("submodule", f"{name} has {count} commits that are not pushed", run))
    return found


def _detached(git: Git, at: str) -> list[Hold]:
    if git.says("symbolic-ref", "--quiet", "HEAD") is not None:
        return []
    return loose(git, "HEAD", f"{at} switch -c NAME")


def loose(git: Git, commit: str, run: str) -> list[Hold]:
    """Commits of a detached HEAD that no branch, tag or remote has."""
    words = ("rev-list", "--count", commit, "--not", "--branches", "--tags", "--remotes")
    count = git.says(*words)
    if count == "0":
        return []
    return [Hold("detached", f"{count or 'some'} commits are on no branch", run)]


def missing_holds(common: str, admin: str) -> list[Hold]:
    """The same for a worktree whose directory is gone: what git's directory for it still has."""
    at = f"git -C {shlex.quote(common)}"
    found = operations(admin, f"ls {shlex.quote(admin)}")
    if names(f"{admin}/modules"):
        found.append(Hold("submodule", "repositories of submodules", f"ls {admin}/modules"))
    head = (read(f"{admin}/HEAD") or b"").decode("utf-8", "replace").strip()
    if head and not head.startswith("ref:"):
        found += loose(Git(common), head, f"{at} branch NAME {head}")
    return found
