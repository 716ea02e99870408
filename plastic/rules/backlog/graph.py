"""The dependency graph as boxes and arrows, cycles and stalled parts marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plastic.rules.backlog.items import Item

# mark -> (colour of the box, colour of its border)
COLOURS = {
    "complete": ("#d8f0d8", "#4a8a4a"),
    "ready": ("#ffffff", "#2a6ad0"),
    "held": ("#dbe9ff", "#2a6ad0"),
    "parked": ("#ffe9c7", "#c77d00"),
    "stalled": ("#fff4df", "#c77d00"),
    "cycle": ("#ffd9d9", "#c00000"),
    "invalid": ("#ffd9d9", "#c00000"),
    "missing": ("#eeeeee", "#c00000"),
    "waiting": ("#f4f4f4", "#888888"),
}
# The cause of the reason chain -> its mark; any other cause is drawn as waiting.
MARKS = {
    "": "ready",
    "complete": "complete",
    "parked": "parked",
    "held": "held",
    "quarantined": "held",
    "stalled": "stalled",
    "cycle": "cycle",
    "invalid": "invalid",
    "vocabulary": "invalid",
    "defect": "invalid",
}


class Node(NamedTuple):
    """One box: what stands in it, how it is marked, and the grouping that it stands in."""

    id: str
    title: str
    mark: str
    group: str | None


class Graph(NamedTuple):
    """Boxes and arrows; an arrow goes from the blocker to what waits, True = part of a cycle."""

    nodes: tuple[Node, ...]
    arrows: tuple[tuple[str, str, bool], ...]
    groups: tuple[tuple[str, str], ...]


def graph(items: Iterable[Item], causes: Mapping[str, str], rings: Iterable[str]) -> Graph:
    """What is to be drawn; `causes` has the first cause of each item, `rings` who is in a cycle."""
    known = {item.id: item for item in items}
    inside = set(rings)
    over = {item.part_of or item.integrates for item in known.values()} & set(known)
    groups = sorted(
        {id for id in over if id} | {id for id, one in known.items() if one.kind == "grouping"}
    )
    nodes = [
        Node(
            item.id,
            item.title,
            "cycle" if item.id in inside else MARKS.get(causes.get(item.id, ""), "waiting"),
            item.part_of or item.integrates,
        )
        for item in known.values()
        if item.id not in groups
    ]
    arrows = []
    gone = set()
    for item in known.values():
        for blocker in item.blocked_by:
            arrows.append((blocker, item.id, blocker in inside and item.id in inside))
            if blocker not in known:
                gone.add(blocker)
    nodes += [Node(id, "missing", "missing", None) for id in sorted(gone)]
    return Graph(tuple(nodes), tuple(arrows), tuple((id, known[id].title) for id in groups))


def home(drawn: Graph, node: Node) -> str | None:
    """The grouping whose frame a box stands in, if it is drawn at all."""
    return node.group if node.group in dict(drawn.groups) else None


def label(node: Node) -> str:
    """What stands in a box."""
    mark = "" if node.mark in ("ready", "waiting") else f" ({node.mark})"
    return f"{node.id}{mark} {node.title}"
