"""Which intents are there: the stores of a home and the directories in them."""

from __future__ import annotations

import os

from plastic.disk.files import exists, is_dir, names
from plastic.disk.paths import real
from plastic.rules.intent.names import split
from plastic.words import Intent, Missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home

GLOBAL = "global"
BIRTH = ".delivery.birth"


def require_home(home: Home) -> None:
    """Refuse where no home has been made yet."""
    if not is_dir(home.root):
        from plastic.disk.gitdir import find

        here = find(real(os.getcwd()))
        how = "plastic init" if here is not None else "plastic init --help"
        raise Missing("no-home", f"there is no home at {home.root}", run=how)


def stores(home: Home) -> list[str | None]:
    """The projects that have a store, the global one (None) first."""
    projects = [name for name in names(f"{home.root}/projects") if name[0] != "."]
    return [None, *(name for name in projects if is_dir(home.store(name)))]


def all_intents(home: Home) -> list[Intent]:
    """Every intent of every store, by project and id; one that is still being born is none."""
    found = [
        intent
        for project in stores(home)
        for intent in _in_store(home, project)
        if not is_unborn(intent.dir, intent.name)
    ]
    return sorted(found, key=lambda intent: (intent.project or "", *order_of(intent.id)))


def _in_store(home: Home, project: str | None) -> list[Intent]:
    found = []
    for name in names(home.store(project)):
        parts = split(name)
        if parts is not None:
            found.append(Intent(*parts, f"{home.store(project)}/{name}", project))
    return found


def every_name(home: Home) -> list[Intent]:
    """Every intent directory, also those that are still being born: their ids are taken."""
    return [intent for project in stores(home) for intent in _in_store(home, project)]


def order_of(id: str) -> tuple[int, str]:
    """Ids by their number, then by the letters behind it."""
    digits = id[: len(id) - len(id.lstrip("0123456789"))]
    return int(digits), id[len(digits) :]


def is_unborn(directory: str, name: str) -> bool:
    """Whether a birth is under way or was cut short here."""
    if exists(f"{directory}/{name}.md"):
        return exists(f"{directory}/{BIRTH}")
    try:
        found = names(directory)
    except OSError:  # no rights: an intent that cannot be read is shown all the same
        return False
    return not is_dir(directory) or is_blank(found)


def is_blank(entries: list[str]) -> bool:
    """Whether a directory holds nothing but its guard and what a killed write left."""
    return all(one.startswith(".delivery.") or one == "delivery.write.lock" for one in entries)
