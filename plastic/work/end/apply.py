"""Applies an End, step by step, under the guards of intent and repository; each asks the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk import endfile
from plastic.disk.failpoints import point
from plastic.disk.git import Git, oid
from plastic.disk.journal import note
from plastic.disk.lockfile import beat
from plastic.rules.end.facts import DELIVERED
from plastic.rules.end.proof import has_merge, short
from plastic.words import Lost, Refusal
from plastic.work.backlog.ending import Ended, finish
from plastic.work.end.leave import drop_branch, fate, leave_worktree
from plastic.work.end.record import record
from plastic.work.end.trial import committed
from plastic.work.fence import ref as fence
from plastic.work.lock.refuse import refusal
from plastic.work.lock.release import clear_lock
from plastic.work.lock.verb import relation, row, seen
from plastic.work.merge.publish import publish
from plastic.work.tree import reflogs, salvage

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.endfile import Ending
    from plastic.rules.end.facts import Facts, Flags, Merge
    from plastic.words import Lock
    from plastic.work.end.subject import Place, Subject

SHOWN = 12  # digits of a commit


class Applied(NamedTuple):
    """What an End did; `branch` is its fate in words, `trash` where the worktree lies."""

    ending: Ending
    trash: str | None
    branch: str
    item: Ended | None = None


def apply(
    subject: Subject,
    facts: Facts,
    flags: Flags,
    ending: Ending,
    say: Callable[[str], None],
) -> Applied:
    """Do what is not done yet. Raises with the lock in place; running End again goes on.

    Without a lock only what follows the merge may be left: nobody's right to publish is known.
    """
    lock, token = subject.view.lock, facts.grip.token
    assert lock is not None or not has_merge(facts, flags)
    merge = facts.merge
    new = ""
    if merge is not None and has_merge(facts, flags):
        # Hook, key and object store may say no: before anything has changed.
        new = committed(subject, facts, flags, ending.at)
    beat(subject.view, subject.session, every=0, guarded=True)
    before = _salvaged(subject, token)
    ending = _keep(subject, token, ending, say)
    if merge is not None and new:
        ending = _published(subject, merge, new, ending, before, say)
    elif merge is not None:
        ending = _known(subject, merge, ending)
    record(subject.home, subject.intent, ending, _where(facts.merge, ending))
    item = _item(subject, lock, ending, flags)
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
    return Applied(ending, trash, branch, item)


def _item(subject: Subject, lock: Lock | None, ending: Ending, flags: Flags) -> Ended | None:
    """Step 4: the item is completed by what has been merged, or given back."""
    commit = ending.new or flags.proven_by or ending.tip
    tried = bool(subject.project is not None and subject.project.verify)
    home, intent = subject.home, subject.intent
    return finish(home, intent, lock, ending.disposition, commit, tried=tried)


def _salvaged(subject: Subject, token: int) -> list[str]:
    """The salvage refs that no earlier try has left."""
    if subject.place is None:
        return []
    git = Git(subject.place.site.root)
    refs = (salvage.ref_of(subject.intent, token), reflogs.ref_of(subject.intent, token))
    return [ref for ref in refs if oid(git, ref) is None]


def _keep(subject: Subject, token: int, ending: Ending, say: Callable[[str], None]) -> Ending:
    """Step 1, and the note that an End is under way."""
    place = subject.place
    if place is not None:
        kept = salvage.keep(place.site.root, subject.intent, subject.view, token)
        where = None if place.adopted else place.path
        log = [] if place.adopted and ending.disposition != DELIVERED else [place.branch]
        more = reflogs.keep_reflogs(place.site.common, subject.intent, token, where, log)
        if more is not None:
            say(f"commits that only the reflog had are kept at {more.ref}")
        point("end.salvaged")
        ending = ending._replace(salvage=kept.ref if kept is not None else "")
    endfile.save(subject.intent.dir, ending)
    point("end.noted")
    return ending


def _known(subject: Subject, merge: Merge, ending: Ending) -> Ending:
    """Step 2 for a merge that is in the base already: it is not made again."""
    known = ending._replace(base=merge.base, tip=merge.tip or ending.tip)
    if not ending.new and not ending.proof:
        known = known._replace(proof=merge.contained)
    endfile.save(subject.intent.dir, known)
    return known


def _published(
    subject: Subject,
    merge: Merge,
    new: str,
    ending: Ending,
    before: list[str],
    say: Callable[[str], None],
) -> Ending:
    """Step 2; when it does not come about, step 1 is taken back as well."""
    place = merge.checkout.path
    ending = ending._replace(
        base=merge.base, tip=merge.tip, old=merge.base_tip, new=new, checkout=place, proof=""
    )
    endfile.save(subject.intent.dir, ending)
    point("end.merged")
    assert subject.view.lock is not None
    try:
        barrier = fence.barrier(merge.root, subject.intent, subject.view.lock)
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
    except (Refusal, OSError):
        _take_back(subject, merge, ending, before)
        raise
    point("end.published")
    return ending


def _take_back(subject: Subject, merge: Merge, ending: Ending, before: list[str]) -> None:
    """Leave nothing of an End whose base did not move; what did move is finished by the next.

    `before` are the salvage refs that were not there before it.
    """
    git = Git(merge.root)
    words = ("merge-base", "--is-ancestor", ending.new, merge.base)
    if git.run(*words, ok=None, quiet=True).rc == 0:
        return
    endfile.drop(subject.intent.dir)
    for ref in before:
        kept = oid(git, ref)
        if kept is not None:
            git.run(*fence.NO_HOOKS, "update-ref", "-d", ref, kept, ok=None)


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
        barrier = None
        if subject.view.lock is not None:
            barrier = fence.barrier(place.site.root, subject.intent, subject.view.lock)
        kept = drop_branch(subject.intent, place, tip, ending.salvage, barrier, by_person=by_person)
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
