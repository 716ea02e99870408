"""Checks of locks: stale, unreadable, of the future, and left behind by an End that was killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk import endfile, files
from plastic.rules.intent.index import TERMINAL
from plastic.words import Broken
from plastic.work.doctor.found import NOTE, Found
from plastic.work.intent.intents import index_sections
from plastic.work.intent.shelf import all_intents
from plastic.work.lock.refuse import refusal
from plastic.work.lock.verb import seen

if TYPE_CHECKING:
    from plastic.words import Intent, LockView
    from plastic.work.doctor.found import Patient


def locks(patient: Patient) -> list[Found]:
    """Everything but no lock and a fresh one; what is over is a stalled completion instead."""
    found = []
    sections = Sections(patient)
    for intent in all_intents(patient.home):
        view = seen(intent)
        if view.state in ("none", "fresh") or sections.of(intent) in TERMINAL:
            continue
        what = refusal(intent, view)
        who = f" (owner {what.who})" if what.who else ""
        found.append(Found(f"{what.reason}{who}", what.run or ""))
    return found


class Sections:
    """Where INDEX has each intent; every INDEX is read once."""

    def __init__(self, patient: Patient) -> None:
        self._home = patient.home
        self._known: dict[str | None, dict[str, str]] = {}

    def of(self, intent: Intent) -> str | None:
        """The section of one, None where INDEX does not say."""
        if intent.project not in self._known:
            try:
                self._known[intent.project] = index_sections(self._home, intent.project)
            except Broken:
                self._known[intent.project] = {}
        return self._known[intent.project].get(intent.id)


def completions(patient: Patient) -> list[Found]:
    """case 9.10/216: over in INDEX, and yet a lock or an unfinished End is there."""
    found = []
    sections = Sections(patient)
    for intent in all_intents(patient.home):
        section = sections.of(intent)
        under_way = files.exists(endfile.path_of(intent.dir))
        view = seen(intent)
        if section not in TERMINAL:
            if under_way and view.state == "none":
                what = f"an End of {intent.name} was begun, and nobody holds it any more"
                found.append(Found(what, f"plastic start {intent.id}"))
            continue
        if view.state == "none" and not under_way:
            continue
        found.append(_stalled(intent, str(section), view))
    return found


def _stalled(intent: Intent, section: str, view: LockView) -> Found:
    end = f"plastic end {intent.id} --{'abandoned' if section == 'Abandoned' else 'delivered'}"
    what = f"stalled completion: {intent.name} is in {section}, "
    if view.state == "none":
        return Found(f"{what}its End has not finished", end)
    if view.state == "fresh" and view.lock is not None:
        # An End at work looks the same; its owner is heard.
        note = f"{what}and is held by {view.lock.owner}, who is heard"
        return Found(note, f"plastic-lock who {intent.id}", NOTE)
    run = refusal(intent, view).run
    return Found(f"{what}and has a {view.state} lock", f"{run} && {end}")
