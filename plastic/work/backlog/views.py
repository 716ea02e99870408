"""What looks at a whole backlog at once: the list with each item's reason, graph and audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.backlog import graphtext
from plastic.rules.backlog.graph import graph as draw
from plastic.rules.backlog.items import STATES
from plastic.rules.backlog.reports import said_only
from plastic.rules.backlog.whole import World, compute
from plastic.words import Usage
from plastic.work.backlog import claimshown, shown
from plastic.work.backlog.author import drifted
from plastic.work.backlog.branches import judged

if TYPE_CHECKING:
    from plastic.rules.backlog.items import Item
    from plastic.rules.backlog.whole import Whole
    from plastic.store.progress import Told
    from plastic.work.backlog.place import Backlog


def whole(backlog: Backlog, items: list[Item]) -> Whole:
    """Everything recomputed from the items, as this machine's workers see it."""
    region = str(backlog.project.backlog.get("region") or "local")
    return compute(World({one.id: one for one in items}, backlog.store.now(), region))


def listed(
    backlog: Backlog, states: tuple[str, ...], match: dict[str, str | None]
) -> list[dict[str, Any]]:
    """The items of these states and values, each with the first cause that keeps it out."""
    for state in states:
        if state not in STATES[:-1]:
            raise Usage(
                "state", f"{state!r} is no state of an item", run="plastic backlog list --help"
            )
    items = backlog.store.items()
    known = whole(backlog, items)
    now = backlog.store.now()
    found = []
    for one in items:
        wanted = all(value is None or getattr(one, name) == value for name, value in match.items())
        if not wanted or (states and one.state not in states):
            continue
        why = known.reasons.get(one.id)
        found.append(
            {
                **shown.item(one, now),
                "cause": why.code if why else None,
                "why": why.text if why else None,
            }
        )
    return found


def page(backlog: Backlog, id: str) -> dict[str, Any]:
    """Everything about one item."""
    one = backlog.need(id)
    store = backlog.store
    return {
        **shown.item(one, store.now()),
        "why": shown.reasons(store.why(one.id)),
        "dependents": store.dependents(one.id),
        "grants": claimshown.grants(store.grants(one.id)),
        "trail": [{**row, "at": shown.when(row["at"])} for row in store.trail(one.id)],
        "stale_anchors": drifted(backlog, one),
        "branch": judged(backlog, one),
    }


def drawing(backlog: Backlog, form: str, group: str | None) -> dict[str, Any]:
    """The graph, or the part of one grouping, as text and as data."""
    if form not in graphtext.FORMATS:
        names = " or ".join(graphtext.FORMATS)
        raise Usage("format", f"{form!r} is no format: {names}", run="plastic backlog graph --help")
    items = backlog.store.items()
    known = whole(backlog, items)
    if group is not None:
        over = backlog.need(group).id
        items = [one for one in items if over in (one.id, one.part_of, one.integrates)]
    rings = {defect.item: list(defect.on) for defect in known.defects if defect.code == "D17"}
    causes = {id: reason.code for id, reason in known.reasons.items()}
    drawn = draw(items, causes, rings)
    text = graphtext.mermaid(drawn) if form == "mermaid" else graphtext.dot(drawn)
    return {
        "format": form,
        "text": text,
        "nodes": [node._asdict() for node in drawn.nodes],
        "edges": [{"blocker": one, "waits": two, "cycle": ring} for one, two, ring in drawn.arrows],
        "cycles": [way for id, way in rings.items() if id == min(way)],
        "stalled": [node.id for node in drawn.nodes if node.mark == "stalled"],
    }


def audit(backlog: Backlog, told: Told) -> dict[str, Any]:
    """Counters against a full recomputation, the values in use, and guesses."""
    told("reading", 0, 3)
    items = backlog.store.items()
    told("counting", 1, 3)
    guesses = [shown.defect(found) for one in items if (found := said_only(one)) is not None]
    values: dict[str, dict[str, int]] = {}
    for name in ("kind", "state", "priority", "phase", "region", "base", "admission"):
        counted = values.setdefault(name, {})
        for one in items:
            value = str(getattr(one, name))
            counted[value] = counted.get(value, 0) + 1
    # A guess is no difference: the words of an item prove nothing.
    said = {f"{one['item']}: {one['code']} {one['text']}" for one in guesses}
    told("comparing", 2, 3)
    wrong = [line for line in backlog.store.audit() if line not in said]
    return {
        "sound": not wrong,
        "differences": wrong,
        "values": values,
        "guesses": guesses,
        "items": len(items),
    }
