"""The commit object of an End: no ref names it yet, so making it changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.work.gate.facts import document, title_of
from plastic.work.merge.objects import commit, message

if TYPE_CHECKING:
    from plastic.rules.end.facts import Merge
    from plastic.work.end.subject import Subject


def merge_commit(subject: Subject, merge: Merge, at: str) -> str:
    """The id of the merge (or squash) as the project wants it, dated at this second.

    Raises what the user's commit-msg hook, key or object store has against it.
    """
    intent = subject.intent
    mode = subject.project.merge if subject.project is not None else "merge"
    parents = [merge.base_tip] if mode == "squash" else [merge.base_tip, merge.tip]
    title = title_of(document(intent.file), intent.name)
    said = message(mode, intent.name, title, merge.base, merge.tip)
    return commit(merge.common, merge.tree, parents, said, f"@{at} +0000")
