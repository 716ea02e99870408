"""Checks of the home itself: repository, configuration, indexes, births, held/."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from plastic.disk import files, held
from plastic.disk.commit import require_repository, scoped_commit
from plastic.disk.git import Git, require_git
from plastic.disk.locks import home_guard
from plastic.disk.projects import edit_command
from plastic.disk.projects import load as read_config
from plastic.rules.intent.index import LIFECYCLE, read
from plastic.words import Broken
from plastic.work.doctor.found import NOTE, Found
from plastic.work.house.make_home import IGNORED, make_home
from plastic.work.intent.index import text_of
from plastic.work.intent.shelf import all_intents, every_name, stores
from plastic.work.lock.repair import rescan

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.work.doctor.found import Patient


def git(_: Patient) -> list[Found]:
    """A git that is too old refuses itself, with its reason."""
    require_git()
    return []


def home(patient: Patient) -> list[Found]:
    """The home is a repository, and keeps locks and caches out of it."""
    place = patient.home
    found = []
    try:
        require_repository(place)
    except Broken as wrong:
        heal = (lambda: _complete(place)) if wrong.code == "home-git" else None
        found.append(Found(wrong.reason, wrong.run or "", heal=heal))
    ignored = (files.read_text(f"{place.root}/.gitignore") or "").splitlines()
    missing = [line for line in IGNORED if line not in ignored]
    absent = [
        name
        for name in ("INDEX.md", "projects.yml", "config.yml", "store")
        if not files.exists(f"{place.root}/{name}")
    ]
    if missing or absent:
        what = f"the home is not complete: {', '.join([*absent, *missing])}"
        found.append(Found(what, "plastic doctor --fix", heal=lambda: _complete(place)))
    return found


def _complete(place: Home) -> None:
    with home_guard(place):
        make_home(place)
    scoped_commit(place, [f"{place.root}/.gitignore", place.index(None)], "Complete the home")


def config(patient: Patient) -> list[Found]:
    """Every fault of both files, with its line."""
    found = []
    for path in (patient.home.projects_yml, patient.home.config_yml):
        for fault in read_config(path).faults:
            found.append(Found(str(fault), edit_command(fault.path, fault.line)))
    return found


def index(patient: Patient) -> list[Found]:
    """Entries and directories agree, and no intent stands in two sections."""
    place = patient.home
    known = all_intents(place)
    found = []
    for project in stores(place):
        path = place.index(project)
        try:
            entries = [one for one in read(text_of(place, project)) if one.section in LIFECYCLE]
        except Broken as broken:
            found.append(Found(broken.reason, broken.run or ""))
            continue
        mine = {one.id: one for one in known if one.project == project}
        listed = Counter(one.id for one in entries)
        for one in entries:
            if one.id not in mine:
                what = f"{path}:{one.line + 1} names {one.id}, which is not there"
                found.append(Found(what, edit_command(path, one.line + 1)))
        for id, count in listed.items():
            if count > 1:
                line = next(one.line for one in entries if one.id == id) + 1
                what = f"{path} names {id} {count} times"
                found.append(Found(what, edit_command(path, line)))
        for id, intent in mine.items():
            if id not in listed:
                found.append(Found(f"{path} does not name {intent.name}", f"plastic start {id}"))
    return found


def births(patient: Patient) -> list[Found]:
    """Directories that `new` has reserved and never filled; the same `new` finishes a named one."""
    from plastic.work.doctor.litter import clear_blank, is_old
    from plastic.work.intent.shelf import BIRTH, is_blank, is_unborn

    found = []
    for intent in every_name(patient.home):
        directory = intent.dir
        if not is_unborn(directory, intent.name) or not is_old(directory):
            continue
        if is_blank(files.names(directory)):
            heal = lambda directory=directory: clear_blank(directory)  # noqa: E731
            found.append(
                Found(f"{directory} was reserved and is empty", "plastic doctor --fix", heal=heal)
            )
            continue
        title = _title(f"{directory}/{BIRTH}") or intent.slug.replace("-", " ")
        words = ["plastic", "new", title]
        words += ["--project", intent.project] if intent.project else ["--global"]
        found.append(Found(f"{directory} is half born", shlex.join(words)))
    return found


def _title(path: str) -> str | None:
    from plastic.quickjson import loads

    try:
        raw = loads(files.read(path) or b"")
    except (OSError, ValueError):
        return None
    title = raw.get("title") if isinstance(raw, dict) else None
    return title if isinstance(title, str) and title else None


def links(patient: Patient) -> list[Found]:
    """held/ against the lock files of every store."""
    place = patient.home
    there = {
        f"{one.dir}/delivery.lock"
        for one in every_name(place)
        if files.exists(f"{one.dir}/delivery.lock")
    }
    names = [name for name in files.names(place.held) if name != held.MARK]
    named = {held.target(f"{place.held}/{name}") for name in names}
    wrong = []
    if there - named:
        wrong.append(f"{len(there - named)} locks are not linked")
    if named - there:
        wrong.append(f"{len(named - there)} links lead to no lock")
    if not held.is_complete(place):
        wrong.append("no full scan has been made")
    if not wrong:
        return []
    what = f"{place.held}: {', '.join(wrong)}"
    return [Found(what, "plastic doctor --fix", heal=lambda: rescan(place))]


def branch(patient: Patient) -> list[Found]:
    """A home on no branch still works, but its history is hard to find."""
    at = Git(patient.home.root)
    if at.says("symbolic-ref", "--quiet", "HEAD") is None:
        run = f"git -C {shlex.quote(patient.home.root)} switch -c main"
        return [Found("the home is on no branch (detached HEAD)", run, NOTE)]
    return []
