"""The report table D1 to D27: what is wrong, whether it keeps an item out, and who repairs it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.backlog.blockers import TABLE, unmerged
from plastic.rules.backlog.items import Defect
from plastic.rules.backlog.parking import missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.items import Item, Route


class Row(NamedTuple):
    """One kind of report. `keeps` says what it keeps out: item, dependent, integration, nothing."""

    condition: str
    keeps: str
    severity: str  # defect, finding, warning, divergence, opportunity, alarm, info
    names: str
    repair: str


REPORTS = {
    "D1": Row("a field that must be set is not", "item", "defect", "item, fields", "author"),
    "D2": Row("a field has two values", "item", "defect", "item, both values", "author"),
    "D3": Row("unknown priority", "item", "defect", "item, value", "author"),
    "D4": Row("unknown phase, or a status in it", "item", "defect", "item, value", "author"),
    "D5": Row("unknown state", "item", "defect", "item, value", "reconcile"),
    "D6": Row("several states", "item", "defect", "item, values", "reconcile"),
    "D7": Row("base main inside a grouping", "item", "defect", "item, grouping", "author"),
    "D8": Row("a blocker that is missing", "dependent", "defect", "dependent, blocker", "author"),
    "D9": Row(
        "a blocker whose state is unknown", "dependent", "defect", "dependent, blocker", "reconcile"
    ),
    "D10": Row(
        "a parked blocker", "dependent", "finding", "both, owner, question, where", "the owner"
    ),
    "D11": Row("parked without a full route", "item", "defect", "item, missing parts", "author"),
    "D12": Row("an anchor moved or is gone", "nothing", "warning", "item, paths", "worker"),
    "D13": Row(
        "token and attempts do not agree", "item", "defect", "item, token, attempts", "author"
    ),
    "D14": Row(
        "complete, and its pull is not merged",
        "dependent",
        "defect",
        "item, pull",
        "author",
    ),
    "D15": Row(
        "green pull request, nobody at it", "nothing", "opportunity", "item, pull", "next worker"
    ),
    "D16": Row("complete in words only", "nothing", "defect", "item", "author"),
    "D17": Row("a cycle", "item", "alarm", "the path", "author"),
    "D18": Row("nothing ready, something pending", "nothing", "alarm", "the cause", "person"),
    "D19": Row("nothing pending", "nothing", "info", "", ""),
    "D20": Row(
        "all members complete, the integration item not",
        "nothing",
        "finding",
        "grouping, integration item",
        "worker",
    ),
    "D21": Row(
        "not exactly one integration item, or it does not wait for all members",
        "integration",
        "defect",
        "grouping, members",
        "author",
    ),
    "D22": Row("a region that is not routed", "item", "defect", "item, region", "operator"),
    "D23": Row("lapsed, in quarantine", "item", "warning", "item, owner, token, until", "wait"),
    "D24": Row("label and park differ", "nothing", "divergence", "item, which half", "sweep"),
    "D25": Row("item and issue differ", "nothing", "divergence", "both sides", "person"),
    "D26": Row("a pull request without an item", "nothing", "divergence", "pull", "author"),
    "D27": Row("an expiry on an item", "item", "defect", "item, expiry", "author"),
    "collision": Row(
        "a former holder acted after a takeover", "item", "alarm", "both owners", "person"
    ),
}
# What an item lacks when it is None.
MANDATORY = ("priority", "phase", "region", "base")
# Reports that keep an item itself out, and that stand until somebody repairs them.
OWN = tuple(
    code for code, row in REPORTS.items() if row.keeps == "item" and code not in ("D22", "D23")
)
_SAID = re.compile(r"(?im)^\W*(?:state|status)\W*[:=]\W*(?:complete|completed|done|delivered)\b")


def own(item: Item) -> list[Defect]:
    """What is wrong with an item by itself, whatever the others are."""
    found = list(item.defects)
    spoken = {defect.text.partition(":")[0] for defect in found}
    need = [name for name in MANDATORY if name != "phase" or item.kind == "item"]
    gone = [name for name in need if getattr(item, name) is None and name not in spoken]
    if gone:
        found.append(Defect("D1", item.id, ", ".join(gone)))
    if item.base == "main" and item.part_of is not None:
        found.append(Defect("D7", item.id, f"base main in {item.part_of}", (item.part_of,)))
    if item.state == "invalid" and not {"state"} & spoken:
        found.append(Defect("D5", item.id, "state: unknown"))
    if item.state == "parked":
        gone = missing(item.route) if item.route else ["owner", "topic", "question"]
        if gone:
            found.append(Defect("D11", item.id, f"no {', '.join(gone)}"))
    if item.attempts is None:
        text = f"token {item.grip.token}, attempts unknown"
        found.append(Defect("D13", item.id, text))
    if unmerged(item):
        found.append(Defect("D14", item.id, f"pull request {item.pull} is {item.pull_state}"))
    if item.collided:
        found.append(Defect("collision", item.id, f"{item.grip.owner} and a former holder act"))
    return found


def of_edges(item: Item, seen: Iterable[tuple[str, str, Route | None]]) -> list[Defect]:
    """The rows of its blockers: (blocker, what was observed, the blocker's route)."""
    found = []
    for blocker, what, route in seen:
        code = TABLE[what].report
        if code in ("D8", "D9"):
            found.append(Defect(code, item.id, f"waits for {blocker}, {what}", (blocker,)))
        elif code == "D10":
            way = route_text(route)
            found.append(Defect(code, item.id, f"waits for {blocker}, parked: {way}", (blocker,)))
    return found


def route_text(route: Route | None) -> str:
    """Who rules on what, and where; or that the way out is missing."""
    if route is None or not route.owner:
        return "no route"
    return f"{route.owner} rules on {route.question or route.topic} at {route.where or 'no place'}"


def keeps_out(defects: Iterable[Defect]) -> list[Defect]:
    """Those that keep the item itself out of the ready set."""
    return [defect for defect in defects if defect.code in OWN]


def said_only(item: Item) -> Defect | None:
    """D16, a guess that only an audit makes: the text says done, the state does not."""
    if item.state == "live" and _SAID.search(f"{item.body}\n{item.note}"):
        return Defect("D16", item.id, "its text says that it is complete")
    return None
