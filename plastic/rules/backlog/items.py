"""What the backlog keeps: an item with its route out of a park and its claim, and their words."""

from __future__ import annotations

import re
from typing import NamedTuple

KINDS = ("item", "grouping")
SUBKINDS = ("", "integration", "design-integration")
PRIORITIES = ("P0", "P1", "P2", "P3")
PHASES = ("research", "implementation", "integration")
# `missing` is what an id leaves behind that was forgotten, or that an edge names and nobody wrote.
STATES = ("live", "complete", "parked", "invalid", "missing")
ADMISSIONS = ("admitted", "gated", "unknown")  # unknown: the mirror could not be asked
PULLS = ("", "open", "green", "merged", "closed")
GRANTS = ("work", "takeover", "reclaim", "transfer", "admin")
EVIDENCE = ("push", "comment", "token")
# relation -> (from, to, how many, meaning)
RELATIONS = {
    "blockedBy": ("dependent", "item or grouping", "any", "every target must be complete first"),
    "partOf": ("item", "grouping", "at most 1", "membership; its target is a container"),
    "integrates": ("integration item", "grouping", "exactly 1", "the join that closes a grouping"),
    "informs": ("research grouping", "grouping", "any", "which research a plan came from"),
    "related": ("item", "item", "any", "near-duplicates and learnings; decides nothing"),
}
ID = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*")
ID_MAX = 64
_DIGITS = re.compile(r"([0-9]+)")


class Route(NamedTuple):
    """The way out of a park: who rules, on what, the question, where to answer, and why parked."""

    owner: str = ""
    topic: str = ""
    question: str = ""
    where: str = ""
    reason: str = ""


class Grip(NamedTuple):
    """The claim of one item as the store knows it; the secret is never part of it.

    `token` is the highest ever given out (0: none), `released` the one given back last. `expires`
    and `lease` are seconds on the database's clock. `pushed`, `commented` and `moved` say when the
    claimant last pushed, commented and was given a token.
    """

    token: int = 0
    released: int = 0
    owner: str = ""
    region: str = ""
    expires: float = 0.0
    lease: float = 0.0
    kind: str = ""
    pushed: float | None = None
    commented: float | None = None
    moved: float | None = None

    @property
    def claimed(self) -> bool:
        """Stamped and not given back; whether the lease still runs is another question."""
        return self.token > self.released


class Item(NamedTuple):
    """One item or grouping. `None` in a field that must be set is a defect, never a default."""

    id: str
    title: str = ""
    body: str = ""
    kind: str = "item"
    subkind: str = ""
    author: str = ""
    provenance: str = ""
    created: float = 0.0
    revision: int = 1
    priority: str | None = None
    phase: str | None = None
    region: str | None = None
    base: str | None = None
    state: str = "live"
    admission: str = "admitted"
    part_of: str | None = None
    integrates: str | None = None
    blocked_by: tuple[str, ...] = ()
    informs: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    anchors: tuple[tuple[str, str], ...] = ()  # path, blob id at the base's tip ("" = none there)
    route: Route | None = None
    grip: Grip = Grip()
    attempts: int | None = 0  # None: claimed, and nobody knows how often
    threshold: int | None = None  # of a grouping: when its members are parked
    pull: int | None = None
    pull_state: str = ""
    direct: bool = False
    reserved_by: str = ""  # who merges, when the one who works may not
    location: str = ""
    note: str = ""
    collided: bool = False  # a former holder acted after a takeover: a person decides
    defects: tuple[Defect, ...] = ()  # what an import found and could not keep in the fields
    tags: tuple[str, ...] = ()  # as imported


class Defect(NamedTuple):
    """One row of the report table (D1 ...) about one item; `text` names the offending values."""

    code: str
    item: str
    text: str
    on: tuple[str, ...] = ()


def natural(id: str) -> str:
    """A text that sorts as people do: issue-99 before issue-100, each number with its length."""

    def counted(found: re.Match[str]) -> str:
        digits = found[1].lstrip("0") or "0"
        return f"{len(digits):02d}{digits}"

    return _DIGITS.sub(counted, id)


def valid_id(id: str) -> bool:
    """Letters first, then letters, digits and single separators; ends in what a mirror numbered."""
    return len(id) <= ID_MAX and ID.fullmatch(id) is not None and id[-1].isdigit()


def order(item: Item) -> tuple[str, float, str]:
    """Where an item stands in the ready set: priority, age, id."""
    return (item.priority or "P9", item.created, natural(item.id))
