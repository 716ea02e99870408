"""The stations of an item and what moves it between them: one table, and one reading of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from plastic.rules.backlog.ready import Facts


class Move(NamedTuple):
    """One transition: from, on what, under which condition, to, and what else happens."""

    start: str
    event: str
    guard: str
    end: str
    effect: str


MOVES = (
    Move("-", "add", "fields and edges valid", "gated", "the mirror is told"),
    Move("-", "add by a person", "the same", "ready, blocked", "the mirror is told"),
    Move("-", "record", "merged, not by a worker, no claims", "complete", "born terminal"),
    Move("gated", "admit", "a person", "ready, blocked", "who and when are kept"),
    Move("ready, blocked", "gate", "the label is back", "gated", ""),
    Move("ready", "link", "targets live or complete, no cycle", "blocked", ""),
    Move("blocked", "the last blocker completes", "", "ready", "named by `complete`"),
    Move("ready, blocked", "a blocker parks", "", "stalled", "D10"),
    Move("stalled", "the blocker is unparked", "still live", "blocked", ""),
    Move("ready, blocked", "a blocker is forgotten", "by force", "invalid", "D8"),
    Move("any live", "import of an unknown state", "", "vocabulary", "D5, D6"),
    Move("vocabulary", "reconcile", "an `admin` claim", "ready, complete", ""),
    Move("ready", "claim", "the whole chain", "claimed", "grant, marker, attempt"),
    Move("claimed", "renew", "current token, lease runs", "claimed", "the lease moves"),
    Move("claimed", "release", "exactly the current token", "ready, blocked", "outcome"),
    Move("claimed", "the lease runs out", "", "lapsed", "D23"),
    Move("lapsed", "claim by the same owner", "nobody between", "claimed", "near-miss kept"),
    Move("lapsed", "claim by another", "quarantine over, record", "claimed", "takeover, attempt"),
    Move(
        "claimed, lapsed", "complete", "act proven, current token", "complete", "dependents freed"
    ),
    Move("claimed, lapsed", "park", "full route, current token", "parked", "label, outcome"),
    Move("ready", "sweep", "tried too often, not held", "parked", "label"),
    Move("parked", "unpark", "a person", "ready, blocked", "dependents wait; attempts from 0"),
    Move("complete", "its pull request is found unmerged", "", "complete", "D14, satisfies nobody"),
    Move("any but claimed", "forget", "no live dependents, or force", "-", "tokens survive"),
)
# Cause of the chain -> station, where the two have different names.
_STATIONS = {
    "held": "claimed",
    "quarantined": "lapsed",
    "waiting": "blocked",
    "cycle": "blocked",
    "siblings_active": "blocked",
    "not_admitted": "gated",
    "mirror_unknown": "gated",
    "defect": "invalid",
}
STATIONS = (
    "gated",
    "ready",
    "blocked",
    "stalled",
    "invalid",
    "vocabulary",
    "claimed",
    "lapsed",
    "parked",
    "complete",
    "grouping",
)


def station(facts: Facts) -> str:
    """Where an item stands, whoever asks: regions, resources and counts are no stations."""
    from plastic.rules.backlog.ready import CHAIN

    for cause, drops in CHAIN:
        name = _STATIONS.get(cause.code, cause.code)
        if name in STATIONS and drops(facts):
            return name
    return "lapsed" if facts.hold == "lapsed" else "ready"
