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
    """One open pull request: its number, and the items that its text names."""

    number: int
    items: tuple[str, ...] = ()


def drifted(item: Item, tips: Mapping[str, str]) -> list[tuple[str, str]]:
    """D12: paths whose blob at the base's tip is another, or none; never read what is unknown.

    `tips` has the paths that were looked up; "" is a path that is not there.
    """
    found = []
    for path, blob in item.anchors:
        now = tips.get(path, blob)
        if path in tips and (now != blob or not now):
            found.append((path, "moved" if now else "gone"))
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
        if ids.isdisjoint(pull.items) and pull.number not in numbers
    ]
