"""The backlog as people read it: tables and pages of plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import both, seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDEST = 56  # characters of a title in a table; `show` has all of it
WHY = 40


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side; the last one is as wide as it likes."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    )


def cut(text: str, width: int) -> str:
    """A line that fits, with a mark where it was cut."""
    text = line(text)
    return text if len(text) <= width else text[: width - 1] + "\u2026"


def line(text: str) -> str:
    """A text as one line, whatever breaks are in it."""
    return " ".join(text.split())


def when(at: str | None) -> str:
    """A moment of the printed object, in local time and UTC."""
    moment = seconds(at)
    return "?" if moment is None else both(moment)


def items(found: list[dict[str, Any]]) -> str:
    """The list: one line an item, with what keeps it out."""
    rows = [("ID", "P", "PHASE", "STATE", "WHY", "TITLE")]
    for one in found:
        state = one["state"]
        if state == "live":
            state = "ready" if one["cause"] is None else one["cause"].replace("_", " ")
        why = "-" if one["cause"] in (None, "complete") else cut(one["why"], WHY)
        phase = "grouping" if one["kind"] == "grouping" else one["phase"] or "?"
        row = (one["id"], one["priority"] or "?", phase, state, why, cut(one["title"], WIDEST))
        rows.append(row)
    return table(rows)


def ready(found: dict[str, Any], says: str) -> str:
    """The ready set, then everything that is wrong."""
    blocks = []
    if found["ready"]:
        rows = [("ID", "P", "PHASE", "HOW", "BASE", "TITLE")]
        rows += [
            (
                one["id"],
                one["priority"],
                one["phase"],
                one["how"],
                one["base"],
                cut(one["title"], WIDEST),
            )
            for one in found["ready"]
        ]
        blocks.append(table(rows))
    for name in ("stalled", "defects"):
        if found[name]:
            lines = [f"{one['code']:<4} {one['item']}: {one['text']}" for one in found[name]]
            blocks.append("\n".join([f"{name}:", *(f"  {line}" for line in lines)]))
    kept = ", ".join(f"{count} {code.replace('_', ' ')}" for code, count in found["causes"].items())
    verdict = f"{found['pending']} pending: {says}"
    blocks.append(f"{verdict} ({kept})" if kept else verdict)
    return "\n\n".join(blocks)


def chain(found: Iterable[dict[str, Any]]) -> str:
    """The reasons, each one step further in."""
    return "\n".join(
        f"{'  ' * depth}{one['item']} {one['text']}" for depth, one in enumerate(found)
    )


def page(one: dict[str, Any]) -> str:
    """Everything about one item."""
    claim = one["claim"]
    rows = [
        ("item", f"{one['id']}  {line(one['title'])}"),
        ("state", f"{one['state']}, {one['admission']}, revision {one['revision']}"),
        ("priority", f"{one['priority'] or '?'}  {one['phase'] or one['kind']}"),
        ("base", f"{one['base'] or '?'}  region {one['region'] or '?'}"),
        ("claim", _claim(claim)),
        ("attempts", "unknown" if one["attempts"] is None else str(one["attempts"])),
    ]
    rows += [(name, ", ".join(one[key])) for name, key in EDGES if one[key]]
    rows += [(key, one[key]) for key in ("part_of", "integrates") if one[key]]
    rows += [("resources", ", ".join(one["resources"]))] if one["resources"] else []
    rows += [("anchor", anchor["path"]) for anchor in one["anchors"]]
    rows += [("D12", f"anchor {gone['path']} {gone['how']}") for gone in one["stale_anchors"]]
    rows += [(found["code"], found["text"]) for found in one["defects"]]
    if one["route"]:
        route = one["route"]
        rows.append(("parked", route["reason"]))
        rows.append(("ruling", f"{route['owner']} on {route['question']} at {route['where']}"))
    rows += [(name, one[name]) for name in ("location", "note") if one[name]]
    if one["branch"]:
        rows.append(("branch", f"{one['branch']['verdict']}: {one['branch']['text']}"))
    rows += [("why", f"{why['item']} {why['text']}") for why in one["why"]]
    rows += [
        ("note", f"{when(row['at'])} {row['actor']}: {row.get('text', '')}")
        for row in one["trail"]
        if row["what"] == "note"
    ]
    text = "\n".join(f"{name:<10} {value}" for name, value in rows)
    return f"{text}\n\n{one['body']}" if one["body"] else text


EDGES = (
    ("waits for", "blocked_by"),
    ("needed by", "dependents"),
    ("informs", "informs"),
    ("related", "related"),
)


def _claim(claim: dict[str, Any]) -> str:
    if claim["state"] == "never":
        return "never claimed"
    if claim["state"] == "released":
        return f"given back by {claim['owner']} (token {claim['fencing_token']})"
    ends = "until" if claim["held"] else "lease ended"
    return (
        f"{claim['state']}: {claim['owner']} (token {claim['fencing_token']}), "
        f"{ends} {when(claim['lease_expires_at'])}"
    )


def status(one: dict[str, Any]) -> str:
    """One look at a claim."""
    if one["state"] == "never":
        return f"{one['id']}  never claimed"
    rows = [
        ("item", one["id"]),
        ("claim", one["state"]),
        ("owner", one["owner"] or "-"),
        ("token", str(one["fencing_token"])),
    ]
    if one["state"] != "released":
        ends = "until" if one["held"] else "ended"
        rows.append(("lease", f"{ends} {when(one['lease_expires_at'])}"))
    if one["eligible_at"]:
        rows.append(("takeover", f"may be asked for from {when(one['eligible_at'])}"))
    rows.append(("attempts", "unknown" if one["attempts"] is None else str(one["attempts"])))
    return "\n".join(f"{name:<10} {value}" for name, value in rows)


def taken(one: dict[str, Any]) -> str:
    """What a worker needs to know of the claim that it was given."""
    rows = [
        ("item", f"{one['id']}  {line(one['title'])}"),
        ("owner", one["owner"]),
        ("token", f"{one['fencing_token']}   secret {one['secret']}"),
        ("lease", f"{one['lease_seconds']:.0f} s, until {when(one['lease_expires_at'])}"),
        ("base", one["base"]),
    ]
    rows += (
        [("branch", f"{one['branch']} (where its grouping expects it)")] if one["branch"] else []
    )
    if one["near_miss"]:
        rows.append(("near miss", "your lease had run out; report it"))
    rows += [(name, one[name]) for name in ("location", "note") if one[name]]
    rows += [
        ("look again", f"{path['path']} has {path['how']} since") for path in one["stale_anchors"]
    ]
    return "\n".join(f"{name:<10} {value}" for name, value in rows)
