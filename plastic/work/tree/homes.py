"""Two homes on one repository: whose a worktree or branch is when both have an intent of its name.

Ids are given out by each home for itself, so equal names happen. The note beside a worktree and
the fence say in which home's directory the intent lies; older ones say nothing and decide nothing.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from plastic.disk.command import flagged
from plastic.disk.files import is_dir
from plastic.disk.git import Git, oid
from plastic.disk.gitdir import find
from plastic.disk.projects import projects
from plastic.disk.worktrees import Note, notes
from plastic.rules.intent.names import SLUG_MAX, branch
from plastic.words import Refused
from plastic.work.fence.ref import read
from plastic.work.gate.facts import document, title_of
from plastic.work.tree.site import site_of

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent, Refusal
    from plastic.work.fence.ref import Fence


def is_other(directory: str, intent: Intent) -> bool:
    """Whether this is the directory of the intent's namesake in a home that is still there."""
    if not directory or directory == intent.dir or not is_dir(directory):
        return False
    # One that is not born yet has no directory.
    return not is_dir(intent.dir) or not os.path.samefile(directory, intent.dir)


def home_of(note: Note | None, intent: Intent) -> str:
    """The other home that a worktree belongs to; "" when it is ours, or nobody says."""
    return note.home if note is not None and is_other(note.dir, intent) else ""


def require_own(common: str, intent: Intent) -> None:
    """Refuse while the worktree of this name is another home's."""
    for path, note in notes(common):
        if note.intent == intent.name and home_of(note, intent):
            raise elsewhere(intent, f"{path} is the worktree", note.home)


def require_own_in(repo: str | None, intent: Intent, fence: Fence | None) -> None:
    """The same for a repository, and for a branch that another home has left in it."""
    found = find(repo) if repo is not None else None
    if repo is None or found is None:
        return
    require_own(found[1], intent)
    if fence is not None and is_other(fence.dir, intent):
        name = branch(intent.name)
        if oid(Git(repo), f"refs/heads/{name}") is not None:
            raise elsewhere(intent, f"{name} is the branch", _home_around(fence.dir))


def require_place(home: Home, intent: Intent, title: str) -> None:
    """The same for an intent that is not born yet: refused, it never is."""
    project = projects(home).get(intent.project) if intent.project is not None else None
    site = site_of(intent, project)
    if isinstance(site, str):
        return
    try:
        require_own_in(site.root, intent, read(site.root, intent))
    except Refused as refused:
        refused.run = other_name(intent, title)
        raise


def _home_around(directory: str) -> str:
    """The home of an intent's directory, `projects/<slug>/store/<name>` below it."""
    return "/".join(directory.split("/")[:-4]) or directory


def elsewhere(intent: Intent, what: str, home: str) -> Refusal:
    """The refusal to touch what is another home's; under another name this home may go on."""
    return Refused(
        "other-home",
        f"{what} of an intent of the same name in another home, {home}: it is left alone",
        run=other_name(intent),
    )


def other_name(intent: Intent, title: str = "") -> str:
    """The command that makes an intent of this title under a name that is free."""
    title = title or title_of(document(intent.file), intent.name)
    slug = f"{intent.slug[: SLUG_MAX - 2].rstrip('-')}-2"
    project = ["--project", intent.project] if intent.project is not None else ["--global"]
    return shlex.join(["plastic", "new", title, "--slug", slug, *project, *flagged()])
