"""Reads and writes files: the door for every change that a hook may make, a command as well.

Only this file and disk/tree.py (what commands alone do) change anything on disk. Shared files are
published by rename or link, never truncated in place: a full disk or a kill leaves the old content.
Readers never block: FIFOs, devices and links are refused, reads bounded.
"""

from __future__ import annotations

import posix
import sys
import time

from plastic.disk.paths import parent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from posix import stat_result

LIMIT = 1 << 20  # bytes; every file we read whole is far smaller
PIECE = 16 * 1024  # bytes of a first read: a buffer for the largest file costs more than reading
NOFOLLOW = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
MODE_TYPE = 0o170000
REGULAR = 0o100000
DIRECTORY = 0o040000
SYMLINK = 0o120000
# What a directory fsync may answer on file systems that do not know it.
_NO_DIR_SYNC = ("EINVAL", "ENOTSUP", "EOPNOTSUPP", "EBADF")
# What link() answers where hard links do not exist or are not allowed.
_NO_LINKS = ("EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV", "EIO", "EACCES")
_serial = [0]


def is_regular(seen: stat_result) -> bool:
    """Whether a stat result is a regular file's."""
    return seen.st_mode & MODE_TYPE == REGULAR


def stat(path: str) -> stat_result | None:
    """`stat` of what the path leads to, None when nothing is there."""
    try:
        return posix.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def lstat(path: str) -> stat_result | None:
    """`lstat` of the path itself, None when nothing is there."""
    try:
        return posix.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_dir(path: str) -> bool:
    """Whether the path leads to a directory."""
    try:
        return posix.stat(path).st_mode & MODE_TYPE == DIRECTORY
    except (OSError, ValueError):
        return False


def exists(path: str) -> bool:
    """Whether anything, a dangling link included, has this name."""
    try:
        posix.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def _odd(path: str) -> OSError:
    from errno import EINVAL

    return OSError(EINVAL, "not a regular file", path)


def open_regular(path: str) -> tuple[int, stat_result] | None:
    """A read descriptor on a regular file and its stat; None when nothing is there.

    Raises OSError for a link (ELOOP), a directory, FIFO or device (EINVAL), and missing rights.
    """
    try:
        fd = posix.open(path, NOFOLLOW)
    except (FileNotFoundError, NotADirectoryError):
        return None
    seen = posix.fstat(fd)
    if not is_regular(seen):
        posix.close(fd)
        raise _odd(path)
    return fd, seen


def read_fd(fd: int, limit: int = LIMIT, path: str | None = None) -> bytes:
    """Everything from a descriptor up to `limit` bytes; EFBIG when there is more."""
    data = posix.read(fd, min(PIECE, limit + 1))
    while data and len(data) <= limit:
        more = posix.read(fd, min(max(PIECE, len(data)), limit + 1 - len(data)))
        if not more:
            break
        data += more
    if len(data) > limit:
        from errno import EFBIG

        raise OSError(EFBIG, "file too large", path)
    return data


def read(path: str, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file, None when it is absent; OSError for anything else."""
    opened = open_regular(path)
    if opened is None:
        return None
    try:
        return read_fd(opened[0], limit, path)
    finally:
        posix.close(opened[0])


def read_text(path: str, limit: int = LIMIT) -> str | None:
    """The text of a regular file; bytes that are no UTF-8 survive as surrogates."""
    data = read(path, limit)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def names(directory: str) -> list[str]:
    """The entries of a directory, sorted; empty when it is absent."""
    try:
        return sorted(posix.listdir(directory))
    except (FileNotFoundError, NotADirectoryError):
        return []


def make_dirs(path: str, mode: int = 0o777) -> None:
    """Create a directory and its parents; no error when it is there."""
    try:
        posix.mkdir(path, mode)
    except FileExistsError:
        if not is_dir(path):
            raise
    except FileNotFoundError:
        make_dirs(parent_of(path))
        make_dirs(path, mode)


def _temp(path: str) -> str:
    _serial[0] += 1
    directory, _, name = path.rpartition("/")
    # Starts with `.delivery.` so that the home's .gitignore covers what a kill leaves.
    return f"{directory}/.delivery.{name}.{posix.getpid()}.{time.time_ns()}.{_serial[0]}.tmp"


def write_all(fd: int, data: bytes) -> None:
    """Write to a descriptor of a file until nothing is left."""
    while data:
        data = data[posix.write(fd, data) :]


def _write_temp(path: str, data: bytes, mode: int) -> str:
    temp = _temp(path)
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
    made = False
    try:
        fd = posix.open(temp, flags, mode)
        made = True
        try:
            write_all(fd, data)
            _sync(fd)
        finally:
            posix.close(fd)
    except OSError as error:
        if made:
            posix.unlink(temp)
        error.filename = path  # a full disk or a closed folder is that of this file
        raise
    return temp


def _sync(fd: int) -> None:
    if sys.platform == "darwin":  # fsync(2) does not reach the platter there
        import fcntl

        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        posix.fsync(fd)


def sync_dir(directory: str) -> None:
    """Make the names in a directory, or what a file holds, survive a power loss if that can be."""
    fd = posix.open(directory, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        _sync(fd)
    except OSError as error:
        if name_of(error) not in _NO_DIR_SYNC:
            raise
    finally:
        posix.close(fd)


def replace(
    path: str, data: bytes, mode: int | None = None, before: Callable[[], None] | None = None
) -> None:
    """Give a file new content as one step, keeping its mode; a new inode appears under the name.

    `before` runs when only the rename is left to do; what it raises leaves the file as it was.
    """
    seen = lstat(path)
    if seen is not None and not is_regular(seen):
        raise _odd(path)
    temp = _write_temp(path, data, 0o666 if mode is None else mode)
    try:
        if seen is not None and mode is None:
            posix.chmod(temp, seen.st_mode & 0o7777)
        if before is not None:
            before()
        posix.rename(temp, path)
    except BaseException:
        posix.unlink(temp)
        raise
    sync_dir(parent_of(path))


def publish(path: str, data: bytes, mode: int = 0o666) -> bool:
    """Make a complete file appear under a free name; False when the name is taken.

    `link` gives O_EXCL's exclusivity without its moment of an empty file. Where there are no hard
    links the caller's guard makes look-then-rename safe.
    """
    temp = _write_temp(path, data, mode)
    try:
        try:
            posix.link(temp, path)
        except FileExistsError:
            return False
        except OSError as error:
            # A lost reply (NFS) still made the link: two names on our own temp file prove it.
            if posix.stat(temp).st_nlink != 2:
                if name_of(error) not in _NO_LINKS:
                    raise
                if exists(path):
                    return False
                posix.rename(temp, path)
    finally:
        remove(temp)
    sync_dir(parent_of(path))
    return True


def open_append(path: str) -> int:
    """A descriptor whose writes go to the end, whoever else appends; the file is made."""
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | posix.O_NOFOLLOW | posix.O_CLOEXEC
    return posix.open(path, flags | posix.O_NONBLOCK, 0o666)


def append(path: str, text: str) -> None:
    """Add text as ONE write, so that lines of several writers stay whole.

    A missing final newline (a crashed editor) is completed first; the file is made when absent.
    """
    fd = open_append(path)
    try:
        seen = posix.fstat(fd)
        if not is_regular(seen):
            raise _odd(path)
        size, before = seen.st_size, -1
        # A line across two pages is seen half while it is written. A new time waits for the end of
        # that write (both take the inode's lock): the same size afterwards, and the end is lost.
        while size != before and size and posix.pread(fd, 1, size - 1) != b"\n":
            touch(fd)
            size, before = posix.fstat(fd).st_size, size
        end = b"\n" if size == before else b""
        write_all(fd, end + text.encode("utf-8", "surrogateescape"))
    finally:
        posix.close(fd)


def put(path: str, data: bytes, mode: int = 0o666, *, new: bool = False) -> None:
    """Write a file in place, which nobody reads yet or a kill may spoil; `new` = it must be.

    Neither one step nor durable: it costs an open and a write.
    """
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC
    fd = posix.open(path, flags | (posix.O_EXCL if new else posix.O_TRUNC), mode)
    try:
        write_all(fd, data)
    finally:
        posix.close(fd)


def open_guard(path: str) -> int:
    """A descriptor to lock; the file is made, its content is nobody's business."""
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
    return posix.open(path, flags, 0o666)


def touch(fd: int) -> None:
    """Give an open file the time of now: by descriptor, so that it is the file that was read."""
    posix.utime(fd)


def move(path: str, other: str) -> None:
    """Rename, over what has the other name already."""
    posix.rename(path, other)


def remove(path: str) -> bool:
    """Unlink one name; False when it was not there."""
    try:
        posix.unlink(path)
    except FileNotFoundError:
        return False
    return True


def remove_dir(path: str) -> None:
    """Remove an empty directory; OSError for every other."""
    posix.rmdir(path)


def symlink(target: str, path: str) -> bool:
    """Make a symbolic link; False when the name is taken."""
    try:
        posix.symlink(target, path)
    except FileExistsError:
        return False
    return True


def fs_now(directory: str) -> float:
    """The clock of the file system that holds `directory`, in seconds: a new file's mtime."""
    temp = _write_temp(f"{directory}/now", b"", 0o600)
    try:
        return posix.stat(temp).st_mtime
    finally:
        remove(temp)


def name_of(error: OSError) -> str:
    """The name of an error's number, "" for none: `errno` is loaded by whoever has an error."""
    from errno import errorcode

    return errorcode.get(error.errno or 0, "")


def reason(error: OSError) -> str:
    """An OSError as a few words for people: the errno's name and text, and the file."""
    name = name_of(error)
    where = f": {error.filename}" if isinstance(error.filename, str) else ""
    return f"{error.strerror or error} ({name}){where}" if name else f"{error}"
