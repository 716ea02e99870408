"""Starts a job of ours that may load what a hook may not, and waits for what it says, or not."""

from __future__ import annotations

import posix
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TICK = 0.005  # seconds between two looks at a pipe that is empty
MOST = 64 * 1024  # bytes
# Isolated from the cwd and from PYTHON* variables, as the hook itself is, but with site-packages.
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from importlib import import_module; "
    "sys.exit(import_module(sys.argv[2]).main(sys.argv[3:]))"
)


def start(module: str, words: list[str]) -> tuple[int, int]:
    """Start `module.main(words)` beside us; (process, descriptor of what it says).

    It has a session of its own: a harness that ends the hook's group does not end a commit.
    """
    package = __file__.rpartition("/plastic/")[0]
    argv = [sys.executable, "-E", "-P", "-c", _CODE, package, module, *words]
    mine, theirs = posix.pipe()
    actions = [
        (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
        (posix.POSIX_SPAWN_DUP2, theirs, 1),
        (posix.POSIX_SPAWN_OPEN, 2, "/dev/null", posix.O_WRONLY, 0),
    ]
    try:
        child = _spawned(argv, actions)
    except BaseException:
        posix.close(mine)
        raise
    finally:
        posix.close(theirs)
    return child, mine


def _spawned(argv: list[str], actions: list[Any]) -> int:
    try:
        return posix.posix_spawn(argv[0], argv, posix.environ, file_actions=actions, setsid=True)
    except NotImplementedError:  # an older system: it stays in our group
        return posix.posix_spawn(argv[0], argv, posix.environ, file_actions=actions)


def said(started: tuple[int, int], patience: float) -> bytes:
    """What the job has said when it ended; b"" when that takes longer: it goes on without us."""
    child, fd = started
    end = time.monotonic() + patience
    posix.set_blocking(fd, False)
    found = b""
    try:
        while time.monotonic() < end and len(found) < MOST:
            try:
                piece = posix.read(fd, MOST)
            except BlockingIOError:
                time.sleep(TICK)
                continue
            if not piece:
                _reap(child)
                return found
            found += piece
    finally:
        posix.close(fd)
    return b""


def _reap(child: int) -> None:
    """Its end of the pipe is closed: it is about to be gone."""
    try:
        posix.waitpid(child, 0)
    except OSError:
        pass  # reaped already, where SIGCHLD is ignored
