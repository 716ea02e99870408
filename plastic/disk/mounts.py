"""On which file system a path lies, and whether locks, links and clocks work there: tried out."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import NamedTuple

from plastic.disk.files import fs_now, open_guard, put
from plastic.disk.paths import real
from plastic.disk.process import run
from plastic.disk.tree import hard_link, make_dir, remove_tree

# Another process tries the lock that this one holds: exit 3 = it was kept out, as it must be.
_RIVAL = (
    "import fcntl, sys\n"
    "file = open(sys.argv[1], 'r+b')\n"
    "try:\n"
    "    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
    "except BlockingIOError:\n"
    "    sys.exit(3)\n"
)
SECONDS = 20.0
_ESCAPED = re.compile(r"\\([0-7]{3})")


class Trial(NamedTuple):
    """What worked in one directory; `skew` is its clock against ours, in seconds."""

    locks: str  # "" or what is wrong
    links: bool
    skew: float


def mounted_below(path: str) -> list[str]:
    """What is mounted at a path or below it: deleting the path would delete what lies there."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            return below_in(file.read(), real(os.path.abspath(path)))
    except OSError:
        return []


def below_in(table: str, path: str) -> list[str]:
    """The same in a mountinfo text."""
    places = [_place(line) for line in table.splitlines()]
    return [one for one in places if one == path or one.startswith(f"{path}/")]


def _place(line: str) -> str:
    """Where one line of the table mounts something; "" when it is no such line."""
    fields = line.split(" ")
    if len(fields) < 5:
        return ""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[4])


def kind_of(path: str) -> str:
    """The type of the file system under a path, as the mount table says; "" where there is none."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            return kind_in(file.read(), real(os.path.abspath(path)))
    except OSError:
        return ""


def kind_in(table: str, path: str) -> str:
    """The type in a mountinfo text; of two mounts on one place the later one counts."""
    best, kind = "", ""
    for line in table.splitlines():
        left, dash, right = line.partition(" - ")
        fields = left.split(" ")
        if not dash or len(fields) < 5:
            continue
        place = _ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[4])
        inside = path == place or path.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= len(best):
            best, kind = place, right.split(" ")[0]
    return kind


def trial(directory: str) -> Trial:
    """Try a lock between two processes, a hard link and the clock in a directory of ours."""
    folder = f"{directory}/.delivery.doctor.{os.getpid()}"
    make_dir(folder, 0o700)
    try:
        path = f"{folder}/lock"
        put(path, b"")
        return Trial(_locks(path), _links(path), fs_now(folder) - time.time())
    finally:
        remove_tree(folder)


def _locks(path: str) -> str:
    import fcntl

    argv = [sys.executable, "-I", "-S", "-c", _RIVAL, path]
    held = open_guard(path)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return f"flock is refused ({error.strerror})"
        done = run(argv, "/", timeout=SECONDS)
        if done.rc == 0:
            return "a second process got the lock that the first one held"
        if done.rc != 3:
            return f"a second process could not ask for the lock: {done.tail(1)}"
    finally:
        os.close(held)
    done = run(argv, "/", timeout=SECONDS)
    return "" if done.rc == 0 else "a lock that was given back stays locked"


def _links(path: str) -> bool:
    try:
        hard_link(path, f"{path}.link")
    except OSError:
        return False
    return os.stat(path).st_nlink == 2
