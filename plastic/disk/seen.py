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


def first(home: Home, key: str) -> bool:
    """True for the first caller with this key; True as well when nothing can be kept.

    Two hooks of one call may run at once. Each appends its line and then looks whose line with
    this key comes first: appends have an order, and one is cheaper than making a file.
    """
    data = b"\1" + key.encode("utf-8", "surrogatepass")
    digest = f"{int.from_bytes(data, 'big') % _PRIME:032x}".encode()
    line = digest + f" {posix.getpid()} {time.time_ns()}\n".encode()
    try:
        fd = _opened(home)
        try:
            return _is_first(fd, f"{home.run}/said", digest, line)
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


def _is_first(fd: int, path: str, digest: bytes, line: bytes) -> bool:
    seen = posix.fstat(fd)
    if not is_regular(seen):
        return True
    write_all(fd, line)
    size = posix.fstat(fd).st_size
    tail = posix.pread(fd, TAIL, max(0, size - TAIL))
    if size > 4 * TAIL:
        move(path, f"{path}.old")
    at = tail.find(digest)
    return at < 0 or tail.startswith(line, at)
