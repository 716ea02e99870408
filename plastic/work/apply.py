"""Applies an End, step by step, under the guards of intent and repository; each asks the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import endfile
from plastic.disk.failpoints import point
from plastic.disk.git import Git
from plastic.disk.journal import note
from plastic.disk.lockfile import beat
from plastic.rules.endfacts import DELIVERED
from plastic.rules.proof import has_merge, short
from plastic.words import Lost, Refusal
from plastic.work import fence, salvage
from plastic.work.leave import drop_branch, fate, leave_worktree
from plastic.work.lock import relation, row, seen
from plastic.work.merge import commit, message
from plastic.work.publish import Moved, publish
from plastic.work.record import record
from plastic.work.refuse import refusal
from plastic.work.release import clear_lock

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.endfile import Ending
    from plastic.rules.endfacts import Facts, Flags, Merge
    from plastic.words import Lock
    from plastic.work.subject import Place, Subject

SHOWN = 12  # digits of a commit


class Applied(NamedTuple):
    """What an End did; `branch` is its fate in words, `trash` where the worktree lies."""

    ending: Ending
    trash: str | None
    branch: str


def apply(
    subject: Subject,
    facts: Facts,
    flags: Flags,
    ending: Ending,
    title: str,
    say: Callable[[str], None],
) -> Applied:
    """Do what is not done yet. Raises with the lock in place; running End again goes on.

    Without a lock only what follows the merge may be left: nobody's right to publish is known.
    """
    lock, token = subject.view.lock, facts.grip.token
    assert lock is not None or not has_merge(facts, flags)
    beat(subject.view, subject.session, every=0, guarded=True)
    ending = _keep(subject, token, ending)
    if facts.merge is not None:
        ending = _publish(subject, facts, flags, ending, title, say)
    record(subject.home, subject.intent, ending, _where(facts.merge, ending))
    trash, branch = None, ""
    if subject.place is not None:
        trash = leave_worktree(subject.intent, subject.place, token, say)
        point("end.buried")
        branch = _branch(subject, subject.place, facts, flags, ending)
    if lock is not None:
        _unlock(subject, lock)
    named = row(subject.intent, subject.session, token, facts.grip.acq)
    note(
        subject.home,
        "end",
        **named,
        disposition=ending.disposition,
        base=ending.base,
        merge=ending.new,
        discarded=flags.discard or None,
        proven_by=flags.proven_by or None,
        accepted_taint=flags.accept_tainted or None,
    )
    return Applied(ending, trash, branch)


def _keep(subject: Subject, token: int, ending: Ending) -> Ending:
    """Step 1, and the note that an End is under way."""
    if subject.place is not None:
        repo = subject.place.site.root
        kept = salvage.keep(repo, subject.intent, subject.view, token)
        point("end.salvaged")
        ending = ending._replace(salvage=kept.ref if kept is not None else "")
    endfile.save(subject.intent.dir, ending)
    point("end.noted")
    return ending


def _publish(
    subject: Subject,
    facts: Facts,
    flags: Flags,
    ending: Ending,
    title: str,
    say: Callable[[str], None],
) -> Ending:
    """Step 2. A merge that is in the base already is not made again."""
    merge = facts.merge
    assert merge is not None
    if not has_merge(facts, flags):
        known = ending._replace(base=merge.base, tip=merge.tip or ending.tip)
        if not ending.new and not ending.proof:
            known = known._replace(proof=merge.contained)
        endfile.save(subject.intent.dir, known)
        return known
    mode = subject.project.merge if subject.project is not None else "merge"
    parents = [merge.base_tip] if mode == "squash" else [merge.base_tip, merge.tip]
    said = message(mode, subject.intent.name, title, merge.base, merge.tip)
    new = commit(merge.common, merge.tree, parents, said, f"@{ending.at} +0000")
    place = merge.checkout.path
    ending = ending._replace(
        base=merge.base, tip=merge.tip, old=merge.base_tip, new=new, checkout=place, proof=""
    )
    endfile.save(subject.intent.dir, ending)
    point("end.merged")
    old = fence.read(merge.root, subject.intent)
    barrier = (fence.ref_of(subject.intent), old.oid) if old is not None else None
    try:
        publish(
            merge.common,
            merge.base,
            merge.base_tip,
            new,
            merge.tip,
            barrier,
            place or None,
            subject.intent.id,
            say,
        )
    except Moved:
        raise
    except Refusal:
        endfile.drop(subject.intent.dir)  # nothing was published: there is nothing to finish
        raise
    point("end.published")
    return ending


def _where(merge: Merge | None, ending: Ending) -> str:
    """What became of the branch, for the stamp: the same words whenever it is asked."""
    if merge is None:
        return ""
    branch, base = short(merge.branch), short(merge.base)
    if ending.disposition != DELIVERED:
        return f"`{branch}` is kept"
    if ending.new:
        return f"Merged into `{base}` as {ending.new[:SHOWN]}"
    return f"In `{base}` ({ending.proof})"


def _branch(subject: Subject, place: Place, facts: Facts, flags: Flags, ending: Ending) -> str:
    """Step 6."""
    kept: str | None = None
    if flags.disposition == DELIVERED:
        merge = facts.merge
        tip = (merge.tip if merge is not None else "") or ending.tip
        by_person = bool(flags.proven_by)
        kept = drop_branch(subject.intent, place, tip, ending.salvage, by_person=by_person)
        point("end.branch")
    elif Git(place.site.root).says("rev-parse", "--verify", "--quiet", place.branch) is None:
        return "gone"
    return fate(flags.disposition, kept)


def _unlock(subject: Subject, lock: Lock) -> None:
    """Step 7: a lock that somebody made meanwhile, past our guard, stays as it is."""
    try:
        clear_lock(subject.home, subject.intent, lock.acq)
    except Lost:
        now = seen(subject.intent)
        if relation(now, subject.session) == "foreign" and now.state == "fresh":
            raise refusal(subject.intent, now) from None
        raise
    point("end.unlocked")
