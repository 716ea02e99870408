"""Bridges: one small file a session and intent in a private directory; a cache for display."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

from plastic.disk.files import make_dirs, names, read, remove, replace
from plastic.disk.tree import set_mode

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT = 64 * 1024  # bytes
KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._")
NAME_MAX = 150  # characters of an encoded session; a longer one ends in a digest
SUFFIX = ".json"


def directory(env: Mapping[str, str]) -> str:
    """Where this user's bridges lie; nothing else shares the directory."""
    named = env.get("PLASTIC_TMP", "").strip()
    if named.startswith("/"):
        return named.rstrip("/")
    runtime = env.get("XDG_RUNTIME_DIR", "").strip()
    if runtime.startswith("/"):
        return f"{runtime.rstrip('/')}/plastic"
    return f"/tmp/plastic-{os.getuid()}"  # noqa: S108 - private and checked before use


def is_private(path: str) -> bool:
    """Whether the directory is ours alone: no link, our uid, no rights for others."""
    try:
        seen = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid() and not seen.st_mode & 0o077


def make(path: str) -> bool:
    """Make the directory and close it to others; False when it belongs to somebody else."""
    try:
        make_dirs(path, 0o700)
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            seen = os.fstat(fd)
            if seen.st_uid == os.getuid() and seen.st_mode & 0o077:
                set_mode(fd, 0o700)
        finally:
            os.close(fd)
    except OSError:
        return False
    return is_private(path)


def file_name(session: str, id: str) -> str:
    """A file name that no session id can make leave the directory or meet another's."""
    encoded = "".join(
        one if one in KEPT else "".join(f"%{byte:02x}" for byte in one.encode("utf-8", "replace"))
        for one in session
    )
    if len(encoded) > NAME_MAX:
        import hashlib

        encoded = f"{encoded[:NAME_MAX]}~{hashlib.sha256(session.encode()).hexdigest()[:16]}"
    # A hyphen of the session is encoded, so that `--` can only be ours.
    return f"s{encoded}--{id}{SUFFIX}"


def load(path: str) -> dict[str, Any] | None:
    """A bridge's content; None when it is no file of ours or says nothing."""
    try:
        if os.lstat(path).st_uid != os.getuid():
            return None
        data = read(path, LIMIT)
        value = json.loads(data) if data is not None else None
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def save(folder: str, name: str, value: dict[str, Any]) -> bool:
    """Write a bridge as one step; False where the directory is not ours."""
    if not make(folder):
        return False
    path = f"{folder}/{name}"
    try:
        if os.path.islink(path):
            remove(path)
        replace(path, (json.dumps(value, indent=2) + "\n").encode(), 0o600)
    except OSError:
        return False
    return True


def listed(folder: str) -> list[str]:
    """The bridge files of a directory that is ours."""
    if not is_private(folder):
        return []
    return [f"{folder}/{name}" for name in names(folder) if name.endswith(SUFFIX)]


def drop(path: str) -> bool:
    """Remove one; False when it is gone already or cannot be removed."""
    try:
        return remove(path)
    except OSError:
        return False
