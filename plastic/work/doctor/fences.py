"""Checks the hooks of every worktree of ours, and the lines that name them to git."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk import gitconfig
from plastic.disk.files import exists
from plastic.disk.locks import repo_guard
from plastic.disk.worktrees import admin_dir, notes
from plastic.rules.intent.names import split
from plastic.words import Intent
from plastic.work.doctor.found import Found
from plastic.work.fence.install import install, left, sweep
from plastic.work.fence.look import asked_elsewhere, missing
from plastic.work.tree.orphans import yards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.disk.home import Home
    from plastic.disk.worktrees import Note
    from plastic.work.doctor.found import Patient
    from plastic.work.tree.orphans import Yard

RUN = "plastic doctor --fix"


def fences(patient: Patient) -> list[Found]:
    """Worktrees whose hooks are not the fence's, and lines for worktrees that are gone."""
    found = []
    for yard in yards(patient.home):
        found += [*_standing(patient.home, yard), *_left(yard)]
    return found


def _standing(home: Home, yard: Yard) -> Iterator[Found]:
    for path, note in notes(yard.site.common):
        admin = admin_dir(yard.site.common, path)
        intent = _intent(home, yard, note)
        if admin is None or intent is None or not exists(path):
            continue
        lacking = missing(yard.site.common, admin, intent)
        if lacking:
            what = f"the fence of {path} lacks {', '.join(lacking[:3])}"
            heal = lambda admin=admin, intent=intent: _heal(home, yard, admin, intent)  # noqa: E731
            yield Found(f"{what}{' and more' if len(lacking) > 3 else ''}", RUN, heal=heal)
            continue
        elsewhere = asked_elsewhere(path, admin)
        if elsewhere is not None:
            what = f"git asks {elsewhere or 'no hooks'} in {path}: its core.hooksPath comes last"
            words = ("config", "--show-origin", "--get-all", "core.hooksPath")
            yield Found(what, shlex.join(("git", "-C", path, *words)))


def _intent(home: Home, yard: Yard, note: Note) -> Intent | None:
    """The intent of a note that this home has written; older notes name no home."""
    parts = split(note.intent)
    if parts is None or note.home != home.root or not note.dir:
        return None
    return Intent(parts[0], parts[1], note.dir, yard.project.slug)


def _heal(home: Home, yard: Yard, admin: str, intent: Intent) -> None:
    with repo_guard(yard.site.common):
        if exists(admin):
            install(home, yard.site.common, admin, intent)


def _left(yard: Yard) -> list[Found]:
    common = yard.site.common
    gone = left(common)
    if not gone:
        return []
    what = f"{gitconfig.path_of(common)} includes hooks of worktrees that are gone: {gone[0]}"
    return [Found(what, RUN, heal=lambda: _sweep(common))]


def _sweep(common: str) -> None:
    with repo_guard(common):
        sweep(common)
