"""GitHub issues as items; their numbers are the ids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.divergence import Issue, Pull, mirrored, orphans
from plastic.rules.backlog.importing import Defaults, Skipped
from plastic.rules.backlog.items import PRIORITIES, Defect, Item

if TYPE_CHECKING:
    from collections.abc import Iterable

GATE = "needs-specification"
PARKED = "stale"
_WAITS = re.compile(r"(?im)^[\s>*-]*(?:blocked by|depends on)\b:?(.*)$")
_NUMBER = re.compile(r"(?<![\w/])#(\d+)\b")


def read(found: Iterable[dict[str, Any]], given: Defaults) -> tuple[list[Item], list[Skipped]]:
    """The items; pull requests come with issues from the API and are none."""
    items, skipped = [], []
    for one in found:
        number = one.get("number")
        if not isinstance(number, int):
            skipped.append(Skipped("?", "it has no number"))
        elif one.get("pull_request"):
            skipped.append(Skipped(f"issue-{number}", "a pull request"))
        else:
            items.append(_item(f"issue-{number}", one, given))
    return items, skipped


def differs(found: Iterable[dict[str, Any]], known: Iterable[Item]) -> list[Defect]:
    """D24 to D26: where issues and pull requests say another thing than the items."""
    items = list(known)
    issues, pulls = {}, []
    for one in found:
        is_open = str(one.get("state", "")).lower() == "open"
        if one.get("pull_request") is None:
            labels = [_name(label) for label in one.get("labels") or ()]
            issues[f"issue-{one.get('number')}"] = Issue(is_open, PARKED in labels)
        elif is_open and isinstance(one.get("number"), int):
            named = _NUMBER.findall(f"{one.get('title') or ''} {one.get('body') or ''}")
            pulls.append(Pull(one["number"], tuple(f"issue-{number}" for number in named)))
    return mirrored(items, issues) + orphans(items, pulls)


def _item(id: str, one: dict[str, Any], given: Defaults) -> Item:
    labels = [_name(label) for label in one.get("labels") or ()]
    body = str(one.get("body") or "")
    defects: list[Defect] = []
    waits = [f"issue-{n}" for line in _WAITS.findall(body) for n in _NUMBER.findall(line)]
    parent = one.get("parent")
    over = parent.get("number") if isinstance(parent, dict) else None
    return Item(
        id,
        str(one.get("title", "")),
        body,
        author=_name(one.get("author") or one.get("user") or ""),
        provenance=str(one.get("url") or one.get("html_url") or f"github {id}"),
        priority=_priority(id, labels, given, defects),
        phase=given.phase,
        region=given.region,
        base=given.base,
        state=_state(id, one, defects),
        admission="gated" if GATE in labels else "admitted",
        part_of=f"issue-{over}" if over else None,
        blocked_by=tuple(dict.fromkeys(waits)),
        defects=tuple(defects),
        tags=tuple(labels),
    )


def _name(label: object) -> str:
    if isinstance(label, dict):
        return str(label.get("name") or label.get("login") or "")
    return str(label)


def _state(id: str, one: dict[str, Any], defects: list[Defect]) -> str:
    """Closed as done is complete; closed as not planned satisfies nobody."""
    state = str(one.get("state", "")).lower()
    why = str(one.get("stateReason") or one.get("state_reason") or "").lower()
    if state == "open":
        return "live"
    if state == "closed" and why in ("", "completed"):
        return "complete"
    defects.append(Defect("D5", id, f"state: {why or state or 'empty'}"))
    return "invalid"


def _priority(id: str, labels: list[str], given: Defaults, defects: list[Defect]) -> str | None:
    values = [label.rpartition(":")[2].strip().upper() for label in labels]
    named = [value for value in dict.fromkeys(values) if value in PRIORITIES]
    if len(named) > 1:
        defects.append(Defect("D2", id, f"priority: {' and '.join(named)}"))
        return None
    return named[0] if named else given.priority
