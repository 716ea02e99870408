"""Looks at a delivery.lock and its claims, and beats: what hooks and commands both need.

Readers take no guard. The beat takes the intent's guard once without waiting and skips when it is
busy: a missed beat is repaired by the next event, a beat beside a takeover would not be.
"""

from __future__ import annotations

import posix
import time

from plastic.disk.files import lstat, names, open_guard, open_regular, read_fd, touch
from plastic.disk.paths import parent_of
from plastic.quickjson import loads
from plastic.rules.lock.lease import (
    BEAT_EVERY,
    FUTURE,
    age_of,
    gives_heartbeat,
    parse,
    state_of,
    ttl_of,
)
from plastic.words import Claim, LockView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from posix import stat_result

    from plastic.words import Lock

LOCK_LIMIT = 256 * 1024  # bytes
GUARD = "delivery.write.lock"


def look(path: str, now: float | None = None) -> LockView:
    """One look at the lock file `path`; never raises: what cannot be read is corrupt."""
    now = time.time() if now is None else now
    try:
        opened = open_regular(path)
    except OSError:
        return _unreadable(path, now)
    if opened is None:
        return LockView(path, "none", None, None, None)
    fd, seen = opened
    try:
        lock = _content(fd)
    finally:
        posix.close(fd)
    age = age_of(seen.st_mtime, seen.st_ctime, now)
    return LockView(path, state_of(lock, age), lock, seen.st_mtime, age)


def _content(fd: int) -> Lock | None:
    try:
        return parse(loads(read_fd(fd, LOCK_LIMIT)))
    except (OSError, ValueError):
        return None


def _unreadable(path: str, now: float) -> LockView:
    """A link, a directory, a FIFO or a file without rights: held by unknown, never free."""
    seen = None
    try:
        seen = lstat(path)
    except OSError:
        pass
    if seen is None:
        return LockView(path, "corrupt", None, None, None)
    return LockView(path, "corrupt", None, seen.st_mtime, age_of(seen.st_mtime, seen.st_ctime, now))


def same_acquisition(path: str, lock: Lock) -> stat_result | None:
    """The stat of `path` when it still carries this acquisition and owner, else None."""
    try:
        opened = open_regular(path)
    except OSError:
        return None
    if opened is None:
        return None
    fd, seen = opened
    try:
        current = _content(fd)
    finally:
        posix.close(fd)
    if current is None or current.acq != lock.acq or current.owner != lock.owner:
        return None
    return seen


def beat(view: LockView, session: str, *, every: float = BEAT_EVERY, guarded: bool = False) -> bool:
    """Renew the lease behind `view` for its owner or a delegate at work; True when it was renewed.

    By descriptor, never by path, and compared before and after: a beat can neither create a lock
    nor refresh the lock of whoever took over meanwhile. At most once in `every` seconds;
    `guarded` = the caller holds the intent's guard.
    """
    lock = view.lock
    if lock is None or not gives_heartbeat(lock, session):
        return False
    if view.age is not None and -FUTURE <= view.age < min(every, lock.ttl):
        return False
    if guarded:
        return _beat_guarded(view.path, lock)
    guard = try_guard(f"{parent_of(view.path)}/{GUARD}")
    if guard is None:
        return False
    try:
        return _beat_guarded(view.path, lock)
    except OSError:
        return False
    finally:
        posix.close(guard)


def _beat_guarded(path: str, lock: Lock) -> bool:
    opened = open_regular(path)
    if opened is None:
        return False
    fd, seen = opened
    try:
        current = _content(fd)
        if current is None or current.acq != lock.acq or current.owner != lock.owner:
            return False
        touch(fd)
    finally:
        posix.close(fd)
    after = same_acquisition(path, lock)
    return after is not None and after.st_ino == seen.st_ino


def beat_claim(path: str, every: float, now: float) -> bool:
    """Renew a claim, by descriptor, at most once in `every` seconds; never creates it."""
    try:
        opened = open_regular(path)
        if opened is None:
            return False
        fd, seen = opened
        try:
            if 0 <= age_of(seen.st_mtime, seen.st_ctime, now) < every:
                return False
            touch(fd)
        finally:
            posix.close(fd)
    except OSError:
        return False
    return True


def try_guard(path: str) -> int | None:
    """The guard as an open descriptor, None when it is busy or cannot be had."""
    import fcntl  # a shared library: only one event in 30 seconds needs it

    try:
        fd = open_guard(path)
    except OSError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        here = posix.fstat(fd)
        named = posix.stat(path)
        if (here.st_ino, here.st_dev) == (named.st_ino, named.st_dev):
            return fd
    except OSError as error:
        from errno import EBADF

        if error.errno == EBADF:
            return None
    posix.close(fd)
    return None


def look_claim(directory: str, artifact: str, ttl: float, now: float) -> Claim | None:
    """The claim on one artifact of the intent in `directory`, None when there is none."""
    path = f"{directory}/.claims/{artifact}.claim"
    try:
        opened = open_regular(path)
    except OSError:
        return Claim(artifact, "", None, "", "corrupt")
    if opened is None:
        return None
    fd, seen = opened
    try:
        raw = loads(read_fd(fd, LOCK_LIMIT))
    except (OSError, ValueError):
        raw = None
    finally:
        posix.close(fd)
    owner = raw.get("owner_session") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(owner, str) or not owner.strip():
        return Claim(artifact, "", None, "", "corrupt")
    delegate = raw.get("delegate")
    since = raw.get("acquired_at")
    age = age_of(seen.st_mtime, seen.st_ctime, now)
    return Claim(
        artifact,
        owner,
        delegate if isinstance(delegate, str) and delegate.strip() else None,
        since if isinstance(since, str) else "",
        "stale" if age > ttl_of(ttl) else "fresh",
    )


def look_claims(directory: str, ttl: float, now: float) -> list[Claim]:
    """Every claim of the intent in `directory`, in name order."""
    found = []
    for name in names(f"{directory}/.claims"):
        if name.endswith(".claim") and not name.startswith("."):
            claim = look_claim(directory, name[: -len(".claim")], ttl, now)
            if claim is not None:
                found.append(claim)
    return found
