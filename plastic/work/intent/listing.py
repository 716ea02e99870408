"""The list of intents, each described once, with one look at each store's INDEX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.intent.index import SECTIONS
from plastic.words import Broken, Missing, Usage
from plastic.work.intent.intents import describe, index_sections
from plastic.work.intent.shelf import GLOBAL, all_intents, require_home, stores

if TYPE_CHECKING:
    from plastic.disk.home import Home

TERMINAL = ("Completed", "Abandoned")


def listed(
    home: Home, project: str | None, section: str | None, *, with_terminal: bool
) -> tuple[list[dict[str, Any]], int]:
    """The objects of the intents that were asked for, and how many were left out as over.

    A section that is named is always shown.
    """
    require_home(home)
    if project is not None and project not in {one or GLOBAL for one in stores(home)}:
        raise Missing("no-project", f"there is no project {project!r}", run="plastic list")
    wanted = _section(section)
    known: dict[str | None, dict[str, str]] = {}
    found = []
    over = 0
    for intent in all_intents(home):
        if project is not None and (intent.project or GLOBAL) != project:
            continue
        if intent.project not in known:
            known[intent.project] = _sections(home, intent.project)
        stands = known[intent.project].get(intent.id)
        if wanted is not None and stands != wanted:
            continue
        if wanted is None and stands in TERMINAL and not with_terminal:
            over += 1
            continue
        found.append(describe(home, intent, known[intent.project]))
    return found, over


def _section(text: str | None) -> str | None:
    if text is None:
        return None
    for section in SECTIONS:
        if section.casefold() == text.strip().casefold():
            return section
    raise Usage("section", f"no section {text!r}: {', '.join(SECTIONS)}", run="plastic list")


def _sections(home: Home, project: str | None) -> dict[str, str]:
    try:
        return index_sections(home, project)
    except Broken:
        return {}
