"""The bare skills that `plastic install` puts beside a harness's settings, and takes away again."""

from __future__ import annotations

from typing import NamedTuple

from plastic.disk.files import is_dir, make_dirs, names, read, remove, replace
from plastic.disk.paths import parent_of
from plastic.disk.tree import remove_empty
from plastic.rules.skilltext import is_unchanged, sealed
from plastic.work import share

FIRST = "plastic-intent-starting"
INSTALLED = "installed"
ABSENT = "not installed"
OTHER = "other version"
CHANGED = "changed by somebody"
# What all of them together are: the first of these that one of them is.
WORST = (CHANGED, OTHER)


class Skill(NamedTuple):
    """One skill: our text, and where it belongs."""

    name: str
    text: str
    path: str


def skills(folder: str) -> list[Skill]:
    """Every skill of this installation of plastic, in the harness's folder `folder`."""
    source = f"{share.folder()}/skills"
    known = [name for name in names(source) if is_dir(f"{source}/{name}")]
    found = []
    for name in known:
        data = read(f"{source}/{name}/SKILL.md")
        if data is not None:
            text = sealed(data.decode("utf-8"))
            found.append(Skill(name, text, f"{folder}/skills/{name}/SKILL.md"))
    return found


def state_of(skill: Skill) -> str:
    """What lies in the place of one."""
    present = _present(skill)
    if present is None:
        return ABSENT
    if present == skill.text:
        return INSTALLED
    return OTHER if is_unchanged(present) else CHANGED


def state(folder: str) -> str:
    """What all of them are together: the oddest, else installed, else not installed."""
    states = [state_of(skill) for skill in skills(folder)]
    for odd in WORST:
        if odd in states:
            return odd
    if INSTALLED in states:
        return OTHER if ABSENT in states else INSTALLED
    return ABSENT


def _present(skill: Skill) -> str | None:
    try:
        data = read(skill.path)
    except OSError:
        return ""  # a link or a folder of that name: somebody's own
    return None if data is None else data.decode("utf-8", "surrogateescape")


def install(folder: str) -> str:
    """Write those that are absent or of another version; what somebody changed stays."""
    for skill in skills(folder):
        if state_of(skill) in (ABSENT, OTHER):
            make_dirs(parent_of(skill.path))
            replace(skill.path, skill.text.encode("utf-8", "surrogateescape"))
    return state(folder)


def uninstall(folder: str) -> str:
    """Take away what `install` wrote, and folders that are empty then."""
    for skill in skills(folder):
        present = _present(skill)
        if present is not None and is_unchanged(present):
            remove(skill.path)
            remove_empty(parent_of(skill.path))
    remove_empty(f"{folder}/skills")
    return state(folder)
