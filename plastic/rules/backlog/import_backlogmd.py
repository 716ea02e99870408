"""Task files of Backlog.md as items."""

from __future__ import annotations

from typing import Any

from plastic.rules.backlog.importing import Defaults, texts
from plastic.rules.backlog.items import Defect, Item

STATES = {"to do": "live", "in progress": "live", "draft": "live", "done": "complete"}
PRIORITIES = {"critical": "P0", "high": "P1", "medium": "P2", "low": "P3"}


def read(front: dict[str, Any], body: str, given: Defaults) -> Item:
    """One task from its front matter and its text; a draft waits for a person."""
    id = str(front.get("id", "")).lower()
    status = str(front.get("status", "")).lower()
    state = STATES.get(status, "invalid")
    defects = [Defect("D5", id, f"state: {status or 'empty'}")] if state == "invalid" else []
    said = front.get("priority")
    priority = PRIORITIES.get(str(said).lower()) if said else given.priority
    if said and priority is None:
        defects.append(Defect("D3", id, f"priority: {said}"))
    parent = front.get("parent_task_id")
    return Item(
        id,
        str(front.get("title", "")),
        body.strip(),
        provenance=f"Backlog.md {id}",
        priority=priority,
        phase=given.phase,
        region=given.region,
        base=given.base,
        state=state,
        admission="gated" if status == "draft" else "admitted",
        part_of=str(parent).lower() if parent else None,
        blocked_by=tuple(dict.fromkeys(one.lower() for one in texts(front.get("dependencies")))),
        defects=tuple(defects),
        tags=texts(front.get("labels")),
    )
