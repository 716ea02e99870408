"""Which intents are Active, without reading INDEX.md on every event: one empty file an id.

`run/active/<project>/.of` holds the stamp of the INDEX.md behind the files. When it differs, the
INDEX is read once and the folder made anew; when that fails, the INDEX is read every time. The
folder may be deleted at any moment: it changes no verdict.
"""

from __future__ import annotations

import posix
import time

from plastic.disk.files import (
    NOFOLLOW,
    make_dirs,
    move,
    names,
    put,
    read,
    remove,
    remove_dir,
    stat,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home

INDEX_LIMIT = 64 * 1024 * 1024  # bytes
STAMP = ".of"
GLOBAL = "_global"  # no slug has an underscore


def is_active(home: Home, project: str | None, id: str) -> bool | None:
    """Whether INDEX.md lists the intent under Active; None when there is no readable INDEX.md."""
    index = home.index(project)
    try:
        seen = stat(index)
    except OSError:
        return None
    if seen is None:
        return None
    stamp = f"{seen.st_size} {seen.st_mtime_ns} {seen.st_ino}".encode()
    folder = f"{home.run}/active/{project or GLOBAL}"
    known = _cached(folder, stamp, id)
    return _rebuilt(index, folder, stamp, id) if known is None else known


def _cached(folder: str, stamp: bytes, id: str) -> bool | None:
    """What the folder says; None when it is not that of this INDEX.

    By one descriptor, the stamp last: who drops a folder removes the stamp first, so a name that
    was missing before a stamp that is there was not in this INDEX.
    """
    try:
        fd = posix.open(folder, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        try:
            posix.stat(id, dir_fd=fd)
            found = True
        except FileNotFoundError:
            found = False
        own = posix.open(STAMP, NOFOLLOW, dir_fd=fd)
        try:
            return found if posix.read(own, 256) == stamp else None
        finally:
            posix.close(own)
    except OSError:
        return None
    finally:
        posix.close(fd)


def _rebuilt(index: str, folder: str, stamp: bytes, id: str) -> bool | None:
    from plastic.rules.intent.index import sections

    try:
        data = read(index, INDEX_LIMIT)
    except OSError:
        return None
    if data is None:
        return None
    text = data.decode("utf-8", "surrogateescape")
    ids = set(sections(text, ("Active",)).get("Active", ()))
    try:
        _publish(folder, ids, stamp)
    except OSError:
        pass
    return id in ids


def _publish(folder: str, ids: set[str], stamp: bytes) -> None:
    """Make the folder aside and swap it in; who comes second in a race drops his own."""
    parent, _, name = folder.rpartition("/")
    tag = f"{posix.getpid()}.{time.time_ns()}"
    fresh, old = f"{parent}/.{name}.{tag}.new", f"{parent}/.{name}.{tag}.old"
    make_dirs(fresh)
    try:
        for id in ids:
            put(f"{fresh}/{id}", b"")
        put(f"{fresh}/{STAMP}", stamp)
        try:
            move(folder, old)
        except FileNotFoundError:
            pass
        move(fresh, folder)
    finally:
        _drop(fresh)
        _drop(old)


def _drop(folder: str) -> None:
    try:
        for name in names(folder):  # sorted: the stamp comes first
            remove(f"{folder}/{name}")
        remove_dir(folder)
    except OSError:
        pass
