"""Cycles of a graph: the path that a new edge would close, and the rings that an import brought."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


Node = TypeVar("Node", bound=Hashable)


def path(start: Node, goal: Node, onward: Callable[[Node], Iterable[Node]]) -> list[Node] | None:
    """A way from start to goal along `onward`, both ends named; None when there is none."""
    came: dict[Node, Node] = {start: start}
    stack = [start]
    while stack:
        here = stack.pop()
        for there in onward(here):
            if there == goal:
                way = [there, here]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if there not in came:
                came[there] = here
                stack.append(there)
    return None


def rings(graph: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Every node that lies in a cycle, with one path from it back to itself."""
    inside = members(graph)
    within = {node: [one for one in graph[node] if one in inside] for node in inside}
    return {node: path(node, node, within.__getitem__) or [node] for node in sorted(inside)}


def members(graph: Mapping[str, Iterable[str]]) -> set[str]:
    """Every node that lies in a cycle (Tarjan, without recursion: chains may be long)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    inside: set[str] = set()
    pile: list[str] = []
    found: set[str] = set()
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        pile.append(root)
        inside.add(root)
        while work:
            node, edges = work[-1]
            step = next((one for one in edges if one in graph), None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found |= _part(node, graph, pile, inside)
            elif step not in index:
                index[step] = low[step] = len(index)
                pile.append(step)
                inside.add(step)
                work.append((step, iter(graph[step])))
            elif step in inside:
                low[node] = min(low[node], index[step])
    return found


def _part(
    node: str, graph: Mapping[str, Iterable[str]], pile: list[str], inside: set[str]
) -> set[str]:
    """The strongly connected part that ends here, empty when it is one node without a loop."""
    part = set()
    while True:
        one = pile.pop()
        inside.discard(one)
        part.add(one)
        if one == node:
            break
    return part if len(part) > 1 or node in graph[node] else set()
