"""The guards that End holds from its first write to the unlock, taken in the house's order."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from plastic.disk.locks import intent_guard, repo_guard

if TYPE_CHECKING:
    from plastic.work.end.subject import Subject


def guards(subject: Subject) -> ExitStack:
    """The guard of the intent and, where there is a repository, its guard."""
    with ExitStack() as taken:
        taken.enter_context(intent_guard(subject.intent.dir))
        if subject.place is not None:
            taken.enter_context(repo_guard(subject.place.site.common))
        return taken.pop_all()
