"""Items as tags, the form of the protocol's first home: read with every defect, and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.items import PHASES, PRIORITIES, Defect, Item, Route

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# prefix -> field of an item. `resource` may come often, every other once.
FIELDS = {"priority": "priority", "phase": "phase", "homeRegion": "region", "baseBranch": "base"}
CLOSED = {"priority": (PRIORITIES, "D3"), "phase": (PHASES, "D4")}
TERMINAL = ("complete", "parked")
DEMANDS = ("exclusive", "needs-", "requires-")


def read(
    id: str,
    tags: Iterable[str],
    links: Mapping[str, Iterable[str]] | None = None,
    *,
    expires: str = "",
) -> Item:
    """One item of the tag form; what does not fit becomes a defect row, nothing is guessed."""
    tags = tuple(dict.fromkeys(tags))
    links = links or {}
    values: dict[str, list[str]] = {}
    for tag in tags:
        prefix, colon, value = tag.partition(":")
        if colon:
            values.setdefault(prefix, []).append(value)
    defects: list[Defect] = []
    if "backlog" not in tags:
        defects.append(Defect("D1", id, "backlog: the marker is missing"))
    fields = {name: _one(id, name, values.get(tag, []), defects) for tag, name in FIELDS.items()}
    if expires:
        defects.append(Defect("D27", id, f"expiry: {expires}"))
    parts = _single(id, "partOf", links, defects)
    closes = _single(id, "integrates", links, defects)
    return Item(
        id,
        priority=fields["priority"],
        phase=fields["phase"],
        region=fields["region"],
        base=fields["base"],
        state=_state(id, values.get("state", []), defects),
        part_of=parts,
        integrates=closes,
        subkind="integration" if closes else "",
        blocked_by=_keys(links, "blockedBy"),
        informs=_keys(links, "informs"),
        related=_keys(links, "related"),
        anchors=tuple((path, "") for path in dict.fromkeys(links.get("anchoredTo", ()))),
        resources=tuple(sorted(values.get("resource", []))),
        route=_route(values),
        pull=_number(values.get("pr", [])),
        pull_state="merged" if "direct-deployment" in tags else "",
        direct="direct-deployment" in tags,
        defects=tuple(defects),
        tags=tags,
    )


def _one(id: str, name: str, values: list[str], defects: list[Defect]) -> str | None:
    """The one value of a field, None when it is missing, doubled or unknown."""
    known, code = CLOSED.get(name, ((), ""))
    odd = [value for value in values if (known and value not in known) or not value]
    if odd:
        defects.append(Defect(code or "D1", id, f"{name}: {', '.join(odd) or 'empty'}"))
    if len(values) > 1:
        defects.append(Defect("D2", id, f"{name}: {' and '.join(values)}"))
    return values[0] if len(values) == 1 and not odd else None


def _state(id: str, values: list[str], defects: list[Defect]) -> str:
    """Matched by prefix, never by the two literals: an unknown state is no absent one."""
    if not values:
        return "live"
    if len(values) > 1:
        defects.append(Defect("D6", id, f"state: {' and '.join(values)}"))
        return "invalid"
    if values[0] not in TERMINAL:
        defects.append(Defect("D5", id, f"state: {values[0] or 'empty'}"))
        return "invalid"
    return values[0]


def _keys(links: Mapping[str, Iterable[str]], relation: str) -> tuple[str, ...]:
    """The ids behind the keys of a relation."""
    return tuple(dict.fromkeys(key.rpartition("/")[2] for key in links.get(relation, ())))


def _single(
    id: str, relation: str, links: Mapping[str, Iterable[str]], defects: list[Defect]
) -> str | None:
    keys = _keys(links, relation)
    if len(keys) > 1:
        defects.append(Defect("D2", id, f"{relation}: {' and '.join(keys)}", keys))
    return keys[0] if keys else None


def _route(values: dict[str, list[str]]) -> Route | None:
    owners, topics = values.get("ruling-owner", []), values.get("ruling-topic", [])
    if not owners and not topics:
        return None
    return Route(owner=",".join(owners), topic=",".join(topics))


def _number(values: list[str]) -> int | None:
    return int(values[0]) if len(values) == 1 and values[0].isdecimal() else None


def write(item: Item) -> list[str]:
    """An item's fields as tags."""
    tags = ["backlog"]
    for prefix, name in FIELDS.items():
        value = getattr(item, name)
        if value is not None:
            tags.append(f"{prefix}:{value}")
    if item.state in TERMINAL:
        tags.append(f"state:{item.state}")
    tags += [f"resource:{name}" for name in item.resources]
    if item.state == "parked" and item.route:
        tags += [f"ruling-owner:{item.route.owner}", f"ruling-topic:{item.route.topic}"]
    if item.pull is not None:
        tags.append(f"pr:{item.pull}")
    return [*tags, "direct-deployment"] if item.direct else tags


def hints(tags: Iterable[str]) -> list[str]:
    """Bare tags that read like a demand and constrain nothing."""
    return [
        f"{tag} excludes nothing; did you mean resource:{tag}?"
        for tag in tags
        if ":" not in tag and any(word in tag for word in DEMANDS)
    ]
