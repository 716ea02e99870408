"""In which repository an intent's worktree belongs, and the three cases in which it has none."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import DIRECTORY, MODE_TYPE, SYMLINK, lstat, names
from plastic.disk.git import Git, common_dir, toplevel, whereabouts
from plastic.disk.gitdir import common_of
from plastic.disk.worktrees import listed
from plastic.rules.intent.names import WORKTREES, branch, split
from plastic.words import Broken
from plastic.work.tree.checkout import candidates

if TYPE_CHECKING:
    from plastic.disk.projects import Project
    from plastic.words import Intent


class Site(NamedTuple):
    """A repository: `root` is the real root of its main checkout, `common` its git directory."""

    root: str
    common: str


def site_of(intent: Intent, project: Project | None) -> Site | str:
    """The repository that the project's path lies in, or why there can be none (lock only)."""
    if intent.project is None:
        return "the global store has no code repository"
    if project is None:
        return f"project {intent.project} is not in projects.yml"
    if not project.path:
        return f"project {project.slug} has no repository"
    if not os.path.isdir(project.path):
        return f"project {project.slug}: {project.path} is no directory"
    seen = whereabouts(project.path)
    common = seen.common if seen else common_dir(project.path)
    if common is None:
        return f"project {project.slug}: {project.path} is not a git work tree"
    top = seen.top if seen else toplevel(project.path)
    if top is None:
        raise Broken(
            "bare-repository",
            f"project {project.slug}: {project.path} is a bare repository or a git directory; "
            "a project's path is a checkout",
        )
    return Site(_main_checkout(top, common), common)


def _main_checkout(top: str, common: str) -> str:
    """The main checkout for any work tree of a repository.

    git's own list calls a submodule's or a separate git directory the main worktree, so the
    candidates are asked themselves. Where the repository is bare any checkout serves as the root.
    """
    if common == f"{top}/.git":
        return top
    for root in candidates(top, common):
        if common_of(root) == common:
            return root
    if listed(Git(top))[0].bare:
        return top
    raise Broken(
        "main-checkout",
        f"the main checkout of {common} cannot be found from {top}",
        run=f"git -C {shlex.quote(top)} worktree list",
    )


def path_of(site: Site, intent: Intent) -> str:
    """Where the intent's worktree lies unless it was moved or adopted."""
    return f"{site.root}/{WORKTREES}/{intent.name}"


def require_safe(site: Site, intent: Intent) -> list[str]:
    """Prove that the path stays inside the repository; returns the parents that do not exist yet.

    Through a symbolic link at `.claude` git would happily build outside of it.
    """
    if split(intent.name) is None:
        raise Broken(
            "intent-name", f"{intent.name!r} can be no name of a worktree", run="plastic list"
        )
    absent = []
    path = site.root
    for part in WORKTREES.split("/"):
        path = f"{path}/{part}"
        seen = lstat(path)
        if seen is None:
            absent.append(path)
        elif seen.st_mode & MODE_TYPE != DIRECTORY:
            what = "a symbolic link" if seen.st_mode & MODE_TYPE == SYMLINK else "no directory"
            raise Broken(
                "worktree-parent",
                f"{path} is {what}; worktrees are only made inside the repository itself",
                run=f"mv {shlex.quote(path)} {shlex.quote(path)}.aside",
            )
    return absent


def require_free(path: str) -> None:
    """Refuse a path that something else occupies; git accepts an empty directory, so do we."""
    seen = lstat(path)
    if seen is None or (seen.st_mode & MODE_TYPE == DIRECTORY and not names(path)):
        return
    raise Broken(
        "worktree-squatted",
        f"{path} exists and is no worktree of this repository",
        run=f"mv {shlex.quote(path)} {shlex.quote(path)}.aside",
    )


def branch_of(intent: Intent) -> str:
    """The full ref of the intent's branch."""
    return f"refs/heads/{branch(intent.name)}"
