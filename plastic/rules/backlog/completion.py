"""Which act makes an item complete: the proof that each kind of item needs before it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from plastic.rules.backlog.answers import Actor
    from plastic.rules.backlog.items import Item

STRENGTHS = ("observed", "by-construction")


class Evidence(NamedTuple):
    """What the caller has proven of the act, by git and by files; nothing here is a promise.

    `contained`: `commit` is proven to be in the item's base. `artefacts` are (path, sha256).
    `findings` are durable notes outside the item. `unplanned` are groupings that this item emitted
    and that lack edges, an integration item or the base. `checked`: the epic's own criteria ran.
    """

    commit: str = ""
    contained: bool | None = None
    artefacts: tuple[tuple[str, str], ...] = ()
    findings: int = 0
    unplanned: tuple[str, ...] = ()
    checked: bool = False
    strength: str = ""
    instrument: str = ""  # who tried the instrument on a case known not to be zero


class Act(NamedTuple):
    """One kind of item and the act that must have happened."""

    kind: str
    act: str


ACTS = (
    Act("implementation", "its commit is proven to be in the item's base branch"),
    Act("research", "findings stand outside the item: a note, or an artefact with its hash"),
    Act("design-integration", "as research, and each grouping that it emitted is planned"),
    Act("integration", "its commit is in the base, and the grouping's own criteria were run"),
    Act("reserved", "as its kind, by the one for whom the merge is reserved"),
    Act("direct", "the pull request is merged; the row is born complete, and not by a worker"),
)


def kind_of(item: Item) -> str:
    """Which row of ACTS an item falls under, reservation aside."""
    if item.subkind == "design-integration":
        return "design-integration"
    if item.subkind == "integration" or item.integrates or item.phase == "integration":
        return "integration"
    return "research" if item.phase == "research" else "implementation"


def lacking(item: Item, actor: Actor, evidence: Evidence) -> str:
    """ "" when the act is proven, else what is missing: code and sentence, colon between."""
    if item.reserved_by and actor.name != item.reserved_by:
        return f"merge-reserved: the merge is reserved for {item.reserved_by}; release it instead"
    if evidence.strength and evidence.strength not in STRENGTHS:
        return f"strength-unknown: the strength is one of {', '.join(STRENGTHS)}"
    kind = kind_of(item)
    if kind in ("research", "design-integration"):
        if not evidence.findings and not evidence.artefacts:
            return "no-findings: research ends with a note or an artefact; its own body is none"
        if kind == "design-integration" and evidence.unplanned:
            return f"unplanned: no plan yet for {', '.join(evidence.unplanned)}"
        return ""
    if not evidence.commit and not evidence.artefacts:
        return "no-evidence: name the merged commit, or files that prove the act"
    if evidence.commit and evidence.contained is not True:
        return f"not-merged: {evidence.commit} is not proven to be in {item.base}"
    if item.pull is not None and item.pull_state != "merged" and not evidence.contained:
        return f"not-merged: pull request {item.pull} is {item.pull_state or 'not known'}"
    if kind == "integration" and not evidence.checked:
        return "not-checked: the grouping's own criteria have not been run on the merged whole"
    return ""
