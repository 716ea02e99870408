"""Values that depend on the way a text has taken, kept together as worlds."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Value = str | tuple[str, ...]
    World = dict[str, Value]
    Directories = tuple[str | None, ...]
    Get = Callable[[str], Value | None]

# Two ways of the text may leave the shell in different directories; more than this is unknown.
_MOST = 4
# Each statement about a variable is walked once for every world.
_MOST_WORLDS = 8


def either(one: Directories, other: Directories) -> Directories:
    """The directories of both; too many = unknown."""
    if one == other:
        return one
    both = one + tuple(here for here in other if here not in one)
    return both if len(both) <= _MOST else (None,)


def merged(
    get: Get, worlds: tuple[World, ...], other: Get, others: tuple[World, ...], differ: list[str]
) -> tuple[World, tuple[World, ...]]:
    """What is known of the names that differ, and the worlds of both ways.

    Too many worlds = nothing is known of the names that differ now, or else of any.
    """
    old = list(dict.fromkeys(name for world in (*worlds, *others) for name in world))
    for names in ([*old, *(name for name in differ if name not in old)], old):
        found = [_of(get, world, names) for world in worlds or ({},)]
        found += [_of(other, world, names) for world in others or ({},)]
        known, left = common(found)
        if len(left) <= _MOST_WORLDS:
            return {**dict.fromkeys([*old, *differ], ANY), **known}, left
    return dict.fromkeys([*old, *differ], ANY), ()


def _of(get: Get, world: World, names: list[str]) -> World:
    found: World = {}
    for name in names:
        value = world[name] if name in world else get(name)
        found[name] = ANY if value is None else value
    return found


def common(worlds: Iterable[World]) -> tuple[World, tuple[World, ...]]:
    """What all worlds agree on, and what is left of them, each once."""
    every = list(worlds)
    first = every[0] if every else {}
    known = {name: first[name] for name in first if all(one[name] == first[name] for one in every)}
    left: list[World] = []
    for one in every:
        rest = {name: one[name] for name in one if name not in known}
        if rest and rest not in left:
            left.append(rest)
    return known, tuple(left)


def without(worlds: tuple[World, ...], name: str) -> list[World]:
    """The worlds of the other variables."""
    return [{key: one[key] for key in one if key != name} for one in worlds]


def speaks(node: object, names: World) -> bool:
    """Whether a part of a tree may use one of these variables."""
    if isinstance(node, str):
        return any(name in node for name in names)
    if isinstance(node, dict):
        return any(speaks(node[key], names) for key in node)
    return isinstance(node, list) and any(speaks(one, names) for one in node)
