"""Which branch an intent starts from and goes back to: always a full ref, never a guess."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.git import Git, current_branch, default_branch, oid
from plastic.words import Broken, Missing, Refused, Usage
from plastic.work.lock.refuse import start_command

if TYPE_CHECKING:
    from plastic.disk.projects import Project
    from plastic.words import Intent

HEADS = "refs/heads/"
REMOTES = "refs/remotes/"


class Base(NamedTuple):
    """A branch, local or remote-tracking, and the commit it is at."""

    ref: str
    commit: str


def resolve(root: str, intent: Intent, project: Project, named: str | None) -> Base:
    """`named` (--base, or the item's), else the project's, the remote's, the main checkout's."""
    git = Git(root)
    if named:
        found = branch_named(git, named, project) or _unborn(git, named)
        if found is None and named != "HEAD":
            raise Missing(
                "base-missing",
                f"there is no branch {named!r} in {root}{_where(project)}",
                run=f"git -C {shlex.quote(root)} branch --all",
            )
    elif project.base:
        found = branch_named(git, project.base, project) or _unborn(git, project.base)
        if found is None:
            raise Broken(
                "base-missing",
                f"`base: {project.base}` of project {project.slug} names no branch of {root}"
                + _where(project),
                run=_fetch(git, project) or "",
            )
    else:
        found = _default(git, project) or current_branch(git)
    return _proven(git, root, intent, found)


def _where(project: Project) -> str:
    """With pull requests the base lives on the remote, so a local branch does not count."""
    return f" (`merge: pr`: on the remote {project.remote})" if project.merge == "pr" else ""


def _fetch(git: Git, project: Project) -> str | None:
    """How a branch that only the remote has becomes known here; None without that remote."""
    if project.remote not in git.read("remote").splitlines():
        return None
    return shlex.join(("git", "-C", git.cwd, "fetch", project.remote))


def _unborn(git: Git, name: str) -> str | None:
    """The branch of this name when it is checked out and has no commit yet."""
    ref = name if name.startswith(HEADS) else f"{HEADS}{name}"
    return ref if current_branch(git) == ref and oid(git, "HEAD") is None else None


def branch_named(git: Git, name: str, project: Project) -> str | None:
    """The full ref of a branch as people name it; None when there is no such branch.

    A tag or a commit is refused: nothing could be merged back into it.
    """
    if name == "HEAD":
        return current_branch(git)
    local = [name] if name.startswith(HEADS) else [f"{HEADS}{name}"]
    remote = [name] if name.startswith(REMOTES) else [f"{REMOTES}{name}"]
    if project.merge == "pr":
        short = name.removeprefix(HEADS)
        remote.insert(0, f"{REMOTES}{project.remote}/{short}")
        local = []
    for ref in (*local, *remote):
        if oid(git, ref):
            # `origin/HEAD` stands for a branch and moves; the branch itself is what is meant.
            return real_branch(git, ref)
    if project.merge != "pr" and oid(git, name):
        raise Usage(
            "base-kind",
            f"{name!r} is no branch; a base must be one, because End merges into it",
            run=f"git -C {shlex.quote(git.cwd)} branch --all",
        )
    return None


def real_branch(git: Git, ref: str) -> str:
    """The branch that a name stands for: git checks out and lists what an alias leads to."""
    return git.says("symbolic-ref", "--quiet", ref) or ref


def _default(git: Git, project: Project) -> str | None:
    """The remote's default branch: here the local branch of that name, which End can move."""
    remote = default_branch(git, project.remote)
    if remote is None or project.merge == "pr":
        return remote
    local = HEADS + remote.removeprefix(f"{REMOTES}{project.remote}/")
    return local if oid(git, local) else remote


def _proven(git: Git, root: str, intent: Intent, ref: str | None) -> Base:
    place = shlex.quote(root)
    if ref is None:
        raise Refused(
            "base-detached",
            f"{root} has no branch checked out (detached HEAD), so there is no base to start from",
            run=_name_a_branch(git, intent) or f"git -C {place} switch -c main",
        )
    commit = oid(git, ref)
    if commit is None:
        raise Refused(
            "base-unborn",
            f"{ref.removeprefix(HEADS)} in {root} has no commit yet",
            run=f"git -C {place} commit --allow-empty -m 'first commit'",
        )
    return Base(ref, commit)


def _name_a_branch(git: Git, intent: Intent) -> str | None:
    """The same start with a branch that contains the detached commit, else with any."""
    for which in (("--contains", "HEAD"), ()):
        found = git.says("for-each-ref", *which, "--format=%(refname)", HEADS) or ""
        for ref in found.splitlines():
            if not ref.startswith(f"{HEADS}plastic/"):
                return start_command(intent, "--base", ref.removeprefix(HEADS))
    return None


def fork_point(git: Git, base: Base, branch: str) -> str:
    """Where a branch that exists left its base; the base's tip when they share nothing."""
    return git.says("merge-base", base.commit, branch) or base.commit
