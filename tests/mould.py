"""Folders that are made once in a process and then poured: git costs most of a small test."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

HARMLESS = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"}
LINK = stat.S_IFLNK
# Files that say when and where other files were written: a copy has its own.
OF_THE_PLACE = {"home/run/config.json"}
_HEADER = 12  # of an index: DIRC, version, number of entries
_ENTRY = 62  # of an entry: ten numbers of lstat, the object's id, the flags


class Mould(NamedTuple):
    """Everything below a few folders of `root`, in memory; names begin with those folders'."""

    root: bytes
    folders: dict[str, int]
    files: dict[str, tuple[int, bytes]]  # a link has the mode LINK and its target
    fresh: dict[str, set[bytes]]  # index -> the entries that know their files
    said: str  # what making it said, as JSON


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

    In a copy the path of `root` is the new one, in files and in the objects that hold them, and
    every index knows its files: git has nothing to look at twice.
    """
    is_first = not any(os.path.lexists(root / name) for name in names)
    places = {name: root / name for name in names}
    known = _moulds.get(key) if key is not None and is_first else None
    if known is not None:
        _fill(root, places, known)
        return
    make()
    if key is not None and is_first:
        _moulds[key] = _taken(root, places, None)


def advance(root: Path, places: Mapping[str, Path], key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` does to these folders and says; from the second time on it is poured as well.

    Only for folders that hold what `key` tells, and nothing else.
    """
    known = _moulds.get(key)
    if known is None:
        said = make()
        _moulds[key] = _taken(root, places, said)
        return said
    _fill(root, places, known)
    return json.loads(known.said.replace(os.fsdecode(known.root), str(root)))


def looks(places: Iterable[Path]) -> dict[str, tuple[int, ...]]:
    """What tells whether anybody touched anything below these folders."""
    found: dict[str, tuple[int, ...]] = {}
    for place in places:
        for folder, _, files in os.walk(place):
            for path in (folder, *(f"{folder}/{name}" for name in files)):
                seen = os.lstat(path)
                found[path] = (seen.st_ino, seen.st_mode, seen.st_size, seen.st_ctime_ns)
    return found


def _taken(root: Path, places: Mapping[str, Path], said: Any) -> Mould:
    made = Mould(os.fsencode(root), {}, {}, {}, json.dumps(said))
    for top, place in places.items():
        for folder, below, files in os.walk(place):
            short = os.path.normpath(f"{top}/{os.path.relpath(folder, place)}")
            made.folders[short] = os.stat(folder).st_mode & 0o777
            for name in [*files, *(one for one in below if os.path.islink(f"{folder}/{one}"))]:
                path = Path(folder, name)
                if path.is_symlink():
                    made.files[f"{short}/{name}"] = (LINK, os.fsencode(os.readlink(path)))
                    continue
                mode = path.stat().st_mode & 0o777
                made.files[f"{short}/{name}"] = (mode, path.read_bytes())
    for index, work in _indexes(made.files, root):
        made.fresh[index] = set()
        data = bytearray(made.files[index][1])
        for at, end in _entries(data):
            numbers = _numbers(work, data, at, end)
            if numbers is not None and struct.unpack_from(">10I", data, at) == numbers:
                made.fresh[index].add(bytes(data[at + _ENTRY : end]))
    return made


def _fill(root: Path, places: Mapping[str, Path], known: Mould) -> None:
    """Make these folders what the mould says; what is right already stays."""
    names = {}
    for top, place in places.items():
        for folder, mode in known.folders.items():
            if folder.partition("/")[0] == top:
                names[folder] = place / folder[len(top) + 1 :]
                if not names[folder].is_dir():
                    names[folder].mkdir(mode)
    files: dict[str, tuple[int, bytes]] = {}
    for top in places:
        own = {name: one for name, one in known.files.items() if name.startswith(f"{top}/")}
        files.update(_moved(own, known.root, os.fsencode(root)))
    for name, (mode, data) in files.items():
        folder, _, base = name.rpartition("/")
        if folder not in names:  # of an object with a new name
            top, _, rest = folder.partition("/")
            names[folder] = places[top] / rest
            names[folder].mkdir(exist_ok=True)
        path = names[folder] / base
        stays = os.path.lexists(path) and (
            mode == LINK or "/objects/" in name or name in OF_THE_PLACE
        )
        if not stays:
            _put(path, mode, data)
    for top, place in places.items():
        for folder, _, found in os.walk(place):
            short = os.path.normpath(f"{top}/{os.path.relpath(folder, place)}")
            for name in found:
                if f"{short}/{name}" not in files:
                    os.unlink(f"{folder}/{name}")
    for index, work in _indexes(files, root):
        _restat(root / index, work, known.fresh[index])


def _put(path: Path, mode: int, data: bytes) -> None:
    if mode == LINK:
        path.symlink_to(os.fsdecode(data))
    elif not path.exists() or path.read_bytes() != data:
        descriptor = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, mode)
        os.write(descriptor, data)
        os.close(descriptor)


def _moved(
    files: dict[str, tuple[int, bytes]], old: bytes, new: bytes
) -> dict[str, tuple[int, bytes]]:
    """The files of one folder with another path in them, also where git keeps them."""
    objects = {
        name: zlib.decompress(data)
        for name, (_, data) in files.items()
        if "/.git/objects/" in name and len(name.rpartition("/")[2]) == 38
    }
    out = {}
    # Whoever names an object with a new id gets a new id as well.
    swaps: dict[bytes, bytes] = {}
    settled = False
    while not settled:
        settled = True
        for name, raw in objects.items():
            kind, _, body = raw.partition(b"\0")
            kind = kind.partition(b" ")[0]
            fresh = body.replace(old, new) if kind == b"blob" else _swapped(body, swaps)
            if fresh == body:
                continue
            fresh = kind + b" %d\0" % len(fresh) + fresh
            before, after = bytes.fromhex(name[-41:].replace("/", "")), hashlib.sha1(fresh).digest()
            if swaps.get(before) != after:
                swaps[before], settled = after, False
                place = name[:-41] + after.hex()[:2] + "/" + after.hex()[2:]
                out[name] = (place, (files[name][0], zlib.compress(fresh, 1)))
    moved = dict(out.values())
    for name, (mode, data) in files.items():
        if name in out:
            continue
        if name in objects:
            moved[name] = (mode, data)
            continue
        text = _swapped(data, swaps) if "/.git/" in name else data
        moved[name] = (mode, text if name.endswith("/index") else text.replace(old, new))
    return moved


def _swapped(data: bytes, swaps: dict[bytes, bytes]) -> bytes:
    for before, after in swaps.items():
        data = data.replace(before, after)
        data = data.replace(before.hex().encode(), after.hex().encode())
    return data


def _indexes(files: Mapping[str, tuple[int, bytes]], root: Path) -> Iterator[tuple[str, Path]]:
    """Every index among these files, and the checkout that it is of."""
    for name, (_, data) in files.items():
        folder, _, base = name.rpartition("/")
        if base == "index" and folder.endswith("/.git"):
            yield name, root / folder[: -len("/.git")]
        elif base == "gitdir" and folder.rpartition("/")[0].endswith("/.git/worktrees"):
            yield f"{folder}/index", Path(os.fsdecode(data).strip()).parent


def _entries(data: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """Where each entry of an index begins, and where its name ends."""
    version, entries = struct.unpack(">II", data[4:_HEADER])
    assert version == 2
    at = _HEADER
    for _ in range(entries):
        end = data.index(b"\0", at + _ENTRY)
        yield at, end
        at += (end - at + 8) // 8 * 8


def _numbers(work: Path, data: bytearray, at: int, end: int) -> tuple[int, ...] | None:
    """What lstat says of an entry's file, as git writes it down."""
    try:
        seen = os.lstat(os.path.join(os.fsencode(work), bytes(data[at + _ENTRY : end])))
    except OSError:
        return None
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
    return tuple(number & 0xFFFFFFFF for number in numbers)


def _restat(path: Path, work: Path, fresh: set[bytes]) -> None:
    """Enter into an index what lstat says of its files, as git does when it writes them."""
    data = bytearray(path.read_bytes()[:-20])
    for at, end in _entries(data):
        numbers = _numbers(work, data, at, end)
        if numbers is not None and bytes(data[at + _ENTRY : end]) in fresh:
            struct.pack_into(">10I", data, at, *numbers)
    path.write_bytes(data + hashlib.sha1(data).digest())
