"""Checks of the registered repositories and of every worktree, branch and directory in them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk.files import exists, names, read_text
from plastic.disk.git import Git
from plastic.disk.gitdir import common_of
from plastic.disk.journal import note
from plastic.disk.locks import repo_guard
from plastic.disk.paths import parent_of
from plastic.disk.projects import edit_command, load, projects
from plastic.rules.names import WORKTREES, split
from plastic.work.doctor.found import NOTE, Found
from plastic.work.orphans import found_in, yards

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.work.doctor.found import Patient
    from plastic.work.orphans import Yard

# What is as it should be, or nobody's to change.
FINE = ("held", "open", "foreign", "elsewhere", "trash")


def repositories(patient: Patient) -> list[Found]:
    """Paths that are gone, and worktrees that still name the place of before."""
    home = patient.home
    lines = load(home.projects_yml).lines
    found = []
    for slug, project in projects(home).items():
        line = lines.get(("projects", slug, "path"), 1)
        if not exists(project.path):
            what = f"the repository of {slug} is not at {project.path}: was it moved?"
            found.append(Found(what, edit_command(home.projects_yml, line)))
        elif common_of(project.path) is None and exists(f"{project.path}/.git"):
            what = f"{project.path}/.git is no git directory"
            found.append(Found(what, f"git -C {shlex.quote(project.path)} status"))
    for yard in yards(home):
        for path in estranged(yard):
            run = f"git -C {shlex.quote(yard.site.root)} worktree repair {shlex.quote(path)}"
            heal = lambda yard=yard, path=path: _repair(home, yard, path)  # noqa: E731
            what = f"{path} names a repository that is gone: it was moved"
            found.append(Found(what, run, heal=heal))
    return found


def estranged(yard: Yard) -> list[str]:
    """Worktrees in their place whose `.git` names an absent directory that we have ourselves.

    Both halves must fit: the directory of that name in this repository, and the worktree's own
    name in it. Then `git worktree repair` changes nothing but the two paths.
    """
    found = []
    for name in names(f"{yard.site.root}/{WORKTREES}"):
        path = f"{yard.site.root}/{WORKTREES}/{name}"
        if split(name) is None or common_of(path) is not None:
            continue
        try:
            named = (read_text(f"{path}/.git") or "").partition("gitdir:")[2].strip()
        except OSError:
            continue
        admin = f"{yard.site.common}/worktrees/{named.rpartition('/')[2]}"
        if not named or exists(named) or not exists(admin):
            continue
        back = parent_of((read_text(f"{admin}/gitdir") or "").strip())
        if back.rpartition("/")[2] == name and (back == path or not exists(back)):
            found.append(path)
    return found


def _repair(home: Home, yard: Yard, path: str) -> None:
    with repo_guard(yard.site.common):
        if path in estranged(yard):
            Git(yard.site.root).run("worktree", "repair", path)
            note(home, "worktree-repaired", path=path)


def worktrees(patient: Patient) -> list[Found]:
    """What `plastic worktree list` finds and that is not as it should be."""
    from plastic.work.worktrees import prune

    home = patient.home
    found = []
    for yard in yards(home):
        moved = set(estranged(yard))
        for one in found_in(yard, home):
            if (one.row.kind in FINE and not one.row.safe) or one.seen.path in moved:
                continue
            if one.row.kind == "branch" and not one.row.safe:
                found += _branch(one.seen.section, one.seen.branch, one.row.why, one.row.run)
                continue
            slug = yard.project.slug
            heal = lambda slug=slug: prune(home, slug, _silent)  # noqa: E731
            what = f"{one.seen.path or one.seen.branch}: {one.row.why}"
            found.append(Found(what, one.row.run, heal=heal if one.row.safe else None))
    return found


def _branch(section: str, branch: str | None, why: str, run: str) -> list[Found]:
    """A branch without a worktree keeps what was abandoned, or waits for the next start."""
    if section == "Completed":
        return [Found(f"{branch}: {why}", run)]
    return [Found(f"{branch}: {why}", run, NOTE)] if section == "Active" else []


def _silent(line: str) -> None:
    """What was pruned stands in the report."""
