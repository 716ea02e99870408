"""Finishes an End whose lock is gone: INDEX says how the intent ended, so anybody may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk import endfile, token
from plastic.disk.journal import note
from plastic.rules.end.facts import DELIVERED, Grip
from plastic.rules.end.proof import has_merge
from plastic.rules.intent.index import TERMINAL
from plastic.rules.intent.savepoint import has
from plastic.words import Refusal
from plastic.work.backlog.ending import ended
from plastic.work.end.apply import apply
from plastic.work.end.guards import guards
from plastic.work.end.lastly import finish
from plastic.work.end.obstacles import gather
from plastic.work.end.record import DONE
from plastic.work.end.refusal import ended_otherwise, raise_for
from plastic.work.end.report import over_report, plan_report
from plastic.work.intent import ledger
from plastic.work.intent.index import section_of
from plastic.work.lock.release import clear_lock

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.endfile import Ending
    from plastic.rules.end.facts import Facts, Flags
    from plastic.work.backlog.ending import Ended
    from plastic.work.end.apply import Applied
    from plastic.work.end.subject import Subject


def is_over(subject: Subject) -> bool:
    """Whether nobody holds the intent and INDEX names it as ended."""
    if subject.view.state != "none":
        return False
    return section_of(subject.home, subject.intent) in TERMINAL


def over(
    subject: Subject, flags: Flags, say: Callable[[str], None], *, dry: bool
) -> dict[str, Any]:
    """Do what an End that was killed, or whose lock was released, has left undone."""
    home, intent = subject.home, subject.intent
    if section_of(home, intent) != flags.section:
        raise ended_otherwise(subject, section_of(home, intent))
    ending = endfile.load(intent.dir)
    if dry and ending is not None and _is_unfinished(subject, ending):
        return plan_report(subject, _facts(subject, flags, ending), flags)
    if dry:
        return over_report(home, intent, flags, ending)
    applied = None
    with guards(subject):
        clear_lock(home, intent, "")  # a kill may have left its link
        if ending is not None and _is_unfinished(subject, ending):
            applied = _resume(subject, flags, ending, say)
    ran = None
    if ending is not None:
        ran = finish(home, intent, subject.project, ending, say)
    item = _item(subject) if flags.disposition == DELIVERED else None
    last = applied.ending if applied else ending
    return over_report(home, intent, flags, last, ran, item)


def _item(subject: Subject) -> Ended | None:
    """What became of its item: whoever was killed has not been told. Nobody is held up by it."""
    try:
        return ended(subject.home, subject.intent)
    except Refusal as error:
        note(subject.home, "item-untold", intent=subject.intent.id, why=error.reason)
        return None


def _is_unfinished(subject: Subject, ending: Ending) -> bool:
    """Whether a step before the unlock is missing: the lock went while the End was under way."""
    if not has(ledger.text(subject.intent), DONE, ending.disposition):
        return True
    return subject.place is not None and not subject.place.adopted and subject.place.is_registered


def _resume(subject: Subject, flags: Flags, ending: Ending, say: Callable[[str], None]) -> Applied:
    """The steps from the record on; what the worktree holds is looked at as ever."""
    facts = _facts(subject, flags, ending)
    raise_for(subject, facts, flags)
    return apply(subject, facts, flags, ending, say)


def _facts(subject: Subject, flags: Flags, ending: Ending) -> Facts:
    """As the owner of that End would see it, unless there is still something to publish."""
    facts = gather(subject, flags)
    if has_merge(facts, flags):
        return facts
    known = token.counter(subject.intent.dir) or 0
    return facts._replace(grip=Grip(who=ending.session, token=known))
