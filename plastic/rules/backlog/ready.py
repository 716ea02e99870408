"""Why an item is ready or not: the chain of causes in its order, one for list, claim and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.backlog.items import Defect


class Facts(NamedTuple):
    """What decides about one item for one worker at one moment."""

    id: str
    state: str = "live"
    own: tuple[str, ...] = ()  # codes of its own reports that keep it out
    hold: str = "never"  # never, held, lapsed, released
    eligible: float | None = None  # of a lapsed claim: when a takeover may be asked for
    now: float = 0.0
    holder: str = ""
    container: bool = False
    invalid: int = 0
    stalled: int = 0
    waiting: int = 0
    cyclic: bool = False
    region: str | None = None
    mine: str | None = None  # the worker's region; None takes any
    routed: bool = True
    unjoined: bool = False
    siblings: tuple[str, ...] = ()  # of an integration item: members held or in quarantine
    joining: str = ""  # the grouping's integration item, while it is held
    admission: str = "admitted"
    attempts: int | None = 0
    poison: bool = False
    busy: tuple[str, ...] = ()  # its resources that somebody in flight has


class Cause(NamedTuple):
    """One step of the narrowing: what it drops, and what a pending set of only these is called."""

    code: str
    step: str
    says: str
    verdict: str


class Reason(NamedTuple):
    """One link of the chain that `why` prints; `on` are the items that it comes from."""

    item: str
    code: str
    text: str
    on: tuple[str, ...] = ()


class Offer(NamedTuple):
    """One item of the ready set; `how` is ready, resume (a green pull request) or takeover."""

    id: str
    title: str
    priority: str
    phase: str
    base: str
    created: float
    how: str = "ready"
    overlaps: tuple[str, ...] = ()


class Ready(NamedTuple):
    """The ready set: what it offers, what it reports (the first rows, all counted), its verdict."""

    items: tuple[Offer, ...]
    stalled: tuple[Defect, ...]
    defects: tuple[Defect, ...]
    counts: dict[str, int]
    pending: int
    verdict: str
    causes: dict[str, int]


def _quarantined(facts: Facts) -> bool:
    return facts.hold == "lapsed" and facts.eligible is not None and facts.now < facts.eligible


CHAIN: tuple[tuple[Cause, Callable[[Facts], bool]], ...] = (
    (Cause("complete", "S2", "is complete", ""), lambda f: f.state == "complete"),
    (Cause("parked", "S2", "is parked: a person rules", ""), lambda f: f.state == "parked"),
    (Cause("vocabulary", "S2", "has an unknown state", ""), lambda f: f.state != "live"),
    (Cause("defect", "S1", "has defects: {own}", "all_defect"), lambda f: bool(f.own)),
    (Cause("held", "S2", "is held by {holder}", "all_in_flight"), lambda f: f.hold == "held"),
    (Cause("quarantined", "S2", "lapsed under {holder}", "all_in_flight"), _quarantined),
    (Cause("grouping", "S3", "is a grouping: its members are the work", ""), lambda f: f.container),
    (Cause("cycle", "S4", "is in a cycle", "cycle"), lambda f: f.cyclic),
    (
        Cause(
            "invalid", "S4", "has {invalid} missing or unknown blocker{invalid_s}", "all_invalid"
        ),
        lambda f: f.invalid > 0,
    ),
    (
        Cause("stalled", "S4", "waits for {stalled} parked blocker{stalled_s}", "all_stalled"),
        lambda f: f.stalled > 0,
    ),
    (
        Cause("siblings_active", "S4c", "joins {siblings}, still in flight", "all_in_flight"),
        lambda f: bool(f.siblings),
    ),
    (
        Cause("waiting", "S4", "waits for {waiting} open blocker{waiting_s}", "all_waiting"),
        lambda f: f.waiting > 0,
    ),
    (
        Cause("unrouted", "S4b", "has the region {region}, which is not routed", "all_unrouted"),
        lambda f: not f.routed,
    ),
    (
        Cause("foreign_region", "S4b", "belongs to region {region}", "all_foreign_region"),
        lambda f: f.mine is not None and f.region != f.mine,
    ),
    (
        Cause("unjoined", "S4c", "does not wait for every member (D21)", "all_invalid"),
        lambda f: f.unjoined,
    ),
    (
        Cause("integration_held", "S4c", "waits while {joining} joins", "all_in_flight"),
        lambda f: bool(f.joining),
    ),
    (
        Cause("not_admitted", "S5", "is not admitted: a person does that", "all_gated"),
        lambda f: f.admission == "gated",
    ),
    (
        Cause("mirror_unknown", "S5", "may be gated: its mirror is silent", "all_gated"),
        lambda f: f.admission != "admitted",
    ),
    (
        Cause("attempts_unknown", "S5b", "was tried, nobody knows how often", "all_poison"),
        lambda f: f.attempts is None,
    ),
    (
        Cause("poison", "S5b", "was tried {attempts} time{attempts_s}: park it", "all_poison"),
        lambda f: f.poison,
    ),
    (
        Cause("resource_busy", "S8", "needs {busy}, in use", "all_resource_blocked"),
        lambda f: bool(f.busy),
    ),
)
CAUSES = {cause.code: cause for cause, _ in CHAIN}
VERDICTS = {
    "ready": "something is ready",
    "drained": "nothing is pending: the end, exit 0",
    "cycle": "alarm: items wait for each other",
    "all_in_flight": "no alarm: all that could be done is being done",
    "all_stalled": "alarm: what is left waits for a ruling",
    "all_invalid": "alarm: what is left has missing or unknown blockers, or a broken grouping",
    "all_defect": "alarm: what is left is malformed",
    "all_gated": "alarm: what is left is not admitted",
    "all_foreign_region": "alarm: what is left belongs to other regions",
    "all_unrouted": "alarm: what is left has a region that is not routed",
    "all_resource_blocked": "no alarm: what is left needs resources in use",
    "all_overlapping": "no alarm: what is left touches files in flight",
    "all_poison": "alarm: what is left was tried too often",
    "all_waiting": "alarm: what is left waits, and for nothing that moves",
    "mixed": "alarm: what is left is kept out by several causes",
}
CALM = ("ready", "drained", "all_in_flight", "all_resource_blocked", "all_overlapping")


def cause(facts: Facts) -> Cause | None:
    """The first cause that keeps the item out; None: it is ready."""
    for one, drops in CHAIN:
        if drops(facts):
            return one
    return None


def text(one: Cause, facts: Facts) -> str:
    """The cause as a sentence about this item."""
    values = {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in facts._asdict().items()
    }
    ends = {f"{name}_s": "" if value == 1 else "s" for name, value in values.items()}
    return one.says.format(**values, **ends)


def verdict(ready: int, pending: int, causes: dict[str, int]) -> str:
    """How a look at the ready set ends. `causes` counts the pending items by their cause.

    Waiting is a consequence: it decides only when there is no other cause. A cycle is an alarm
    whatever else goes on; something in flight means that the rest may yet move, and where files
    or resources in use are all that keeps it out, the verdict names them.
    """
    if ready:
        return "ready"
    if not pending:
        return "drained"
    called: dict[str, int] = {}
    for code, count in causes.items():
        name = "all_overlapping" if code == "overlapping" else CAUSES[code].verdict
        if name and count:
            called[name] = called.get(name, 0) + count
    if "cycle" in called:
        return "cycle"
    others = set(called) - {"all_in_flight", "all_waiting"}
    if "all_in_flight" in called:
        calm = len(others) == 1 and others <= set(CALM)
        return others.pop() if calm else "all_in_flight"
    if not others:
        return next(iter(called), "drained")
    return others.pop() if len(others) == 1 else "mixed"


def overlap(radius: set[str], flying: dict[str, str]) -> tuple[str, ...]:
    """Who in flight touches the same files: `flying` maps a path to its item."""
    found = {
        item
        for path, item in flying.items()
        for mine in radius
        if path == mine or path.startswith(f"{mine}/") or mine.startswith(f"{path}/")
    }
    return tuple(sorted(found))
