"""Has this very call been seen before? Its side effects must happen once, its judgement always."""

from __future__ import annotations

import posix
import time

from plastic.disk.files import exists, is_regular, make_dirs, move, open_append, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home

_PRIME = (1 << 127) - 1  # a remainder by it is a digest that needs no module
TAIL = 64 * 1024  # bytes, some eight hundred calls: a harness repeats a call within seconds


def first(home: Home, key: str, within: float | None = None) -> bool:
    """True for the first caller with this key; True as well when nothing can be kept.

    `within` = only callers of so many seconds ago count. Two hooks of one call may run at once:
    each appends its line and then looks whose line with this key comes first. Appends have an
    order, and one is cheaper than making a file.
    """
    data = b"\1" + key.encode("utf-8", "surrogatepass")
    digest = f"{int.from_bytes(data, 'big') % _PRIME:032x}".encode()
    now = time.time_ns()
    line = digest + f" {posix.getpid()} {now}\n".encode()
    oldest = 0 if within is None else now - int(within * 1e9)
    try:
        fd = _opened(home)
        try:
            return _is_first(fd, f"{home.run}/said", digest, line, oldest)
        finally:
            posix.close(fd)
    except OSError:
        return True


def _opened(home: Home) -> int:
    path = f"{home.run}/said"
    try:
        return open_append(path)
    except FileNotFoundError:
        if not exists(home.root):
            raise
        make_dirs(home.run)
        return open_append(path)


def _is_first(fd: int, path: str, digest: bytes, line: bytes, oldest: int) -> bool:
    seen = posix.fstat(fd)
    if not is_regular(seen):
        return True
    write_all(fd, line)
    size = posix.fstat(fd).st_size
    tail = posix.pread(fd, TAIL, max(0, size - TAIL))
    if size > 4 * TAIL:
        move(path, f"{path}.old")
    at = tail.find(digest)
    while at >= 0 and not tail.startswith(line, at):
        if _time(tail, at) >= oldest:
            return False
        at = tail.find(digest, at + 1)
    return True


def _time(tail: bytes, at: int) -> int:
    """When the line that begins there was written."""
    parts = tail[at : tail.find(b"\n", at)].split(b" ")
    return int(parts[2]) if len(parts) == 3 and parts[2].isdigit() else 0
