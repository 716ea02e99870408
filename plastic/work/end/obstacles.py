"""Gathers what decides whether an intent can end; reads only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from plastic.disk.commit import require_repository
from plastic.disk.files import read_text
from plastic.disk.git import Git, oid
from plastic.disk.notes import disposition
from plastic.rules.end.facts import DELIVERED, Bound, Facts, Flags, Grip, Merge, Papers
from plastic.rules.intent.artifacts import open_boxes, real
from plastic.rules.intent.intentfile import errors
from plastic.work.backlog.ending import judge
from plastic.work.end.basefacts import merge_facts, refs_of
from plastic.work.end.tainted import tainted
from plastic.work.end.treefacts import tree_facts
from plastic.work.fence import ref as fence
from plastic.work.gate.facts import LIMIT
from plastic.work.intent.index import section_of
from plastic.work.lock.verb import relation
from plastic.work.pen.foreign import foreign
from plastic.work.tree.salvage import folder_of

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent
    from plastic.work.end.subject import Subject


def gather_grip(subject: Subject, flags: Flags) -> Facts:
    """The lock alone: enough to refuse whoever is not the owner."""
    intent = subject.intent
    section = section_of(subject.home, intent)
    papers = Papers(said=flags.disposition, section=section)
    is_terminal = section == flags.section
    return Facts(intent.id, intent.name, _grip(subject), papers, terminal=is_terminal)


def gather(subject: Subject, flags: Flags) -> Facts:
    """Everything that rules/end/proof.py judges, as it stands at this moment."""
    found = gather_grip(subject, flags)
    _writable(subject)
    found = found._replace(papers=_papers(subject.home, subject.intent, found.papers.section))
    found = found._replace(bound=_bound(subject, flags))
    if subject.place is None:
        return found
    merge = _merge(subject, flags, terminal=found.terminal)
    return found._replace(tree=tree_facts(subject.intent, subject.place), merge=merge)


def _bound(subject: Subject, flags: Flags) -> Bound:
    tried = bool(subject.project is not None and subject.project.verify)
    return judge(
        subject.home,
        subject.intent,
        subject.view.lock,
        flags.disposition,
        subject.place.base if subject.place is not None else "",
        tried=tried,
    )


def _merge(subject: Subject, flags: Flags, *, terminal: bool) -> Merge:
    assert subject.place is not None
    intent, place = subject.intent, subject.place
    taken = oid(Git(place.site.root), folder_of(intent)) or ""
    if flags.disposition != DELIVERED:
        return refs_of(place)._replace(salvage_taken=taken)
    found = merge_facts(intent, place, flags)._replace(salvage_taken=taken)
    checkout = found.checkout
    if checkout.path and not checkout.away:
        other = foreign(checkout.path, subject.session, os.environ, flags.agent)
        found = found._replace(checkout=checkout._replace(pen=other.who if other else ""))
    if terminal and not found.tip:
        return found._replace(contained="recorded")  # this End's own last steps took it away
    return found


def _grip(subject: Subject) -> Grip:
    view, lock = subject.view, subject.view.lock
    kind = relation(view, subject.session)
    if lock is None:
        return Grip(kind, view.state)
    repo = subject.place.site.root if subject.place is not None else None
    passed = fence.is_overtaken(fence.read(repo, subject.intent), lock.token, lock.acq)
    return Grip(kind, view.state, lock.owner, lock.token, lock.acq, passed)


def _papers(home: Home, intent: Intent, section: str | None) -> Papers:
    outcome = _text(f"{intent.dir}/outcome.md")
    own = _text(intent.file)
    is_real = real(outcome)
    return Papers(
        is_real,
        disposition(outcome) if is_real else None,
        open_boxes(_text(f"{intent.dir}/checklist.md")),
        tuple(errors(own, intent.name)),
        section,
        tainted(home, intent),
    )


def _writable(subject: Subject) -> None:
    """What End writes into in the home; step 3 must not be the first to find that it cannot."""
    require_repository(subject.home)
    for name in ("savepoint.md", ".end.json"):
        _text(f"{subject.intent.dir}/{name}")


def _text(path: str) -> str:
    """A document; one that cannot be read is an error here, not an empty page."""
    return read_text(path, LIMIT) or ""
