"""Makes every change of the world that a command makes a failpoint: `effect`, counted as they come.

The interpreter itself announces each of them (audit events), so that a change which nobody gave a
name has its number all the same. Only with PLASTIC_TEST=1.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from plastic.disk.failpoints import point, wants

if TYPE_CHECKING:
    from typing import Any

NAMES = frozenset(
    (
        "os.rename",
        "os.remove",
        "os.mkdir",
        "os.rmdir",
        "os.link",
        "os.symlink",
        "os.utime",
        "os.chmod",
        "os.chown",
        "os.truncate",
        "os.setxattr",
        "os.removexattr",
        "os.posix_spawn",
    )
)
# What an opening that writes has in its flags; this file opens nothing itself.
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# What git only looks with. A kill or an error there leaves nothing behind.
LOOKS = frozenset(
    (
        "rev-parse",
        "rev-list",
        "cat-file",
        "for-each-ref",
        "show-ref",
        "log",
        "ls-files",
        "ls-tree",
        "ls-remote",
        "diff",
        "diff-tree",
        "diff-index",
        "diff-files",
        "status",
        "merge-base",
        "check-ref-format",
        "check-attr",
        "check-ignore",
        "var",
        "version",
        "show",
        "name-rev",
    )
)
_watching: list[bool] = []


def watch() -> None:
    """Let the effects of this process pass their failpoint, where a test wants one of them."""
    if wants("effect") and not _watching:
        _watching.append(True)
        sys.addaudithook(_pass)


def _pass(event: str, args: tuple[Any, ...]) -> None:
    if named(event, args) is not None:
        point("effect")


def named(event: str, args: tuple[Any, ...]) -> str | None:
    """A few words for an effect; None for an event that changes nothing."""
    if event in NAMES:
        return f"{event} {args[0]!r}"
    if event == "open":
        return _opened(*args)
    if event == "subprocess.Popen":
        return _started(list(map(os.fsdecode, args[1])))
    if event == "ctypes.dlsym" and args[1] == "renameat2":
        return "exchange of two names"
    return None


def _opened(path: object, _: object, flags: int) -> str | None:
    if not isinstance(path, str | bytes) or not flags & WRITING:
        return None
    text = os.fsdecode(path)
    if text.startswith("/dev/") or "__pycache__" in text:
        return None
    return f"open {text}"


def _started(argv: list[str]) -> str | None:
    if "-C" not in argv:
        return None if argv[-1] == "version" else f"start {argv}"
    verb = argv[argv.index("-C") + 2]
    return None if verb in LOOKS else f"start {argv[argv.index('-C') + 2 :]}"
