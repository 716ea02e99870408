"""Checks of the registered repositories and of every worktree, branch and directory in them."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from plastic.disk.files import exists, names, read_text
from plastic.disk.git import Git
from plastic.disk.gitdir import common_of, find
from plastic.disk.journal import note
from plastic.disk.locks import repo_guard
from plastic.disk.paths import is_below, parent_of, real
from plastic.disk.projects import edit_command, load, projects
from plastic.rules.intent.names import WORKTREES, split
from plastic.work.doctor.found import NOTE, Found
from plastic.work.tree.homes import other_name
from plastic.work.tree.orphans import found_in, yards

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.work.doctor.found import Patient
    from plastic.work.tree.orphans import Yard

ODD = frozenset("|&\\\n")  # what may not stand in the path of a `sed` command
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
            found.append(_gone(patient, project, line))
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


def _gone(patient: Patient, project: Project, line: int) -> Found:
    """A registered path where nothing is; where the visitor stands in it, the new path is known."""
    yml = patient.home.projects_yml
    what = f"the repository of {project.slug} is not at {project.path}: was it moved? "
    here = find(real(patient.cwd))
    top = parent_of(here[1]) if here is not None and here[1].endswith("/.git") else ""
    if not top or not ODD.isdisjoint(top) or not _comes_from(f"{top}/.git", project.path):
        what += "set its `path` to where it is; then `plastic doctor --fix` repairs its worktrees"
        return Found(what, edit_command(yml, line))
    script = shlex.quote(f"{line}s|path:.*|path: {json.dumps(top)}|")
    what += f"{top} is the one; its worktrees need `git worktree repair`, which --fix runs"
    return Found(what, f"sed -i {script} {shlex.quote(yml)} && plastic doctor --fix")


def _comes_from(common: str, old: str) -> bool:
    """Whether a worktree of this repository is registered at the place of before."""
    places = (read_text(f"{common}/worktrees/{name}/gitdir") for name in _admins(common))
    return any(is_below(place.strip(), old) for place in places if place)


def _admins(common: str) -> list[str]:
    return names(f"{common}/worktrees")


def estranged(yard: Yard) -> list[str]:
    """Worktrees whose `.git` names an absent directory that we have ourselves.

    Both halves must fit: the directory of that name in this repository, and the worktree's own
    place in it. Then `git worktree repair` changes nothing but the two paths.
    """
    folder = f"{yard.site.root}/{WORKTREES}"
    found = [
        f"{folder}/{name}"
        for name in names(folder)
        if split(name) is not None and _is_estranged(yard, f"{folder}/{name}")
    ]
    for name in _admins(yard.site.common):
        # One that was adopted may lie anywhere; it stayed where it was.
        text = read_text(f"{yard.site.common}/worktrees/{name}/gitdir") or ""
        path = parent_of(text.strip())
        if path not in found and exists(f"{path}/.git") and _is_estranged(yard, path):
            found.append(path)
    return found


def _is_estranged(yard: Yard, path: str) -> bool:
    if common_of(path) is not None:
        return False
    try:
        named = (read_text(f"{path}/.git") or "").partition("gitdir:")[2].strip()
    except OSError:
        return False
    admin = f"{yard.site.common}/worktrees/{named.rpartition('/')[2]}"
    if not named or exists(named) or not exists(admin):
        return False
    back = parent_of((read_text(f"{admin}/gitdir") or "").strip())
    same = back.rpartition("/")[2] == path.rpartition("/")[2]
    return same and (back == path or not exists(back))


def _repair(home: Home, yard: Yard, path: str) -> None:
    with repo_guard(yard.site.common):
        if path in estranged(yard):
            Git(yard.site.root).run("worktree", "repair", path)
            note(home, "worktree-repaired", path=path)


def worktrees(patient: Patient) -> list[Found]:
    """What `plastic worktree list` finds and that is not as it should be."""
    from plastic.work.tree.worktrees import prune

    home = patient.home
    found = []
    for yard in yards(home):
        moved = set(estranged(yard))
        for one in found_in(yard, home):
            if one.seen.home and one.intent is not None:
                found.append(Found(f"{one.seen.path}: {one.row.why}", other_name(one.intent), NOTE))
                continue
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
