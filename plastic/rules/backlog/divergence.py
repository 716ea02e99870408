"""Where the backlog and the world beside it differ: anchors, issues, labels, pull requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.backlog.items import Defect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plastic.rules.backlog.items import Item


class Issue(NamedTuple):
    """What a mirror says of one item."""

    open: bool
    stale: bool = False  # the label of a park


class Pull(NamedTuple):
    """One open pull request: its number, and the item that it says it is for."""

    number: int
    item: str = ""


def drifted(item: Item, tips: Mapping[str, str | None]) -> list[Defect]:
    """D12: paths whose blob at the base's tip is another, or none; never read what is unknown.

    `tips` has the paths that were looked up; None is a path that is not there.
    """
    moved = [
        path
        for path, blob in item.anchors
        if path in tips and tips[path] is not None and tips[path] != blob
    ]
    gone = [path for path, _ in item.anchors if path in tips and tips[path] is None]
    found = []
    if moved:
        found.append(Defect("D12", item.id, f"moved: {', '.join(moved)}", tuple(moved)))
    if gone:
        found.append(Defect("D12", item.id, f"not there: {', '.join(gone)}", tuple(gone)))
    return found


def mirrored(items: Iterable[Item], issues: Mapping[str, Issue]) -> list[Defect]:
    """D24 and D25: both sides are quoted, nothing is changed."""
    found = []
    for item in items:
        issue = issues.get(item.id)
        if issue is None:
            continue
        if issue.stale != (item.state == "parked"):
            half = "the label without the park" if issue.stale else "the park without the label"
            found.append(Defect("D24", item.id, half))
        if issue.open == (item.state == "complete"):
            says = "open" if issue.open else "closed"
            found.append(Defect("D25", item.id, f"the item is {item.state}, its issue is {says}"))
    return found


def orphans(items: Iterable[Item], pulls: Iterable[Pull]) -> list[Defect]:
    """D26: open pull requests that belong to no item."""
    known = list(items)
    ids = {item.id for item in known}
    numbers = {item.pull for item in known}
    return [
        Defect("D26", "", f"pull request {pull.number} has no item")
        for pull in pulls
        if pull.item not in ids and pull.number not in numbers
    ]
