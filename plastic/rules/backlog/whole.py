"""The ready set computed from nothing but the items: what the store's counters must equal."""

from __future__ import annotations

from typing import NamedTuple

from plastic.rules.backlog import cycles
from plastic.rules.backlog.attempts import too_often
from plastic.rules.backlog.blockers import INVALID, STALLED, WAITING, observe, rank, unmerged
from plastic.rules.backlog.grants import eligible_at, state_of
from plastic.rules.backlog.grouping import Group, reports, unjoined
from plastic.rules.backlog.items import Defect, Item, natural, order
from plastic.rules.backlog.ready import Facts, Reason, cause, text, verdict
from plastic.rules.backlog.reports import keeps_out, of_edges, own

MISSING = Item("", state="missing")


class World(NamedTuple):
    """All items of a project, and who looks at them: when, from which region, knowing which."""

    items: dict[str, Item]
    now: float
    region: str | None = None
    regions: tuple[str, ...] = ()  # empty: any region is routed


class Whole(NamedTuple):
    """Everything about a project at once."""

    ready: tuple[str, ...]
    reasons: dict[str, Reason]
    facts: dict[str, Facts]
    defects: tuple[Defect, ...]
    pending: int
    verdict: str
    causes: dict[str, int]


class _Graph:
    """Who contains, closes and blocks whom."""

    def __init__(self, items: dict[str, Item]) -> None:
        self.items = items
        self.members: dict[str, list[str]] = {}
        self.closers: dict[str, list[str]] = {}
        for item in items.values():
            if item.integrates:
                self.closers.setdefault(item.integrates, []).append(item.id)
            if item.part_of and item.part_of != item.integrates:
                self.members.setdefault(item.part_of, []).append(item.id)

    def container(self, id: str) -> bool:
        item = self.items.get(id)
        is_grouping = item is not None and item.kind == "grouping"
        return is_grouping or id in self.members or id in self.closers

    def closed(self, id: str) -> bool:
        closers = [self.items[one] for one in self.closers.get(id, ())]
        done = [one.state == "complete" and not unmerged(one) for one in closers]
        return bool(done) and all(done)

    def seen(self, id: str) -> str:
        item = self.items.get(id, MISSING)
        return observe(
            item.state,
            pull_state=item.pull_state if item.pull is not None else "",
            container=self.container(id),
            closed=self.closed(id),
        )

    def onward(self, id: str) -> list[str]:
        """Whom an unfinished item waits for; a grouping waits for its integration item."""
        item = self.items.get(id, MISSING)
        if item.state in ("complete", "missing"):
            return []
        return sorted([*item.blocked_by, *self.closers.get(id, ())], key=natural)

    def group(self, id: str) -> Group:
        members = sorted(self.members.get(id, ()), key=natural)
        closers = sorted(self.closers.get(id, ()), key=natural)
        joined = set(self.items[closers[0]].blocked_by) if len(closers) == 1 else set()
        loose = [one for one in members if one not in joined] if len(closers) == 1 else []
        still = [one for one in members if self.seen(one) != "complete"]
        return Group(id, tuple(members), tuple(closers), len(still), self.closed(id), tuple(loose))


def compute(world: World) -> Whole:
    """The whole algorithm, S1 to S8, over every item; nothing is dropped before it is reported."""
    graph = _Graph(world.items)
    rings = cycles.rings({id: graph.onward(id) for id in world.items})
    groups = {id: graph.group(id) for id in {*graph.members, *graph.closers}}
    facts = {
        item.id: _facts(item, world, graph, groups, cyclic=item.id in rings)
        for item in world.items.values()
        if item.state != "missing"
    }
    facts = _in_flight(facts, world, graph)
    defects = [defect for item in world.items.values() for defect in _reports(item, graph)]
    for id in sorted(groups):
        if world.items.get(id, MISSING).state != "missing":
            defects += reports(groups[id])
    defects += [ring(id, way) for id, way in rings.items()]
    reasons: dict[str, Reason] = {}
    causes: dict[str, int] = {}
    ready: list[str] = []
    for id, fact in facts.items():
        why = cause(fact)
        pending = fact.state == "live" and not fact.container
        if why is None:
            ready.append(id)
            continue
        reasons[id] = Reason(id, why.code, text(why, fact))
        if pending:
            causes[why.code] = causes.get(why.code, 0) + 1
    count = sum(causes.values()) + len(ready)
    ready.sort(key=lambda one: order(world.items[one]))
    return Whole(
        tuple(ready),
        reasons,
        facts,
        tuple(defects),
        count,
        verdict(len(ready), count, causes),
        causes,
    )


def ring(id: str, way: list[str]) -> Defect:
    """D17 of one item: the path of its cycle."""
    return Defect("D17", id, " -> ".join(way), tuple(way))


def _reports(item: Item, graph: _Graph) -> list[Defect]:
    if item.state == "missing":
        return []
    routes = (
        (one, graph.seen(one), graph.items.get(one, MISSING).route) for one in item.blocked_by
    )
    edges = [] if item.state == "complete" else of_edges(item, routes)
    return own(item) + edges


def _facts(
    item: Item, world: World, graph: _Graph, groups: dict[str, Group], *, cyclic: bool
) -> Facts:
    ranks = [rank(graph.seen(one)) for one in item.blocked_by]
    hold = state_of(item.grip, world.now)
    epic = world.items.get(item.part_of or "", MISSING)
    joins = groups.get(item.integrates or "")
    return Facts(
        item.id,
        item.state,
        tuple(defect.code for defect in keeps_out(own(item))),
        hold,
        eligible_at(item.grip) if hold == "lapsed" else None,
        world.now,
        item.grip.owner,
        graph.container(item.id),
        ranks.count(INVALID),
        ranks.count(STALLED),
        ranks.count(WAITING),
        cyclic,
        item.region,
        world.region,
        not world.regions or item.region in world.regions,
        joins is not None and unjoined(joins),
        (),
        "",
        item.admission,
        item.attempts,
        too_often(item.attempts, epic.threshold),
    )


def flying(fact: Facts) -> bool:
    """In flight: held, or lapsed and still protected."""
    return fact.hold == "held" or (
        fact.hold == "lapsed" and fact.eligible is not None and fact.now < fact.eligible
    )


def _in_flight(facts: dict[str, Facts], world: World, graph: _Graph) -> dict[str, Facts]:
    """The facts with what others in flight keep from each item."""
    up = {id for id, fact in facts.items() if flying(fact)}
    busy: dict[str, str] = {}
    for id in sorted(up):
        for name in world.items[id].resources:
            busy.setdefault(name, id)
    if not up:
        return facts
    out = {}
    for id, fact in facts.items():
        item = world.items[id]
        joins = graph.members.get(item.integrates or "", ())
        closers = graph.closers.get(item.part_of or "", ())
        out[id] = fact._replace(
            siblings=tuple(sorted(one for one in joins if one in up and one != id)),
            joining=next((one for one in sorted(closers) if one in up and one != id), ""),
            busy=tuple(name for name in item.resources if busy.get(name, id) != id),
        )
    return out
