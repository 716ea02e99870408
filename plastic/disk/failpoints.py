"""Places where a test can kill a command or make it fail; without PLASTIC_TEST=1 they do nothing.

`PLASTIC_FAILPOINT=name[:n][:kill|raise|errno=X]` acts when `name` is passed for the n-th time.
The name `effect` is passed before every change of the world: see disk/effects.py.
"""

from __future__ import annotations

import errno
import os
import signal

# Every point of the product, in the order of each command; a test compares this with the calls.
NAMES: tuple[str, ...] = (
    "init.repository",
    "init.home",
    "init.store",
    "init.registered",
    "init.committed",
    "new.reserved",
    "new.born",
    "new.file",
    "new.placeholders",
    "new.index",
    "new.savepoint",
    "new.committed",
    "lock.linked",
    "lock.counted",
    "lock.fenced",
    "lock.published",
    "fix.set_aside",
    "item.claimed",
    "item.armed",
    "item.bound",
    "item.named",
    "start.armed",
    "provision.begun",
    "provision.branch",
    "provision.added",
    "fence.told",
    "fence.followed",
    "fence.placed",
    "fence.locked",
    "fence.included",
    "provision.checked_out",
    "provision.copied",
    "provision.set_up",
    "start.recorded",
    "start.bridged",
    "start.indexed",
    "start.savepoint",
    "start.committed",
    "reclaim.salvaged",
    "reclaim.counted",
    "reclaim.fenced",
    "reclaim.audited",
    "reclaim.replaced",
    "reclaim.claims",
    "transfer.counted",
    "transfer.fenced",
    "transfer.audited",
    "transfer.replaced",
    "transfer.claims",
    "end.salvaged",
    "end.noted",
    "end.merged",
    "end.published",
    "end.followed_up",
    "end.stamped",
    "end.indexed",
    "end.recorded",
    "end.committed",
    "item.ended",
    "end.buried",
    "end.branch",
    "end.unlocked",
    "end.bridged",
    "end.told",
    "end.forgotten",
    "item.released",
    "release.claims",
    "release.unlocked",
    "release.unlinked",
    "trash.recorded",
    "trash.moved",
    "trash.detached",
    "trash.unregistered",
    "fence.excluded",
    "prune.kept",
    "prune.branch",
    "salvage.branch",
    "salvage.added",
    "maintain.worktree",
    "maintain.staged",
    "maintain.committed",
    "maintain.written",
    "maintain.merged",
    "maintain.removed",
    "publish.locked",
    "publish.checked",
    "publish.moved",
    "publish.written",
    "publish.indexed",
    "publish.unlocked",
    "pen.locked",
    "pen.made",
    "pen.written",
    "pen.recorded",
    "pen.archived",
    "pen.kept",
    "pen.integrating",
    "pen.integrated",
    "effect",
    "relay.happened",
    "relay.noted",
    "relay.saved",
    "relay.effect",
    "relay.spawning",
    "relay.spawned",
)
_passed: dict[str, int] = {}


def wants(name: str) -> bool:
    """Whether a test asks for a fault at this point."""
    return (
        os.environ.get("PLASTIC_TEST") == "1"
        and os.environ.get("PLASTIC_FAILPOINT", "").partition(":")[0] == name
    )


def point(name: str) -> None:
    """Act out the fault that the environment asks for at this point, if any."""
    if not wants(name):
        return
    wanted = os.environ["PLASTIC_FAILPOINT"].split(":")
    _passed[name] = _passed.get(name, 0) + 1
    turn = next((int(part) for part in wanted[1:] if part.isdigit()), 1)
    if _passed[name] != turn:
        return
    action = next((part for part in wanted[1:] if part and not part.isdigit()), "kill")
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if action.startswith("errno="):
        number = int(getattr(errno, action[6:]))
        raise OSError(number, os.strerror(number))
    raise RuntimeError(f"failpoint {name}")
