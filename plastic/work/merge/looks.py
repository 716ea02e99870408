"""What each path of an interrupted checkout is: old, new, missing, torn, or somebody's own.

Torn is proven, never assumed: git unlinks the old file and writes the new one front to back, so a
torn file is the beginning of what it was to become. Anything else belongs to a person.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from plastic.disk.files import (
    DIRECTORY,
    MODE_TYPE,
    SYMLINK,
    lstat,
    make_dirs,
    read,
    remove,
    replace,
)
from plastic.disk.paths import parent_of
from plastic.work.merge.neutral import ATTRIBUTES
from plastic.work.merge.room import LINK, MODULE, NOTHING, OPTIONS, TIMEOUT

if TYPE_CHECKING:
    from plastic.work.merge.room import Change
    from plastic.work.merge.seats import Seat

OLD, NEW, MISSING, TORN, OWN = "old", "new", "missing", "torn", "own"
LARGEST = 1 << 31  # bytes of a file


def looks(seat: Seat, index: str, touched: list[Change]) -> dict[str, str]:
    """The state of every path; `index` is a refreshed copy of the index from before."""
    words = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")
    env = {"GIT_INDEX_FILE": index}
    changed = seat.git.raw(*OPTIONS, *words, env=env, timeout=TIMEOUT)
    dirty = set(changed.decode("utf-8", "surrogateescape").split("\0"))
    tracked = entries(seat, index)
    found: dict[str, str] = {}
    unknown: list[Change] = []
    for change in touched:
        if MODULE in (change.old_mode, change.new_mode):
            found[change.path] = OLD  # only the index names a submodule's commit
            continue
        seen = lstat(f"{seat.path}/{change.path}")
        if seen is None or seen.st_mode & MODE_TYPE == DIRECTORY:
            found[change.path] = MISSING
        elif tracked.get(change.path) == (change.old_mode, change.old) and (
            change.path not in dirty
        ):
            found[change.path] = OLD
        else:
            unknown.append(change)
    kinds = _on_disk(seat, [change.path for change in unknown])
    for change in unknown:
        found[change.path] = _judged(seat, change, *kinds[change.path])
    return found


def entries(seat: Seat, index: str) -> dict[str, tuple[str, str]]:
    """(mode, blob) of every path in an index; an unmerged path has its last stage."""
    listed = seat.git.raw("ls-files", "-s", "-z", env={"GIT_INDEX_FILE": index}, timeout=TIMEOUT)
    found = {}
    for line in listed.decode("utf-8", "surrogateescape").split("\0"):
        head, _, path = line.partition("\t")
        if path:
            mode, oid, _ = head.split(" ")
            found[path] = (mode, oid)
    return found


def _on_disk(seat: Seat, paths: list[str]) -> dict[str, tuple[str, str]]:
    """(mode, blob) of each file as a commit would have it, through its clean filter."""
    modes = seat.git.says("config", "--type=bool", "core.fileMode") != "false"
    found: dict[str, tuple[str, str]] = {}
    regular: list[tuple[str, str]] = []
    for path in paths:
        seen = os.lstat(f"{seat.path}/{path}")
        if seen.st_mode & MODE_TYPE == SYMLINK:
            text = os.fsencode(os.readlink(f"{seat.path}/{path}"))
            found[path] = (LINK, blob(text, seat))
        else:
            run = "100755" if seen.st_mode & 0o100 else "100644"
            regular.append((path, run if modes else ""))
    if regular:
        asked = "".join(f"{_quoted(path)}\n" for path, _ in regular)
        done = seat.git.run("hash-object", "--stdin-paths", stdin=asked, timeout=TIMEOUT)
        for (path, mode), oid in zip(regular, done.out.split(), strict=True):
            found[path] = (mode, oid)
    return found


def blob(data: bytes, seat: Seat) -> str:
    """The object id of these bytes as they are."""
    kind = seat.git.read("rev-parse", "--show-object-format")
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _quoted(path: str) -> str:
    """git unquotes a line that begins with a quotation mark."""
    if not path.startswith('"') and not any(one in path for one in "\n\r"):
        return path
    for one, other in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        path = path.replace(one, other)
    return f'"{path}"'


def _judged(seat: Seat, change: Change, mode: str, oid: str) -> str:
    if oid == change.new and mode in ("", change.new_mode):
        return NEW
    if oid == change.old and mode in ("", change.old_mode):
        return OLD
    if mode == LINK:
        return OWN
    there = read(f"{seat.path}/{change.path}", LARGEST) or b""
    # Both sides: a kill may also have met the way back.
    for version, wanted in ((change.new, change.new_mode), (change.old, change.old_mode)):
        if wanted in (NOTHING, LINK):
            continue
        if _written(seat, version, change.path).startswith(there):
            return TORN
    return OWN


def _written(seat: Seat, version: str, path: str) -> bytes:
    """The bytes that a checkout writes for a blob: through the smudge filter of its path."""
    words = ("cat-file", "--filters", f"--path={path}", version)
    return seat.git.raw(*words, timeout=TIMEOUT)


def settle_attributes(seat: Seat, touched: list[Change]) -> None:
    """Bring `.gitattributes` files to their new content first: they say what the others are."""
    for change in touched:
        regular = change.new_mode.startswith("100") or change.new_mode == NOTHING
        if change.path.rpartition("/")[2] != ATTRIBUTES or not regular:
            continue
        path = f"{seat.path}/{change.path}"
        seen = lstat(path)
        if seen is not None and seen.st_mode & MODE_TYPE in (SYMLINK, DIRECTORY):
            continue
        there = read(path, LARGEST)
        old = _blob_of(seat, change.old, change.old_mode)
        new = _blob_of(seat, change.new, change.new_mode)
        if new is None:
            if there is not None and there == old:
                remove(path)
        elif there != new and (there is None or there == old or new.startswith(there)):
            make_dirs(parent_of(path))
            replace(path, new, 0o777 if change.new_mode == "100755" else 0o666)


def _blob_of(seat: Seat, oid: str, mode: str) -> bytes | None:
    return seat.git.raw("cat-file", "blob", oid) if mode.startswith("100") else None
