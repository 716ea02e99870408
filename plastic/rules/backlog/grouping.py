"""Groupings: members that fan out, one integration item that joins them, one branch for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.backlog.items import Defect
from plastic.words import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.items import Item

PROTECTED = ("main", "master")  # bases that a member never has by itself


class Group(NamedTuple):
    """One grouping as far as its reports need it. Members are without the integration items."""

    id: str
    members: tuple[str, ...]
    closers: tuple[str, ...]
    open_members: int
    closed: bool  # every integration item is complete, and there is one
    unjoined: tuple[str, ...]  # members that the integration item does not wait for


def reports(group: Group) -> list[Defect]:
    """D20 and D21 of one grouping. One without members is still being written."""
    found = []
    if group.members and len(group.closers) != 1:
        text = f"{len(group.closers)} integration items"
        found.append(Defect("D21", group.id, text, group.closers))
    elif group.unjoined:
        text = f"{group.closers[0]} does not wait for {', '.join(group.unjoined)}"
        found.append(Defect("D21", group.id, text, group.unjoined))
    if group.members and not group.open_members and len(group.closers) == 1 and not group.closed:
        text = f"all members complete, {group.closers[0]} is not"
        found.append(Defect("D20", group.id, text, group.closers))
    return found


def unjoined(group: Group) -> bool:
    """Whether the integration item must not be offered: D21 stands."""
    return any(defect.code == "D21" for defect in reports(group))


def check_member(item: Item, grouping: Item | None, closers: Iterable[str]) -> None:
    """Refuses a member that its grouping cannot hold: at authoring, before anything is written."""
    epic = item.part_of or item.integrates
    if epic is None:
        return
    show = f"plastic backlog show {epic}"
    if epic == item.id:
        raise Refused("self-edge", f"{epic} cannot be part of itself", run=show)
    if grouping is None or grouping.state == "missing":
        raise Refused("target-missing", f"there is no grouping {epic}", run="plastic backlog list")
    if grouping.state != "live":
        raise Refused("grouping-closed", f"{epic} is {grouping.state}", run=show)
    others = [one for one in closers if one != item.id]
    if item.integrates and others:
        text = f"{epic} has its integration item already: {others[0]}"
        raise Refused("integration-twice", text, run=f"plastic backlog show {others[0]}")
    if not item.integrates and not others:
        text = f"{epic} has no integration item yet: write that one first, the members after it"
        raise Refused("integration-missing", text, run=show)
    if item.base in PROTECTED:
        text = f"{item.id} is in {epic}: its base is the grouping's branch, not {item.base}"
        raise Refused("base-main", text, run=show)


def check_leaf(grouping: Item, held: Item) -> None:
    """Who holds a research item plans no further research: what it emits is work."""
    if held.phase == "research" and grouping.phase == "research":
        text = f"{held.id}, which you hold, is research: it emits implementation, no research"
        raise Refused("research-leaf", text, run=f"plastic backlog show {held.id}")


class Branch(NamedTuple):
    """How a member's branch and its pull request stand to the grouping's branch."""

    verdict: str  # ok, nit, defect, error
    text: str


def branch(base: str, name: str, pull_base: str | None, ancestor: int) -> Branch:
    """Two invariants count, the name is a convenience. `ancestor` is git's exit code."""
    if ancestor not in (0, 1):
        return Branch("error", f"git cannot compare {base} and {name} ({ancestor})")
    if pull_base is not None and pull_base != base:
        return Branch("defect", f"the pull request goes to {pull_base} instead of {base}")
    if ancestor == 1:
        return Branch("defect", f"{name} does not descend from {base}")
    if name.startswith(f"{base}/") or base.startswith(f"{name}/"):
        return Branch("defect", f"git cannot hold both {base} and {name}")
    if not name.startswith(f"{base}-"):
        return Branch("nit", f"{name} is not named {base}-ITEM")
    return Branch("ok", "")


def conflict(names: Iterable[str], new: str) -> str | None:
    """The branch beside which git cannot hold a new one: a name is a file or a folder, not both."""
    for name in names:
        if name.startswith(f"{new}/") or new.startswith(f"{name}/"):
            return name
    return None


def member_branch(base: str, item: str) -> str:
    """Where a member works: a hyphen, because git cannot hold X and X/y."""
    return f"{base}-{item}"
