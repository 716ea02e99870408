"""Whether a worktree could be moved into the trash of its repository, found out beforehand."""

from __future__ import annotations

import os

from plastic.disk.files import DIRECTORY, MODE_TYPE, lstat
from plastic.disk.paths import parent_of
from plastic.disk.trash import folder


def taken(common: str) -> str:
    """What stands where the trash belongs and is no directory; through a link it would leak."""
    for path in (f"{common}/plastic", folder(common)):
        seen = lstat(path)
        if seen is not None and seen.st_mode & MODE_TYPE != DIRECTORY:
            return path
    return ""


def closed(common: str, path: str) -> str:
    """The first directory that has to be written for the move, and may not be.

    The worktree itself is one of them: its entry for the folder above changes.
    """
    place = folder(common)
    while lstat(place) is None and len(place) > len(common):
        place = parent_of(place)
    wanted = (place, parent_of(path), path)
    return next((one for one in wanted if not os.access(one, os.W_OK | os.X_OK)), "")
