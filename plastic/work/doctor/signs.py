"""Whether a harness was at work: the newest of the files that it keeps of its own sessions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

BRANCHES = 8  # of many folders, only so many that changed last are looked into


class Sign(NamedTuple):
    """Where a harness keeps its sessions, in its folder of the user, and how many folders deep."""

    below: str
    depth: int


# Cursor's documents name no such place.
SIGNS: dict[str, Sign] = {
    "claude": Sign("projects", 1),
    "codex": Sign("sessions", 3),
    "gemini": Sign("tmp", 2),
    "opencode": Sign("storage", 3),
    "pi": Sign("sessions", 1),
    "copilot": Sign("session-state", 1),
}


def last_run(harness: str, folder: str, env: Mapping[str, str], top: str | None) -> float | None:
    """When a session of this harness wrote last; None when nobody can tell.

    `top` = only sessions in that checkout count, which only Claude Code's files tell.
    """
    sign = SIGNS.get(harness)
    if sign is None or (top is not None and harness != "claude"):
        return None
    base = _data(env) if harness == "opencode" else folder
    place = f"{base}/{sign.below}"
    if top is not None:
        return newest(f"{place}/{_slug(top)}", 0)
    return newest(place, sign.depth)


def _data(env: Mapping[str, str]) -> str:
    named = env.get("XDG_DATA_HOME", "").strip()
    return f"{named or os.path.expanduser('~/.local/share')}/opencode"


def _slug(top: str) -> str:
    """A folder's name as Claude Code makes it of a path."""
    return "".join(one if one.isascii() and one.isalnum() else "-" for one in top)


def newest(place: str, depth: int) -> float | None:
    """The newest change of a file that many folders below; links are not followed."""
    times: list[float] = []
    folders: list[tuple[float, str]] = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                seen = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    folders.append((seen.st_mtime, entry.path))
                elif entry.is_file(follow_symlinks=False):
                    times.append(seen.st_mtime)
    except OSError:
        return None
    for _, path in sorted(folders, reverse=True)[:BRANCHES] if depth else []:
        found = newest(path, depth - 1)
        if found is not None:
            times.append(found)
    return max(times, default=None)
