"""What a blocker says about what waits for it: one table for authors, reports and parks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.items import Item

# Ranks: the class of a dependent is the highest of its edges.
SATISFIED, WAITING, STALLED, INVALID = range(4)
CLASSES = ("satisfied", "waiting", "stalled", "invalid")


class Row(NamedTuple):
    """One observation of a target: a new edge to it, the worth of an old one, the report."""

    seen: str
    when: str
    author: str  # allow or reject a new edge
    rank: int
    report: str
    names: str


TABLE = {
    row.seen: row
    for row in (
        Row("missing", "there is no such item", "reject", INVALID, "D8", "dependent, blocker"),
        Row(
            "invalid",
            "its state is unknown, or it has several",
            "reject",
            INVALID,
            "D9",
            "dependent, blocker, values",
        ),
        Row("parked", "parked", "reject", STALLED, "D10", "both, ruling owner, question, where"),
        Row("live", "live, held or not", "allow", WAITING, "", "dependent, blocker"),
        Row(
            "unmerged",
            "complete, but its pull request is known to be unmerged",
            "allow",
            WAITING,
            "D14",
            "dependent, blocker, pull request",
        ),
        Row(
            "open-grouping",
            "a grouping whose integration item is not complete",
            "allow",
            WAITING,
            "",
            "grouping, integration item",
        ),
        Row(
            "complete",
            "complete; of a grouping: its integration item is",
            "allow",
            SATISFIED,
            "",
            "",
        ),
    )
}


def unmerged(item: Item) -> bool:
    """Complete in words only: its pull request is known not to be merged."""
    known = item.pull is not None and item.pull_state != ""
    return item.state == "complete" and known and item.pull_state != "merged"


def observe(
    state: str, *, pull_state: str = "", container: bool = False, closed: bool = False
) -> str:
    """The one row of the table that fits; `closed`: the grouping's integration item is complete."""
    if state in ("missing", "invalid", "parked"):
        return state
    if container:
        return "complete" if closed else "open-grouping"
    if state == "complete":
        return "unmerged" if pull_state not in ("", "merged") else "complete"
    return "live"


def rank(seen: str) -> int:
    """What an edge to a target observed so is worth."""
    return TABLE[seen].rank


def worst(ranks: Iterable[int]) -> int:
    """The class of a dependent: no blockers is satisfied."""
    return max(ranks, default=SATISFIED)


def rejected(seen: dict[str, str]) -> list[str]:
    """Of proposed targets and their observations those that refuse the whole write."""
    return [target for target, what in seen.items() if TABLE[what].author == "reject"]
