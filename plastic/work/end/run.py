"""`plastic end`: plan, then apply; killed anywhere, running it again finishes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk import endfile
from plastic.disk.clock import now
from plastic.disk.endfile import Ending
from plastic.disk.git import Git
from plastic.rules.end.facts import DELIVERED
from plastic.rules.end.proof import has_merge, obstacles
from plastic.work.end.apply import Applied, apply
from plastic.work.end.guards import guards
from plastic.work.end.lastly import finish
from plastic.work.end.obstacles import gather, gather_grip
from plastic.work.end.over import is_over, over
from plastic.work.end.refusal import base_moving, raise_for
from plastic.work.end.report import plan_report, report
from plastic.work.end.subject import Subject, subject_of
from plastic.work.end.trial import is_tried, planned, try_merge
from plastic.work.lock.verb import relation
from plastic.work.merge.publish import Moved, heal
from plastic.work.sync import fetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.rules.end.facts import Facts, Flags
    from plastic.words import Intent

    Say = Callable[[str], None]

ATTEMPTS = 5  # plans, while others move the base


class Wish(NamedTuple):
    """What was asked for: the flags, a note for INDEX, and whether it is only to be shown."""

    flags: Flags
    note: str = ""
    dry: bool = False


def end(home: Home, intent: Intent, caller: Caller, wish: Wish, say: Say) -> dict[str, Any]:
    """End an intent; what was done, or with `dry` what would be done and what is in the way.

    Refuses with nothing changed while there is any obstacle.
    """
    subject = subject_of(home, intent, caller)
    if is_over(subject):
        return over(subject, wish.flags, say, dry=wish.dry)
    if wish.dry:
        facts = planned(subject, wish.flags, say)
        return plan_report(subject, facts, wish.flags)
    for _ in range(ATTEMPTS):
        try:
            applied = _attempt(home, intent, caller, wish, say)
        except Moved:
            continue
        if applied is None:
            return over(subject_of(home, intent, caller), wish.flags, say, dry=False)
        ran = finish(home, intent, subject.project, applied.ending, say)
        return report(home, intent, applied, ran)
    raise base_moving(subject)


def _attempt(home: Home, intent: Intent, caller: Caller, wish: Wish, say: Say) -> Applied | None:
    """One plan and its application; Moved when somebody was faster with the base.

    None when the same command, started twice, has ended it meanwhile.
    """
    subject = subject_of(home, intent, caller)
    if is_over(subject):
        return None
    if relation(subject.view, subject.session) == "owner":
        _mend(subject)
        if subject.place is not None and wish.flags.disposition == DELIVERED:
            fetch(Git(subject.place.site.root), subject.place.base, say)
    # Who may not end it waits for no guard, and changes not even a time.
    if obstacles(gather_grip(subject, wish.flags), wish.flags):
        raise_for(subject, gather(subject, wish.flags), wish.flags)
    tried = try_merge(subject, wish.flags, say)
    with guards(subject):
        subject = subject_of(home, intent, caller)
        if is_over(subject):
            return None
        facts = gather(subject, wish.flags)
        raise_for(subject, facts, wish.flags)
        if is_tried(subject, facts) and facts.merge is not None and facts.merge.tree != tried:
            raise Moved("base-moved", "the base moved while the merge was tried")
        return apply(subject, facts, wish.flags, _ending(subject, facts, wish), say)


def _mend(subject: Subject) -> None:
    """Finish or take back what an End that was killed had begun to publish."""
    left = endfile.load(subject.intent.dir)
    if left is None or not left.new or subject.place is None:
        return
    with guards(subject):
        heal(subject.place.site.common, left.base, left.checkout or None, left.old, left.new)


def _ending(subject: Subject, facts: Facts, wish: Wish) -> Ending:
    """The End that was begun, if it is still about the same; else a new one."""
    left = endfile.load(subject.intent.dir)
    note = wish.note or (left.note if left is not None else "")
    fresh = Ending(wish.flags.disposition, note, subject.session, str(int(now())))
    if left is None or left.disposition != wish.flags.disposition:
        return fresh
    merge = facts.merge
    if merge is not None and has_merge(facts, wish.flags):
        is_same = (left.tip, left.old) == (merge.tip, merge.base_tip)
        return left._replace(session=subject.session, note=note) if is_same else fresh
    # What was written down already stays as it was.
    return left._replace(session=subject.session, note=left.note if facts.terminal else note)
