"""What killed writes leave: temporary files, empty reservations, half-done maintenance, bridges."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from plastic.disk import bridges, files
from plastic.disk.git import Git
from plastic.disk.lockfile import GUARD
from plastic.disk.locks import try_guard
from plastic.disk.paths import parent_of
from plastic.disk.tree import remove_empty
from plastic.disk.upkeep import PREFIX
from plastic.work.doctor.found import Found
from plastic.work.intent.shelf import all_intents, every_name, is_blank, stores
from plastic.work.lock.bridge import over as over_bridges
from plastic.work.lock.bridge import purge
from plastic.work.lock.repair import LITTER_AGE

if TYPE_CHECKING:
    from plastic.work.doctor.found import Patient


def is_old(path: str) -> bool:
    """Whether nobody has written it for an hour, by the clock of its own file system.

    A `.swap` may carry the date of the file that it was exchanged with a moment ago.
    """
    seen = files.lstat(path)
    if seen is None:
        return False
    when = max(seen.st_mtime, seen.st_ctime) if path.endswith(".swap") else seen.st_mtime
    return files.fs_now(parent_of(path)) - when > LITTER_AGE


def clear_blank(directory: str) -> None:
    """Remove a reservation that holds nothing, unless somebody is at it right now."""
    with try_guard(f"{directory}/{GUARD}") as free:
        if free and is_blank(files.names(directory)):
            for name in files.names(directory):
                files.remove(f"{directory}/{name}")
            remove_empty(directory)


def leftovers(patient: Patient) -> list[Found]:
    """`.delivery.*.tmp` and `.swap` older than an hour, and files of an older plastic."""
    home = patient.home
    found = _outdated(home.run)
    for folder in _folders(patient):
        for name in files.names(folder):
            path = f"{folder}/{name}"
            if not name.startswith(".delivery.") or not name.endswith((".tmp", ".swap")):
                continue
            if not is_old(path):
                continue
            if name.endswith(".tmp") or _is_known(home.root, path, name):
                what = f"{path} is what a killed write left"
                heal = lambda path=path: files.remove(path)  # noqa: E731
                found.append(Found(what, "plastic doctor --fix", heal=heal))
            else:
                what = f"{path} holds a save that is nowhere else"
                other = f"{folder}/{_target(name)}"
                run = f"diff {shlex.quote(path)} {shlex.quote(other)}"
                found.append(Found(what, run))
    return found


def _outdated(run: str) -> list[Found]:
    """Names in `run/` that were given to something else, or to nothing."""
    old = [f"{run}/seen.old"] if files.exists(f"{run}/seen.old") else []
    seen = files.lstat(f"{run}/seen")
    if seen is not None and files.is_regular(seen):
        old.append(f"{run}/seen")
    return [
        Found(
            f"{path} is of an older plastic",
            "plastic doctor --fix",
            heal=lambda path=path: files.remove(path),  # type: ignore[misc]
        )
        for path in old
    ]


def _folders(patient: Patient) -> list[str]:
    home = patient.home
    bases = [home.base(project) for project in stores(home)]
    intents = [one.dir for one in every_name(home)]
    more = [f"{one}/.claims" for one in intents]
    return [*dict.fromkeys([home.root, home.run, *bases]), *intents, *more]


def _target(name: str) -> str:
    """The file that a `.delivery.NAME.pid.time.swap` was to replace."""
    return name.removeprefix(".delivery.").rsplit(".", 3)[0]


def _is_known(root: str, path: str, name: str) -> bool:
    """Whether these bytes are kept elsewhere: in the file itself, or in the home's history."""
    folder = parent_of(path)
    data = files.read(path, 1 << 26)
    target = f"{folder}/{_target(name)}"
    if files.exists(target) and files.read(target, 1 << 26) == data:
        return True
    git = Git(root)
    blob = git.says("hash-object", "--no-filters", "--", path)
    return blob is not None and git.says("cat-file", "-e", blob) is not None


def maintenance(patient: Patient) -> list[Found]:
    """Branches of `plastic maintain` that are still there."""
    from plastic.work.intent.maintain import finish

    home = patient.home
    pattern = f"refs/heads/{PREFIX}"
    text = Git(home.root).says("for-each-ref", "--format=%(refname:strip=3)", pattern) or ""
    known = {one.name: one for one in all_intents(home)}
    found = []
    for name in text.splitlines():
        intent = known.get(name)
        what = f"maintenance of {name} was cut short"
        if intent is None:
            run = shlex.join(("git", "-C", home.root, "branch", "-D", f"{PREFIX}{name}"))
            found.append(Found(what, run))
        else:
            heal = lambda intent=intent: finish(home, intent)  # noqa: E731
            found.append(Found(what, "plastic doctor --fix", heal=heal))
    return found


def dead_bridges(patient: Patient) -> list[Found]:
    """Bridges whose intent is over; a directory that is not ours alone is not used."""
    folder = bridges.directory(patient.env)
    if files.exists(folder) and not bridges.is_private(folder):
        run = f"ls -ld {shlex.quote(folder)}"
        return [Found(f"{folder} is not private to uid {os.getuid()}: no bridges there", run)]
    dead = over_bridges(patient.home)
    if not dead:
        return []
    what = f"{len(dead)} bridges of intents that are over lie in {folder}"
    return [Found(what, "plastic doctor --fix", heal=lambda: purge(patient.home, ""))]
