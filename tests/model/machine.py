"""Every interleaving of a few processes that change one lock, a crash allowed at every step.

A program is a list of steps; one step is one effect that others can see. The machine explores
all schedules (states are remembered, so that equal ones are visited once) and reports every state
in which one of the promises is broken:

* two processes believe that they hold the lock;
* a lock whose lease is alive is taken away from its holder;
* a token is issued twice;
* a beat that reports success has refreshed somebody else's lock, or made a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Lock(NamedTuple):
    """The file under the lock's name: whose, which acquisition, which token, is it alive."""

    owner: str
    acq: int
    token: int
    fresh: bool


class Process(NamedTuple):
    """One process: where it is, what it has seen, what it believes."""

    name: str
    at: int
    saw: Lock | None
    mine: int  # the acquisition it believes to hold, 0 for none
    token: int
    ended: bool
    lapsed: bool = False  # its lease had run out: until a beat succeeds it is no owner
    aside: Lock | None = None  # what variant E has renamed away


class World(NamedTuple):
    """Everything shared, and every process."""

    lock: Lock | None
    guard: str
    counter: int
    fence: int
    next_acq: int
    issued: tuple[int, ...]
    broken: str
    processes: tuple[Process, ...]


# A step gives the next world, or None when it has to wait.
Step = "Callable[[World, Process], World | None]"
Program = tuple["Callable[[World, Process], World | None]", ...]


def put(world: World, process: Process, **changes: object) -> World:
    """The world with this process changed and one step further."""
    changes.setdefault("at", process.at + 1)
    changed = process._replace(**changes)  # type: ignore[arg-type]
    return world._replace(
        processes=tuple(changed if one.name == process.name else one for one in world.processes)
    )


def end(world: World, process: Process, **changes: object) -> World:
    """The process is through; it gives the guard free as the kernel would."""
    guard = "" if world.guard == process.name else world.guard
    return put(world._replace(guard=guard), process, ended=True, **changes)


def judged(before: World, after: World, actor: str) -> World:
    """The world after a step of `actor`, with the first promise that it breaks written down."""
    if after.broken:
        return after
    believers = [one.name for one in after.processes if one.mine and not one.lapsed]
    if len(believers) > 1:
        return after._replace(broken=f"two owners: {' and '.join(believers)}")
    if len(set(after.issued)) != len(after.issued):
        return after._replace(broken=f"token {after.issued[-1]} was issued twice")
    lost = before.lock
    if lost is not None and lost.fresh and (after.lock is None or after.lock.acq != lost.acq):
        holder = next((one for one in after.processes if one.mine == lost.acq), None)
        if holder is not None and holder.name != actor:
            return after._replace(broken=f"the live lock of {holder.name} was taken away")
    return after


def explore(world: World, programs: dict[str, Program], *, crashes: bool) -> tuple[int, set[str]]:
    """How many states there are, and every promise that some schedule breaks."""
    seen = {world}
    todo = [world]
    found: set[str] = set()
    while todo:
        here = todo.pop()
        for actor, moved in _next(here, programs, crashes=crashes):
            after = judged(here, moved, actor)
            if after.broken:
                found.add(after.broken)
            elif after not in seen:
                seen.add(after)
                todo.append(after)
    return len(seen), found


def _next(world: World, programs: dict[str, Program], *, crashes: bool) -> list[tuple[str, World]]:
    found = []
    for process in world.processes:
        if process.ended:
            continue
        program = programs[process.name]
        step = program[process.at] if process.at < len(program) else end
        after = step(world, process)
        if after is not None:
            found.append((process.name, after))
        if crashes:
            # kill -9: the guard is free, files stay, and nobody believes anything.
            found.append((process.name, end(world, process, mine=0)))
    return found
