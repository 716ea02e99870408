"""Has this very call been seen before? Its side effects must happen once, its judgement always."""

from __future__ import annotations

import posix
import time

from plastic.disk.files import make_dirs, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home

_PRIME = (1 << 127) - 1  # a remainder by it is a digest that needs no module


def first(home: Home, key: str) -> bool:
    """True for the first caller with this key today; True as well when nothing can be kept."""
    digest = int.from_bytes(b"\1" + key.encode("utf-8", "surrogatepass"), "big") % _PRIME
    root = f"{home.run}/seen"
    moment = time.gmtime()
    today = f"{moment.tm_year:04d}{moment.tm_mon:02d}{moment.tm_mday:02d}"
    path = f"{root}/{today}/{digest:032x}"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC
    try:
        try:
            posix.close(posix.open(path, flags, 0o666))
        except FileNotFoundError:
            _forget(root, today)
            make_dirs(f"{root}/{today}")
            posix.close(posix.open(path, flags, 0o666))
    except FileExistsError:
        return False
    except OSError:
        pass
    return True


def _forget(root: str, today: str) -> None:
    """Drop the days before: a harness repeats a call within seconds."""
    for day in names(root):
        if day != today:
            try:
                for name in names(f"{root}/{day}"):
                    posix.unlink(f"{root}/{day}/{name}")
                posix.rmdir(f"{root}/{day}")
            except OSError:
                pass
