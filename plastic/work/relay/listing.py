"""All relays in one table, and the history of one from its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso
from plastic.disk.relay import journal
from plastic.disk.relay.place import relays
from plastic.work.relay.desk import look
from plastic.work.relay.report import report

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.relay.place import Place

SHOWN = 160  # characters of a text


def listed(home: Home) -> dict[str, Any]:
    """Every relay, the newest first."""
    return {"relays": [report(place, about, look(place)) for place, about in relays(home)]}


def text(value: dict[str, Any]) -> str:
    """The table for people."""
    rows = [("RELAY", "STATE", "STEP", "USD", "WHERE")]
    for one in value["relays"]:
        state = one["state"] + (f" ({one['reason']})" if one["reason"] else "")
        step = f"{one['step']}/{one['max_steps']}"
        rows.append((one["relay"], state, step, f"{one['cost']['total']:.2f}", one["cwd"]))
    if len(rows) == 1:
        return "no relay yet: plastic relay start --help"
    wide = [max(len(row[at]) for row in rows) for at in range(4)]
    return "\n".join(
        "  ".join([*(row[at].ljust(wide[at]) for at in range(4)), row[4]]) for row in rows
    )


def history(place: Place, number: int) -> dict[str, Any]:
    """The last events of the journal."""
    rows = [row for row in journal.read_rows(place).rows if "event" in row]
    return {"relay": place.name, "events": rows[-number:] if number > 0 else []}


def told(value: dict[str, Any]) -> str:
    """The same for people: when, what, which row of the table, and what it carried."""
    lines = []
    for row in value["events"]:
        event = row["event"]
        more = [event[key] for key in ("outcome", "parse", "source", "session") if event.get(key)]
        said = " ".join(str(event.get("text", "")).split())[:SHOWN]
        when = iso(event.get("now", 0))
        lines.append(f"{when}  {event['kind']:<18} row {row['row']:<7} {' '.join(more)} {said}")
    return "\n".join(line.rstrip() for line in lines) or "nothing has happened"
