"""Beads issues as items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.importing import Defaults, Skipped, texts
from plastic.rules.backlog.items import PRIORITIES, Defect, Item

if TYPE_CHECKING:
    from collections.abc import Iterable

STATES = {"open": "live", "in_progress": "live", "blocked": "live", "closed": "complete"}
# Beads has one step more below its default.
LOWEST = len(PRIORITIES) - 1


def read(found: Iterable[dict[str, Any]], given: Defaults) -> tuple[list[Item], list[Skipped]]:
    """The items, and what was deleted over there."""
    items, skipped = [], []
    for one in found:
        id = str(one.get("id", ""))
        if not id or one.get("status") == "tombstone":
            skipped.append(Skipped(id or "?", "deleted" if id else "it has no id"))
            continue
        items.append(_item(id, one, given))
    return items, skipped


def _item(id: str, one: dict[str, Any], given: Defaults) -> Item:
    edges: dict[str, list[str]] = {}
    for edge in one.get("dependencies") or ():
        if isinstance(edge, dict) and edge.get("issue_id", id) == id:
            target = str(edge.get("depends_on_id", ""))
            edges.setdefault(str(edge.get("type", "blocks")), []).append(target)
    status = str(one.get("status", ""))
    state = STATES.get(status, "invalid")
    defects = [Defect("D5", id, f"state: {status or 'empty'}")] if state == "invalid" else []
    parents = edges.get("parent-child", [])
    return Item(
        id,
        str(one.get("title", "")),
        "\n\n".join(
            str(one[name])
            for name in ("description", "design", "acceptance_criteria", "notes")
            if one.get(name)
        ),
        kind="grouping" if one.get("issue_type") == "epic" else "item",
        author=str(one.get("created_by", "")),
        provenance=str(one.get("external_ref") or f"beads {id}"),
        priority=_priority(id, one, given, defects),
        phase=None if one.get("issue_type") == "epic" else given.phase,
        region=given.region,
        base=given.base,
        state=state,
        part_of=parents[0] if parents else None,
        blocked_by=tuple(dict.fromkeys(edges.get("blocks", ()))),
        related=tuple(
            dict.fromkeys([*edges.get("related", ()), *edges.get("discovered-from", ())])
        ),
        defects=tuple(defects),
        tags=texts(one.get("labels")),
    )


def _priority(id: str, one: dict[str, Any], given: Defaults, defects: list[Defect]) -> str | None:
    value = one.get("priority")
    if value is None:
        return given.priority
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LOWEST + 1:
        return PRIORITIES[min(value, LOWEST)]
    defects.append(Defect("D3", id, f"priority: {value}"))
    return None
