"""The end of a turn: documents into the home's history, and what a person should not forget."""

from __future__ import annotations

from plastic.disk.child import said, start
from plastic.disk.seen import first
from plastic.disk.trail import lines
from plastic.quickjson import dumps, loads
from plastic.rules.briefing import pause as sentence
from plastic.rules.intent.stages import stage
from plastic.work.gate.facts import document, facts_of
from plastic.work.gate.sight import intent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Intent
    from plastic.work.gate.sight import Grip, Sight

MOST = 8  # sentences of one pause, before the rest is only counted
PATIENCE = 4.0  # seconds; harnesses wait ten, and a commit goes on without us
MODULE = "plastic.work.life.turn"


def pause(sight: Sight) -> list[str]:
    """Commit, and say each reason once for an acquisition; a stop that a hook caused is quiet."""
    if not sight.use.fits:
        commit_behind(sight)  # the universal answer carries nothing, and takes nobody else's turn
        return []
    tasks = _tasks(sight)
    told = _committed(sight, tasks) if tasks else {}
    if sight.use.source == "again" or sight.use.agent != "main":
        return []
    found = []
    for grip in sight.mine():
        lock, intent = grip.view.lock, grip.intent
        if lock is None or sight.session not in ("", lock.owner):
            continue
        for reason, text in _reasons(grip, lock.owner, told):
            if first(sight.home, f"stop\0{sight.session}\0{intent.dir}\0{lock.acq}\0{reason}"):
                found.append(text)
    rest = len(found) - MOST
    return [*found[:MOST], sentence("more", count=str(rest))] if rest > 1 else found


def commit_behind(sight: Sight) -> None:
    """The same commit, for a hook that may not wait."""
    tasks = _tasks(sight)
    if tasks:
        try:
            start(MODULE, [sight.home.root, dumps(tasks)])
        except OSError:
            pass


def _tasks(sight: Sight) -> list[dict[str, str]]:
    """The intents whose documents this session may have written: held, or nobody's."""
    trees = {grip.intent.dir: grip.tree for grip in sight.mine()}
    found = {grip.intent.dir: grip.intent for grip in sight.mine()}
    for kind, _, session, _, path in lines(sight.home):
        if kind != "document" or session != sight.session:
            continue
        place = sight.home.locate(path)
        if place is not None and place.kind == "intent":
            intent = intent_of(place)
            if intent.dir not in found and sight.grip(intent).view.state == "none":
                found[intent.dir] = intent
    return [
        {
            "dir": intent.dir,
            "index": sight.home.index(intent.project),
            "name": intent.name,
            "tree": trees.get(intent.dir, ""),
        }
        for intent in found.values()
    ]


def _committed(sight: Sight, tasks: list[dict[str, str]]) -> dict[str, Any]:
    """What the child says; nothing when it needs longer than the harness waits for us."""
    try:
        raw = loads(said(start(MODULE, [sight.home.root, dumps(tasks)]), PATIENCE) or b"null")
    except (OSError, ValueError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _reasons(grip: Grip, owner: str, told: dict[str, Any]) -> list[tuple[str, str]]:
    intent = grip.intent
    facts = facts_of(intent.dir, intent.name)
    found = []
    if facts.outcome:
        how = "abandoned" if _is_abandoned(intent) else "delivered"
        found.append(("no-done", sentence("no-done", name=intent.name, id=intent.id, how=how)))
    else:
        who = {"name": intent.name, "id": intent.id, "session": owner}
        found.append(("held", sentence("held", stage=stage(facts), **who)))
    count = told.get("dirty", {}).get(intent.dir)
    if count:
        paths = "one path is" if count == 1 else f"{count} paths are"
        found.append(("dirty", sentence("dirty", count=paths, name=intent.name, tree=grip.tree)))
    why = told.get("failed", {}).get(intent.dir)
    if why:
        found.append(("not-committed", sentence("not-committed", name=intent.name, why=why)))
    return found


def _is_abandoned(intent: Intent) -> bool:
    from plastic.rules.intent.intentfile import frontmatter

    said = frontmatter(document(f"{intent.dir}/outcome.md")) or {}
    return said.get("disposition") == "abandoned"
