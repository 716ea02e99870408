"""What End is about: an intent, its lock, its repository, its worktree, as they stand now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.command import look_command
from plastic.disk.files import exists
from plastic.disk.git import Git, oid
from plastic.disk.paths import real
from plastic.disk.projects import projects
from plastic.disk.worktrees import admin_dir, noted_for, recall
from plastic.rules.lock.lease import worktree
from plastic.words import Broken
from plastic.work.lock.verb import caller_for, seen
from plastic.work.tree.base import HEADS, REMOTES, real_branch, resolve
from plastic.work.tree.homes import elsewhere, home_of
from plastic.work.tree.site import Site, branch_of, path_of, site_of

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView


class Place(NamedTuple):
    """Where the intent's code is: `branch` and `base` are full refs."""

    site: Site
    path: str
    branch: str
    base: str
    adopted: bool

    @property
    def is_registered(self) -> bool:
        """Whether git still knows the worktree, or its directory is there."""
        return exists(self.path) or admin_dir(self.site.common, self.path) is not None


class Subject(NamedTuple):
    """One look; `place` is None where the intent has no code."""

    home: Home
    intent: Intent
    project: Project | None
    session: str
    view: LockView
    place: Place | None


def subject_of(home: Home, intent: Intent, caller: Caller) -> Subject:
    """Look at an intent and its lock, and find its worktree."""
    session = caller_for(home, intent, caller).session
    project = projects(home).get(intent.project) if intent.project is not None else None
    view = seen(intent)
    return Subject(home, intent, project, session, view, _place(intent, project, view))


def _place(intent: Intent, project: Project | None, view: LockView) -> Place | None:
    site = site_of(intent, project)
    known = worktree(view.lock) if view.lock is not None else None
    if isinstance(site, str) or project is None:
        if known is not None:
            raise unreachable(intent, str(site), str(known["path"]))
        return None
    noted = noted_for(site.common, intent.name)
    named = real(str(known["path"])) if known is not None else None
    if named is None or (noted is not None and not exists(named)):
        named = noted or path_of(site, intent)  # moved by `git worktree move`
    path = named
    note = recall(admin_dir(site.common, path))
    theirs = home_of(note, intent)
    if theirs:
        raise elsewhere(intent, f"{path} is the worktree", theirs)
    branch = _branch(intent, known)
    if known is None and note is None and not exists(path) and oid(Git(site.root), branch) is None:
        return None  # it was boarded without a worktree
    base = _base(known) or (note.base if note is not None else "")
    if not base:
        base = resolve(site.root, intent, project, None).ref
    base = real_branch(Git(site.root), base)
    adopted = note.adopted if note is not None else (known or {}).get("reason") == "adopted"
    return Place(site, path, branch, _merged_at(base, project), adopted)


def unreachable(intent: Intent, why: str, path: str) -> Broken:
    """Without its repository an End would record as delivered what was never merged."""
    return Broken(
        "repository-missing",
        f"the work of {intent.name} is in {path}, but its repository cannot be found: {why}; "
        f"to go on without it: plastic-lock release {intent.id} && plastic start {intent.id}",
        run=look_command(path),
    )


def _branch(intent: Intent, known: dict[str, Any] | None) -> str:
    named = (known or {}).get("branch")
    return f"{HEADS}{named}" if isinstance(named, str) and named else branch_of(intent)


def _base(known: dict[str, Any] | None) -> str:
    named = (known or {}).get("base")
    return named if isinstance(named, str) else ""


def _merged_at(base: str, project: Project) -> str:
    """With pull requests the remote's branch is what the work must be in."""
    if project.merge == "pr" and base.startswith(HEADS):
        return f"{REMOTES}{project.remote}/{base.removeprefix(HEADS)}"
    return base
