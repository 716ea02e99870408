"""`run/seen/<harness>`: that a harness called our hook, when (the file's mtime), and how."""

from __future__ import annotations

import posix
import sys
import time

from plastic.disk.files import exists, is_regular, lstat, make_dirs, names, put, read, remove
from plastic.quickjson import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.disk.home import Home
    from plastic.words import ToolUse

EVERY = 60.0  # seconds between two writes; in between an event costs one look
LIMIT = 4096  # bytes


def note_presence(home: Home, argument: str, use: ToolUse) -> None:
    """Keep that this harness is at work; whatever hinders it, hinders nothing else.

    `argument` is what the installed line announces, `use.harness` who it turned out to be. An
    event of no session is somebody who tries the hook.
    """
    if not use.session:
        return
    path = path_of(home, use.harness)
    try:
        seen = lstat(path)
        if seen is not None:
            if 0 <= time.time() - seen.st_mtime < EVERY or not is_regular(seen):
                return
        elif not _has_room(home):
            return
        put(path, _line(argument, use))
    except (OSError, ValueError):
        pass


def path_of(home: Home, harness: str) -> str:
    """The file of one harness."""
    return f"{home.run}/seen/{harness}"


def _line(argument: str, use: ToolUse) -> bytes:
    row = {
        "argument": argument[:64],
        "event": use.event,
        "session": use.session[:256],
        "version": _version(),
        "python": sys.executable,
    }
    text = dumps({key: value for key, value in row.items() if value})
    return text.encode("utf-8", "replace")[: LIMIT - 1] + b"\n"


def _version() -> str:
    """What a harness that names itself in the environment says, "" for the others."""
    name = posix.environ.get(b"AI_AGENT", b"").decode("utf-8", "replace")
    return name.strip()[:64]


def _has_room(home: Home) -> bool:
    """Whether the folder is there, made if need be; a folder that is no home stays as it is."""
    folder = f"{home.run}/seen"
    seen = lstat(folder)
    if seen is not None and not is_regular(seen):
        return True
    if not exists(home.projects_yml):
        return False
    if seen is not None:
        remove(folder)  # before 0.2 a file of calls had this name
    make_dirs(folder)
    return True


def last(home: Home, harness: str) -> tuple[float, dict[str, Any]] | None:
    """When a harness was seen the last time, and what it said of itself; None = never."""
    path = path_of(home, harness)
    try:
        seen = lstat(path)
        if seen is None or not is_regular(seen):
            return None
        raw = loads(read(path, LIMIT) or b"null")
    except (OSError, ValueError):
        raw = None
    return (seen.st_mtime, raw if isinstance(raw, dict) else {}) if seen is not None else None


def every(home: Home) -> list[str]:
    """The harnesses that were seen."""
    try:
        return names(f"{home.run}/seen")
    except OSError:
        return []
