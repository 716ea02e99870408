"""Folders that are made once in a process and then poured: git costs most of a small test."""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

HARMLESS = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"}
_HEADER = 12  # of an index: DIRC, version, number of entries
_ENTRY = 62  # of an entry: ten numbers of lstat, the object's id, the flags


class Mould(NamedTuple):
    """Everything below a few folders of `root`, in memory."""

    root: bytes
    folders: list[str]
    files: dict[str, tuple[int, bytes]]


_moulds: dict[Hashable, Mould] = {}


def surroundings(env: Mapping[str, str]) -> tuple[object, ...] | None:
    """What the result of git depends on besides its words; None when that is more than usual."""
    if {key for key in env if key.startswith(("GIT_", "PLASTIC_FAILPOINT"))} - HARMLESS:
        return None
    try:
        config = Path(env["GIT_CONFIG_GLOBAL"]).read_text()
    except (KeyError, OSError):
        return None
    return (config, env.get("PATH"))


def pour(
    root: Path, names: Sequence[str], key: Hashable | None, make: Callable[[], object]
) -> None:
    """Let `make` build the folders `names` of `root`, or a copy of what it built the last time.

    In a copy the path of `root` is the new one, in files and in the one commit that holds them,
    and every index knows its files: git has nothing to look at twice.
    """
    known = _moulds.get(key) if key is not None else None
    if known is None or any(os.path.lexists(root / name) for name in names):
        is_first = not any(os.path.lexists(root / name) for name in names)
        make()
        if key is not None and is_first:
            _moulds[key] = _taken(root, names)
        return
    for name in known.folders:
        os.mkdir(root / name)
    for top in names:
        files = {name: one for name, one in known.files.items() if name.startswith(f"{top}/")}
        for name, (mode, data) in _moved(files, known.root, os.fsencode(root)).items():
            (root / name).parent.mkdir(exist_ok=True)  # of an object with a new name
            descriptor = os.open(root / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
            os.write(descriptor, data)
            os.close(descriptor)
        if os.path.exists(root / top / ".git/index"):
            _restat(root / top)


def _taken(root: Path, names: Sequence[str]) -> Mould:
    found = Mould(os.fsencode(root), [], {})
    for top in names:
        for folder, _, files in os.walk(root / top):
            found.folders.append(os.path.relpath(folder, root))
            for name in files:
                path = Path(folder, name)
                assert not path.is_symlink(), path
                mode = path.stat().st_mode & 0o777
                found.files[os.path.relpath(path, root)] = (mode, path.read_bytes())
    return found


def _moved(
    files: dict[str, tuple[int, bytes]], old: bytes, new: bytes
) -> dict[str, tuple[int, bytes]]:
    """The files of one folder with another path in them, also where git keeps them."""
    if not any(old in data for name, (_, data) in files.items() if "/.git/" not in name):
        return files
    objects = {}
    for name, (_, data) in files.items():
        if "/.git/objects/" in name:
            raw = zlib.decompress(data)
            objects[name] = (raw.partition(b" ")[0], raw)
    swaps: list[tuple[bytes, bytes]] = []
    out = {}
    # Whoever names an object with a new id gets a new id as well.
    for kind in (b"blob", b"tree", b"commit"):
        for name, (what, raw) in objects.items():
            if what == kind:
                body = raw.partition(b"\0")[2]
                body = body.replace(old, new) if kind == b"blob" else _swapped(body, swaps)
                fresh = kind + b" %d\0" % len(body) + body
                before, after = hashlib.sha1(raw).digest(), hashlib.sha1(fresh).digest()
                if before != after:
                    swaps.append((before, after))
                place = name[: -len("xx/") - 38] + after.hex()[:2] + "/" + after.hex()[2:]
                out[place] = (files[name][0], zlib.compress(fresh, 1))
    for name, (mode, data) in files.items():
        if name not in objects:
            inside = "/.git/" in name
            out[name] = (mode, _swapped(data, swaps) if inside else data.replace(old, new))
    return out


def _swapped(data: bytes, swaps: list[tuple[bytes, bytes]]) -> bytes:
    for before, after in swaps:
        data = data.replace(before, after)
        data = data.replace(before.hex().encode(), after.hex().encode())
    return data


def _restat(work: Path) -> None:
    """Enter into the index what lstat says of its files, as git does when it writes them."""
    path = work / ".git/index"
    data = bytearray(path.read_bytes()[:-20])
    version, entries = struct.unpack(">II", data[4:_HEADER])
    assert version == 2
    at = _HEADER
    for _ in range(entries):
        end = data.index(b"\0", at + _ENTRY)
        seen = os.lstat(os.path.join(os.fsencode(work), bytes(data[at + _ENTRY : end])))
        numbers = (
            *divmod(seen.st_ctime_ns, 10**9),
            *divmod(seen.st_mtime_ns, 10**9),
            seen.st_dev,
            seen.st_ino,
            *struct.unpack(">I", data[at + 24 : at + 28]),
            seen.st_uid,
            seen.st_gid,
            seen.st_size,
        )
        struct.pack_into(">10I", data, at, *(number & 0xFFFFFFFF for number in numbers))
        at += (end - at + 8) // 8 * 8
    path.write_bytes(data + hashlib.sha1(data).digest())
