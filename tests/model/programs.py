"""The step lists of our commands, and of the ways that look right and are not."""

from __future__ import annotations

from tests.model.machine import Lock, Process, Program, World, end, put

# -- steps that ours and the wrong ones share ---------------------------------------------------


def take_guard(world: World, me: Process) -> World | None:
    """Wait for the guard."""
    return None if world.guard else put(world._replace(guard=me.name), me)


def try_guard(world: World, me: Process) -> World | None:
    """The hook's way: busy means skipped."""
    return end(world, me) if world.guard else put(world._replace(guard=me.name), me)


def free_guard(world: World, me: Process) -> World | None:
    return put(world._replace(guard=""), me)


def look(world: World, me: Process) -> World | None:
    return put(world, me, saw=world.lock)


def must_be_absent(world: World, me: Process) -> World | None:
    """Look; a lock that is there is refused."""
    return put(world, me, saw=None) if world.lock is None else end(world, me)


def must_be_stale(world: World, me: Process) -> World | None:
    """Look; only a stale lock may be taken over."""
    if world.lock is None or world.lock.fresh:
        return end(world, me)
    return put(world, me, saw=world.lock)


def count(world: World, me: Process) -> World | None:
    """The counter, before the lock: max + 1."""
    known = me.saw.token if me.saw is not None else 0
    token = max(world.counter, world.fence, known) + 1
    return put(world._replace(counter=token), me, token=token)


def fence(world: World, me: Process) -> World | None:
    return put(world._replace(fence=me.token), me)


def _made(world: World, me: Process) -> tuple[World, Lock]:
    lock = Lock(me.name, world.next_acq, me.token, fresh=True)
    issued = (*world.issued, me.token) if me.token else world.issued
    return world._replace(lock=lock, next_acq=world.next_acq + 1, issued=issued), lock


def publish(world: World, me: Process) -> World | None:
    """link(): fails when the name is taken."""
    if world.lock is not None:
        return end(world, me)
    after, lock = _made(world, me)
    return put(after, me, mine=lock.acq)


def replace(world: World, me: Process) -> World | None:
    """rename() over the lock: a new inode, whatever was there."""
    after, lock = _made(world, me)
    return put(after, me, mine=lock.acq)


def must_be_mine(world: World, me: Process) -> World | None:
    if world.lock is None or world.lock.acq != me.mine:
        return end(world, me, mine=0)
    return put(world, me, saw=world.lock)


def unlink(world: World, me: Process) -> World | None:
    return put(world._replace(lock=None), me)


def believe_nothing(world: World, me: Process) -> World | None:
    return put(world, me, mine=0)


def touch_what_i_opened(world: World, me: Process) -> World | None:
    """utime(fd): reaches only the inode that was opened, gone or not."""
    if world.lock is None or me.saw is None or world.lock.acq != me.saw.acq:
        return put(world, me)
    return put(world._replace(lock=world.lock._replace(fresh=True)), me)


def look_again(world: World, me: Process) -> World | None:
    """Report success, and be an owner again, only for the acquisition that was opened."""
    if world.lock is None or me.saw is None or world.lock.acq != me.saw.acq:
        return end(world, me, mine=0)
    return put(world, me, lapsed=False)


def touch_by_path(world: World, me: Process) -> World | None:
    """utime(path): refreshes whoever is there now, and says that all is well."""
    if world.lock is None:
        return put(world._replace(broken="a beat made a file"), me)
    if me.saw is None or world.lock.acq != me.saw.acq:
        wrong = f"{me.name} refreshed the lock of {world.lock.owner} and reported success"
        return put(world._replace(broken=wrong), me)
    return put(world._replace(lock=world.lock._replace(fresh=True)), me, lapsed=False)


def rename_aside(world: World, me: Process) -> World | None:
    """rename(lock, unique): one of many gets it."""
    if world.lock is None:
        return end(world, me)
    return put(world._replace(lock=None), me, aside=world.lock)


def verify_aside(world: World, me: Process) -> World | None:
    """Put it back when it is not the stale one that was seen; the name may be taken by now."""
    if me.aside is not None and me.aside.fresh:
        return end(world._replace(lock=me.aside), me)
    return put(world, me)


# -- ours ---------------------------------------------------------------------------------------

ACQUIRE: Program = (take_guard, must_be_absent, count, fence, publish, free_guard)
TAKEOVER: Program = (take_guard, must_be_stale, count, fence, replace, free_guard)
RELEASE: Program = (take_guard, must_be_mine, unlink, believe_nothing, free_guard)
UNGUARDED_BEAT: Program = (must_be_mine, touch_what_i_opened, look_again)
BEAT: Program = (try_guard, must_be_mine, touch_what_i_opened, look_again, free_guard)

# -- known to be wrong --------------------------------------------------------------------------

WRONG_TAKEOVERS: dict[str, Program] = {
    "A: stat, unlink, create": (must_be_stale, count, unlink, publish),
    "B: rename aside, create": (must_be_stale, count, rename_aside, publish),
    "C: overwrite by rename": (must_be_stale, count, replace),
    "D: guarded, but decided before": (must_be_stale, take_guard, count, replace, free_guard),
    "E: rename, verify, put back": (must_be_stale, count, rename_aside, verify_aside, publish),
}
WRONG_RELEASE: Program = (must_be_mine, unlink, believe_nothing)
WRONG_BEAT: Program = (must_be_mine, touch_by_path)
WRONG_ACQUIRE: Program = (must_be_absent, count, replace)


def _count_last(world: World, me: Process) -> World | None:
    return put(world._replace(counter=me.token), me)


def _next_number(world: World, me: Process) -> World | None:
    return put(world, me, token=world.counter + 1)


LATE_COUNTER: Program = (
    take_guard,
    must_be_absent,
    _next_number,
    publish,
    _count_last,
    free_guard,
)


def come_back_as_a(world: World, me: Process) -> World | None:
    """The session of a killed command A runs the next one: the lock that it made is its own."""
    if world.lock is None or world.lock.owner != "A":
        return end(world, me)
    return put(world, me, mine=world.lock.acq)
