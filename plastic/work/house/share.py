"""Where the files lie that harnesses read: inside of the package in a wheel, else beside it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from plastic.disk.files import is_regular, stat
from plastic.disk.paths import parent_of
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE = parent_of(parent_of(parent_of(os.path.abspath(__file__))))


def folder(package: str = PACKAGE) -> str:
    """The folder that holds `hooks/` and `skills/`."""
    for place in (f"{package}/_share", parent_of(package)):
        seen = stat(f"{place}/hooks/gate")
        if seen is not None and is_regular(seen):
            return place
    raise Broken(
        "no-hooks",
        f"hooks/gate is missing from this installation of plastic ({package})",
        run=f"{sys.executable} -m pip install --force-reinstall plastic-intents",
    )


def interpreter() -> str:
    """The absolute path of this Python, links kept: a virtual environment is known by its link."""
    python = sys.executable
    if not python.startswith("/"):
        raise Broken(
            "no-python", "this Python does not know its own path", run="command -v python3"
        )
    return python


def is_on_path(env: Mapping[str, str]) -> bool:
    """Whether a shell finds `plastic`: every refusal prints a command that starts with it."""
    places = env.get("PATH", os.defpath).split(os.pathsep)
    return any(os.access(f"{place}/plastic", os.X_OK) for place in places if place)


def bin_folder() -> str:
    """Where the commands of this installation lie."""
    return parent_of(interpreter())
