"""The bytes of a pen file: read as text or refused, replaced as one step, excluded from git."""

from __future__ import annotations

import posix

from plastic.disk.files import append, is_regular, lstat, make_dirs, read, read_text, replace, stat
from plastic.disk.paths import parent_of, real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.penplace import Place

    Stamp = tuple[int, int, int] | None

MOST = 256 * 1024 * 1024  # bytes of a journal that was never archived
HEAD = 16 * 1024  # bytes: the block stands at the top


class Unreadable(Exception):
    """What is there is no text of ours: `code` is not-utf8 or not-a-file."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def load(path: str) -> str | None:
    """The text of a pen file, line ends as they are; None when there is none."""
    data = load_bytes(path)
    if data is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("not-utf8", at=str(error.start)) from None


def load_bytes(path: str) -> bytes | None:
    """The same, whatever it says."""
    try:
        seen = stat(path)
        if seen is None:
            return None
        if not is_regular(seen):
            raise Unreadable("not-a-file", why="irregular")
        return read(path, MOST)
    except OSError as error:
        raise Unreadable("not-a-file", why=error.strerror or str(error)) from None


def head(path: str) -> str | None:
    """The beginning of the file: all that the gate may spend time on."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        return posix.read(fd, HEAD).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        posix.close(fd)


def stamp(path: str) -> Stamp:
    """What another file, or another content, has otherwise; None where there is none."""
    seen = lstat(path)
    return None if seen is None else (seen.st_mtime_ns, seen.st_ino, seen.st_size)


def save(path: str, text: str, before: Callable[[], None] | None = None) -> None:
    """New content as one step: durable, with the mode of the old, or the old stays."""
    replace(path, text.encode("utf-8"), before=before)


def exclude(place: Place) -> bool:
    """Keep the pen and what belongs to it out of `git status`; no tracked file is touched."""
    if not place.common:
        return False
    stem = place.form.name.removesuffix(".md")
    wanted = [f"/{stem}*.md", f"/{stem}*.jsonl", f"/.{stem.lower()}*", "/.delivery.*"]
    path = real(f"{place.common}/info/exclude")
    known = {line.strip() for line in (read_text(path) or "").splitlines()}
    missing = [line for line in wanted if line not in known]
    if missing:
        make_dirs(parent_of(path))
        append(path, "\n".join(missing) + "\n")
    return bool(missing)
