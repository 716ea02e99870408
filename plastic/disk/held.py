"""`held/`: a symlink to every held delivery.lock, so that a hook reads a dozen files, not a store.

Acquire links first and locks second, release unlocks first and unlinks second: a crash leaves at
most a dangling name, never a held lock without one. `.complete` is written by a full scan only.
"""

from __future__ import annotations

import posix

from plastic.disk.files import exists, lstat, make_dirs, names, publish, remove, symlink, sync_dir
from plastic.disk.paths import parent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home, Place
    from plastic.words import Intent

MARK = ".complete"


def path_of(home: Home, intent: Intent) -> str:
    """The link of one intent; ids are unique in a home, so names cannot collide."""
    return f"{home.held}/{intent.name}"


def add(home: Home, intent: Intent) -> None:
    """Make the link, replacing one that points elsewhere; it outlives a power loss."""
    if mend(home, f"{intent.dir}/delivery.lock"):
        sync_dir(home.held)


def mend(home: Home, lock_path: str) -> bool:
    """See to it that the link to this lock is there, True = made; one system call when it is."""
    path = f"{home.held}/{parent_of(lock_path).rpartition('/')[2]}"
    try:
        if posix.readlink(path) == lock_path:
            return False
        remove(path)
    except OSError:
        make_dirs(home.held)
    return symlink(lock_path, path)


def drop(home: Home, intent: Intent) -> None:
    """Remove the link of a lock that is gone."""
    remove(path_of(home, intent))


def target(link: str) -> str | None:
    """What an entry of held/ leads to, None when it is no link."""
    try:
        return posix.readlink(link)
    except OSError:
        return None


def forget(link: str) -> None:
    """Remove an entry of held/ that leads to no lock."""
    try:
        remove(link)
    except OSError:
        pass


def places(home: Home) -> list[Place]:
    """The intents whose delivery.lock a link names, only those inside the home's stores."""
    found = []
    for name in names(home.held):
        if name == MARK:
            continue
        try:
            place = _place(home, posix.readlink(f"{home.held}/{name}"))
        except OSError:
            continue
        if place is not None and place.kind == "intent" and place.rest == "delivery.lock":
            found.append(place)
    return found


def _place(home: Home, target: str) -> Place | None:
    """What a link leads to; one of a home that was moved or copied means the lock in this one."""
    place = home.locate(target)
    if place is None and target.startswith("/"):
        parts = target.split("/")
        own = parts[-5:] if parts[-5:-4] == ["projects"] else parts[-3:]
        place = home.locate(f"{home.root}/{'/'.join(own)}")
    return place


def lock_paths(home: Home) -> list[str]:
    """The delivery.lock files that the links name."""
    return [f"{place.intent}/delivery.lock" for place in places(home)]


def is_complete(home: Home) -> bool:
    """Whether a full scan has proven that no held lock is without a link."""
    return lstat(f"{home.held}/{MARK}") is not None


def mark_complete(home: Home) -> None:
    """Record the end of a full scan."""
    make_dirs(home.held)
    if not exists(f"{home.held}/{MARK}"):
        publish(f"{home.held}/{MARK}", b"")
