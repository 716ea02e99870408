"""One line of a mirror's trail for each message of the outbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Outgoing

# kind -> what is said; fields are those of the message.
LINES = {
    "create": "added{gate}",
    "claim": "claimed by {owner} (token {token})",
    "takeover": "taken over by {owner} (token {token}) from {from} (token {before}){unpushed}",
    "outcome": "{owner} ended: {result}",
    "label": "label {label} {on}{route}",
    "note": "note by {by}: {text}",
    "collision": "{former} acted after {owner} had taken over: a person decides",
}
SIGNS = {True: "on", False: "off"}


def line(row: Outgoing, when: str) -> str:
    """The line; a text of many lines becomes one, so that it begins no marker of its own."""
    known = {**row.payload}
    known["gate"] = ", waits for admission" if known.get("gated") else ""
    known["on"] = SIGNS.get(bool(known.get("on")), "")
    known["unpushed"] = ", whose branch was not pushed" if known.get("unpushed") else ""
    route = known.get("route")
    known["route"] = (
        f": {route['owner']} rules on {route['question']} at {route['where']}; {route['reason']}"
        if isinstance(route, dict)
        else ""
    )
    says = LINES.get(row.kind, row.kind)
    try:
        text = says.format_map(known)
    except KeyError:
        text = row.kind
    return f"- {when} {' '.join(text.split())}"
