"""What End tries before it changes anything: `verify:` on the merged tree, and the merge commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.clock import now
from plastic.rules.end.proof import has_merge, obstacles
from plastic.words import Refusal
from plastic.work.end.obstacles import gather
from plastic.work.end.refusal import as_json, raise_for
from plastic.work.end.verify import is_wanted, verify
from plastic.work.merge.commit import merge_commit

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.end.facts import Facts, Flags
    from plastic.work.end.subject import Subject

    Say = Callable[[str], None]

ASKED = ("commit-msg", "signing")  # refusals that have a row of their own among the obstacles


def planned(subject: Subject, flags: Flags, say: Say) -> Facts:
    """Everything that a dry run judges: what only a try can tell is tried, if it comes to that."""
    facts = _tried(subject, gather(subject, flags), flags, say)
    merge = facts.merge
    if merge is None or not merge.tree or not has_merge(facts, flags) or obstacles(facts, flags):
        return facts
    try:
        merge_commit(subject, merge, str(int(now())))
    except Refusal as refused:
        return _unmade(facts, refused)
    return facts


def committed(subject: Subject, facts: Facts, flags: Flags, at: str) -> str:
    """The merge commit, or the refusal of hook, key or object store, listed as in a dry run."""
    assert facts.merge is not None
    try:
        return merge_commit(subject, facts.merge, at)
    except Refusal as refused:
        refused.facts = {"obstacles": as_json(obstacles(_unmade(facts, refused), flags))}
        raise


def _unmade(facts: Facts, refused: Refusal) -> Facts:
    assert facts.merge is not None
    name = refused.code if refused.code in ASKED else "merge-commit"
    return facts._replace(merge=facts.merge._replace(unmade=(name, refused.reason)))


def try_merge(subject: Subject, flags: Flags, say: Say) -> str:
    """The merged tree that passed `verify:`, outside of all guards; "" when nothing is tried."""
    place = subject.place
    if place is None or not is_wanted(place.site.root, _lines(subject)):
        return ""
    facts = _tried(subject, gather(subject, flags), flags, say)
    raise_for(subject, facts, flags)
    return facts.merge.tree if facts.merge is not None else ""


def _lines(subject: Subject) -> list[str]:
    return subject.project.verify if subject.project is not None else []


def _tried(subject: Subject, facts: Facts, flags: Flags, say: Say) -> Facts:
    """The facts with the answer of `verify:`, which is asked late: it may take long."""
    merge = facts.merge
    if merge is None or not merge.tree or obstacles(facts, flags):
        return facts
    if not is_tried(subject, facts):
        return facts
    failed = verify(facts.id, merge, _lines(subject), say)
    if failed is None:
        return facts
    for said in failed.said.splitlines():
        say(f"  {said}")
    return facts._replace(merge=merge._replace(failed=failed.line, said=failed.said))


def is_tried(subject: Subject, facts: Facts) -> bool:
    """Whether this merge is one that is tried before it is made."""
    merge = facts.merge
    if merge is None or not merge.tree or merge.contained:
        return False
    return is_wanted(merge.root, _lines(subject))
