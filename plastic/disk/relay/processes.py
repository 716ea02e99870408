"""Tells a process from a later one that got the same number."""

from __future__ import annotations

import os
import signal

from plastic.disk.files import read
from plastic.disk.process import run

_BOOT = "/proc/sys/kernel/random/boot_id"


def boot() -> str:
    """Which start of the machine this is; "" where the system does not say."""
    try:
        return (read(_BOOT) or b"").decode().strip()
    except OSError:
        return ""


def identity(pid: int) -> str:
    """What no later process of this number has; "" = it has ended."""
    try:
        data = read(f"/proc/{pid}/stat")
    except OSError:
        data = None
    if data is not None:
        return parsed(data.decode("utf-8", "replace"))
    if os.path.exists("/proc/self/stat"):
        return ""
    return run(["ps", "-o", "lstart=", "-p", str(pid)], "/").out.strip()


def parsed(line: str) -> str:
    """The same from a line of /proc/PID/stat, or of what `ps` said; "" of one that is a zombie."""
    head, mark, rest = line.rpartition(")")
    fields = rest.split()
    if not mark:
        return head.strip() or rest.strip()
    return "" if len(fields) < 20 or fields[0] in "ZX" else fields[19]


def is_group_alive(group: int) -> bool:
    """Whether a process of this group is there. Only for groups that cannot be others' by now."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end_group(group: int, *, now: bool) -> None:
    """Ask a group to end, or kill it."""
    try:
        os.killpg(group, signal.SIGKILL if now else signal.SIGTERM)
    except (ProcessLookupError, PermissionError):
        pass
