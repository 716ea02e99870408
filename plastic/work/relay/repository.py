"""Which relay is meant: by name, else the live one of this repository, else its newest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.gitdir import find as repository
from plastic.disk.relay.place import relays
from plastic.words import Missing, Usage
from plastic.work.relay.desk import look

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.relay.place import About, Place


def key_of(cwd: str) -> str:
    """What only one live relay may have: the repository of a directory, else the directory."""
    place = os.path.realpath(cwd)
    found = repository(place)
    return found[1] if found else place


def find(home: Home, name: str, cwd: str) -> tuple[Place, About]:
    """The relay of this name or prefix, else the one of this repository."""
    found = relays(home)
    if name:
        return _named(found, name)
    key = key_of(cwd)
    mine = [one for one in found if one[1].repo == key]
    if not mine:
        raise Missing("relay", f"no relay was started in {cwd}", run="plastic relay start --help")
    return next((one for one in mine if look(one[0]).is_live), mine[0])


def _named(found: list[tuple[Place, About]], name: str) -> tuple[Place, About]:
    fit = [one for one in found if one[0].name == name] or [
        one for one in found if one[0].name.startswith(name)
    ]
    if not fit:
        raise Missing("relay", f"no relay {name!r}", run="plastic relay list")
    if len(fit) > 1:
        names = ", ".join(one[0].name for one in fit[:5])
        raise Usage("relay", f"{name!r} fits several relays: {names}", run="plastic relay list")
    return fit[0]
