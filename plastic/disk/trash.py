"""The trash of a repository: worktrees are moved here whole, and deleted only when they are old.

`<common>/plastic/trash/<id>.<token>[.n]` is the directory as it was, ignored files and all.
Beside it `<name>.json` says what it was and since when, and `<name>.modules` holds the
repositories of its submodules. The record is written first: whatever lies here is explained.
"""

from __future__ import annotations

import errno
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.clock import iso
from plastic.disk.command import look_command
from plastic.disk.failpoints import point
from plastic.disk.files import (
    DIRECTORY,
    MODE_TYPE,
    exists,
    lstat,
    make_dirs,
    move,
    names,
    read,
    reason,
    remove,
    replace,
    sync_dir,
)
from plastic.disk.mounts import mounted_below
from plastic.disk.paths import parent_of
from plastic.disk.tree import remove_closed_tree
from plastic.quickjson import dumps, loads
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

RECORD = ".json"
MODULES = ".modules"


class Entry(NamedTuple):
    """One thing in the trash; `path` is where it was, empty or None what nobody recorded."""

    place: str
    path: str
    intent: str  # the id
    token: int
    buried_at: str | None
    branch: str | None
    head: str | None

    @property
    def name(self) -> str:
        return self.place.rpartition("/")[2]


def folder(common: str) -> str:
    """Where a repository keeps its trash."""
    return f"{common}/plastic/trash"


def put(
    common: str,
    path: str,
    id: str,
    token: int,
    *,
    branch: str | None = None,
    head: str | None = None,
) -> str:
    """Move a worktree's directory into the trash, whole; returns the place.

    One rename: where that is not possible nothing is changed. Its `.git` file is dropped, because
    it would name a registration that is given away. The caller holds the repository's guard.
    """
    _require_directories(common)
    make_dirs(folder(common))
    place = _free(common, path, id, token)
    wanted = Entry(place, path, id, token, iso(), branch, head)
    _record(wanted)
    point("trash.recorded")
    try:
        move(path, place)
    except OSError as error:
        remove(f"{place}{RECORD}")
        raise _refused(common, path, error) from error
    sync_dir(parent_of(place))
    sync_dir(parent_of(path))
    point("trash.moved")
    unlink(place)
    return place


def unlink(place: str) -> None:
    """Take the name of its old registration off what lies in the trash."""
    seen = lstat(f"{place}/.git")
    if seen is not None and seen.st_mode & MODE_TYPE != DIRECTORY:
        remove(f"{place}/.git")


def keep_modules(place: str, admin: str) -> None:
    """Take along the repositories of a worktree's submodules: git deletes them with it."""
    if lstat(f"{admin}/modules") is not None and not exists(f"{place}{MODULES}"):
        move(f"{admin}/modules", f"{place}{MODULES}")


def put_modules(common: str, path: str, id: str, token: int, admin: str) -> None:
    """The same for a worktree whose directory is gone: an entry of submodules alone."""
    if lstat(f"{admin}/modules") is None:
        return
    _require_directories(common)
    make_dirs(folder(common))
    place = _free(common, path, id, token)
    _record(Entry(place, path, id, token, iso(), None, None))
    keep_modules(place, admin)


def _require_directories(common: str) -> None:
    """Through a link the worktree would land outside of its repository."""
    for path in (f"{common}/plastic", folder(common)):
        seen = lstat(path)
        if seen is not None and seen.st_mode & MODE_TYPE != DIRECTORY:
            raise Broken(
                "trash-unusable",
                f"{path} is no directory; nothing was moved",
                run=f"mv {shlex.quote(path)} {shlex.quote(path)}.aside",
            )


def _free(common: str, path: str, id: str, token: int) -> str:
    """A free name; the one of a burial that was killed before it moved anything is used again."""
    turn = 1
    while True:
        place = f"{folder(common)}/{id}.{token}{f'.{turn}' if turn > 1 else ''}"
        known = _recorded(place)
        mine = known is None or (known.path == path and not exists(f"{place}{MODULES}"))
        if not exists(place) and mine:
            return place
        turn += 1


def _refused(common: str, path: str, error: OSError) -> Broken:
    if error.errno == errno.EXDEV:
        return Broken(
            "trash-elsewhere",
            f"{path} is on another file system than {common}, so it cannot be moved into the "
            "trash; it stays where it is",
            run=f"df {shlex.quote(path)} {shlex.quote(common)}",
        )
    return Broken(
        "trash-refused",
        f"{path} cannot be moved into the trash: {reason(error)}; it stays where it is",
        run=look_command(path),
    )


def _record(entry: Entry) -> None:
    said = {key: value for key, value in entry._asdict().items() if key != "place"}
    replace(f"{entry.place}{RECORD}", (dumps(said) + "\n").encode())


def _recorded(place: str) -> Entry | None:
    try:
        raw: Any = loads(read(f"{place}{RECORD}") or b"")
    except (OSError, ValueError):
        return None
    if not isinstance(raw, dict):
        return None
    texts = {key: raw.get(key) for key in ("path", "intent", "buried_at", "branch", "head")}
    said = {key: value if isinstance(value, str) else None for key, value in texts.items()}
    token = raw.get("token")
    return Entry(
        place,
        said["path"] or "",
        said["intent"] or "",
        token if isinstance(token, int) else 0,
        said["buried_at"],
        said["branch"],
        said["head"],
    )


def entries(common: str) -> list[Entry]:
    """Everything in the trash of a repository; what has no record is listed without a time."""
    found = []
    for name in sorted({one.removesuffix(MODULES) for one in names(folder(common))}):
        place = f"{folder(common)}/{name}"
        if _is_tree(place) or _is_tree(f"{place}{MODULES}"):
            id, _, rest = name.partition(".")
            token = rest.partition(".")[0]
            number = int(token) if token.isdigit() else 0
            found.append(_recorded(place) or Entry(place, "", id, number, None, None, None))
    return found


def _is_tree(path: str) -> bool:
    seen = lstat(path)
    return seen is not None and seen.st_mode & MODE_TYPE == DIRECTORY


def date(entry: Entry) -> None:
    """Start the clock of an entry that nobody recorded: from now on it is known to lie here."""
    _record(entry._replace(buried_at=iso()))


def delete(entry: Entry, say: Callable[[str], None]) -> bool:
    """Delete one entry for good, links in it not followed; False (and said) when something stays.

    The record goes last: a killed delete is finished by the next one.
    """
    inside = [
        one for path in (entry.place, f"{entry.place}{MODULES}") for one in mounted_below(path)
    ]
    if inside:
        say(f"{entry.place} is not deleted: something is mounted at {inside[0]}")
        return False
    stuck: list[str] = []
    for path in (entry.place, f"{entry.place}{MODULES}"):
        if exists(path):
            stuck += remove_closed_tree(path)
    if stuck:
        say(f"{entry.place} could not be deleted: {stuck[0]}")
        return False
    remove(f"{entry.place}{RECORD}")
    return True
