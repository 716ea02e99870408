"""The steps of one End, as `--dry-run` shows them: what each does here, what is done already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.end.facts import DELIVERED, SECTION_OF
from plastic.rules.end.proof import has_merge, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plastic.rules.end.facts import Facts, Flags, Merge

SHOWN = 12  # digits of a commit


class Step(NamedTuple):
    """One step; the numbers are those of references/end.md."""

    number: int
    name: str
    text: str


def steps(
    facts: Facts, flags: Flags, mode: str, verify: Sequence[str], on_done: Sequence[str]
) -> list[Step]:
    """What End does, in its order; steps that do not apply to this intent are left out."""
    merge, tree = facts.merge, facts.tree
    is_delivered = flags.disposition == DELIVERED
    found: list[Step] = []
    if has_merge(facts, flags):
        found += [Step(0, "verify", line) for line in verify]
    if merge is not None:
        ref = f"refs/plastic/salvage/{facts.id}/{facts.grip.token}"
        found.append(Step(1, "salvage", f"keep the worktree and its branch at {ref}"))
    if is_delivered and merge is not None:
        found.append(Step(2, "merge", _merge(merge, mode)))
    found.append(
        Step(
            3,
            "record",
            f"stamp the outcome, move {facts.name} to {SECTION_OF[flags.disposition]}, "
            f"`Done  {flags.disposition}`, one commit in the home",
        )
    )
    if facts.bound.item:
        way = "complete" if is_delivered else "give back"
        found.append(Step(4, "item", f"{way} {facts.bound.item} under token {facts.grip.token}"))
    if merge is not None and tree.state != "none":
        found.append(Step(5, "worktree", _worktree(facts)))
    if merge is not None and merge.tip:
        found.append(Step(6, "branch", _branch(merge, is_delivered=is_delivered)))
    found += [
        Step(7, "unlock", f"clear the lock (token {facts.grip.token})"),
        Step(8, "bridge", "drop this session's bridge"),
    ]
    return found + [Step(9, "on_done", line) for line in on_done]


def _merge(merge: Merge, mode: str) -> str:
    branch, base = short(merge.branch), short(merge.base)
    if merge.contained:
        at = f" at {merge.proof[:SHOWN]}" if merge.proof else ""
        return f"nothing: {branch} is in {base} already ({merge.contained}{at})"
    if merge.is_remote:
        return f"nothing: {branch} is merged into {base} by others"
    if not merge.tree:
        return f"merge {branch} into {base}"
    way = "squash" if mode == "squash" else "merge"
    where = f", followed by the checkout {merge.checkout.path}" if merge.checkout.path else ""
    size = f"{merge.commits} commit(s), {merge.changed} path(s)"
    return f"{way} {branch} into {base}: {size}{where}"


def _worktree(facts: Facts) -> str:
    tree = facts.tree
    if tree.adopted:
        return f"leave {tree.path}: somebody else made it; only our mark on it goes"
    if tree.state == "missing":
        return f"drop the registration of {tree.path}, which is gone"
    where = facts.merge.common if facts.merge is not None else ""
    return f"move {tree.path} into {where}/plastic/trash"


def _branch(merge: Merge, *, is_delivered: bool) -> str:
    branch = short(merge.branch)
    if is_delivered:
        return f"delete {branch}, once it is proven to be in {short(merge.base)}"
    return f"keep {branch} ({merge.tip[:SHOWN]})"
