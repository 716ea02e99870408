"""Who is left of a child that has ended: the living processes of its group."""

from __future__ import annotations

from plastic.disk.files import names, read
from plastic.disk.process import run
from plastic.disk.relay.processes import is_group_alive, parsed


def has_members(group: int) -> bool:
    """Whether a process of this group runs; one that only waits to be buried does not."""
    if not is_group_alive(group):
        return False
    pids = [name for name in names("/proc") if name.isdigit()]
    if not pids:
        rows = run(["ps", "-axo", "pgid=,stat="], "/").out.split("\n")
        found = [row.split() for row in rows if row.strip()]
        return any(int(of) == group and state[0] != "Z" for of, state in found)
    return any(_group_of(pid) == group for pid in pids)


def _group_of(pid: str) -> int:
    """The group that /proc names; 0 of a process that has ended."""
    try:
        line = (read(f"/proc/{pid}/stat") or b"").decode("utf-8", "replace")
    except OSError:
        return 0
    return int(line.rpartition(")")[2].split()[2]) if parsed(line) else 0
