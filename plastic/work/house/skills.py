"""Our skills as commands of a harness: what `plastic install` puts there and takes away again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import is_dir, make_dirs, names, read, remove, replace
from plastic.disk.paths import parent_of
from plastic.disk.tree import remove_empty
from plastic.harness.commandtext import FORMS, rendered
from plastic.harness.entry import ABSENT, CHANGED, INSTALLED, OTHER
from plastic.harness.seal import is_unchanged, sealed
from plastic.work.house import share

if TYPE_CHECKING:
    from plastic.work.house.target import Target

FIRST = "plastic-intent-starting"
# What all of them together are: the first of these that one of them is.
WORST = (CHANGED, OTHER)


class Skill(NamedTuple):
    """One skill: our text, where it belongs, and the kind of its comments."""

    name: str
    text: str
    path: str
    kind: str


def skills(where: Target) -> list[Skill]:
    """Every skill of this installation of plastic, as the harness takes it."""
    source = f"{share.folder()}/skills"
    form = FORMS[where.place.form]
    found = []
    for name in names(source):
        data = read(f"{source}/{name}/SKILL.md") if is_dir(f"{source}/{name}") else None
        if data is not None:
            text = rendered(where.place.form, where.harness, data.decode("utf-8"))
            path = f"{where.commands}/{form.file.format(name=name)}"
            found.append(Skill(name, sealed(text, form.kind), path, form.kind))
    return found


def state_of(skill: Skill) -> str:
    """What lies in the place of one."""
    present = _present(skill)
    if present is None:
        return ABSENT
    if present == skill.text:
        return INSTALLED
    return OTHER if is_unchanged(present, skill.kind) else CHANGED


def state(where: Target) -> str:
    """What all of them are together: the oddest, else installed, else not installed."""
    states = [state_of(skill) for skill in skills(where)]
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


def install(where: Target) -> str:
    """Write those that are absent or of another version; what somebody changed stays."""
    for skill in skills(where):
        if state_of(skill) in (ABSENT, OTHER):
            make_dirs(parent_of(skill.path))
            replace(skill.path, skill.text.encode("utf-8", "surrogateescape"))
    return state(where)


def uninstall(where: Target) -> str:
    """Take away what `install` wrote, and folders that are empty then."""
    for skill in skills(where):
        present = _present(skill)
        if present is not None and is_unchanged(present, skill.kind):
            remove(skill.path)
            folder = parent_of(skill.path)
            if folder != where.commands:
                remove_empty(folder)
    remove_empty(where.commands)
    return state(where)
