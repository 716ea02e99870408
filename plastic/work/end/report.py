"""What `plastic end` answers: the plan of a dry run, or what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.rules.end.plan import steps
from plastic.rules.end.proof import obstacles
from plastic.work.end.refusal import as_json
from plastic.work.intent.intents import describe

if TYPE_CHECKING:
    from plastic.disk.endfile import Ending
    from plastic.disk.home import Home
    from plastic.rules.end.facts import Facts, Flags
    from plastic.words import Intent
    from plastic.work.backlog.ending import Ended
    from plastic.work.end.apply import Applied
    from plastic.work.end.subject import Subject


def plan_report(subject: Subject, facts: Facts, flags: Flags) -> dict[str, Any]:
    """The whole plan and every obstacle at once."""
    project = subject.project
    found = obstacles(facts, flags)
    planned = steps(
        facts,
        flags,
        project.merge if project is not None else "merge",
        project.verify if project is not None else [],
        project.on_done if project is not None else [],
    )
    return {
        **describe(subject.home, subject.intent),
        "disposition": flags.disposition,
        "dry_run": True,
        "ready": not found,
        "obstacles": as_json(found),
        "steps": [step._asdict() for step in planned],
        "said": facts.merge.said if facts.merge is not None else "",
    }


def report(
    home: Home, intent: Intent, applied: Applied, ran: list[dict[str, Any]]
) -> dict[str, Any]:
    """What an End has done."""
    ending = applied.ending
    return {
        **describe(home, intent),
        "disposition": ending.disposition,
        "dry_run": False,
        "base": ending.base or None,
        "merge_commit": ending.new or None,
        "contained": ending.proof or None,
        "salvage": ending.salvage or None,
        "trash": applied.trash,
        "branch": applied.branch or None,
        "item": applied.item.shown() if applied.item is not None else None,
        "on_done": ran,
    }


def over_report(
    home: Home,
    intent: Intent,
    flags: Flags,
    ending: Ending | None,
    ran: list[dict[str, Any]] | None = None,
    item: Ended | None = None,
) -> dict[str, Any]:
    """Of an End whose lock is cleared: what was left to do, if anything."""
    return {
        **describe(home, intent),
        "disposition": flags.disposition,
        "dry_run": ran is None and ending is not None,
        "ready": True,
        "obstacles": [],
        "base": (ending.base or None) if ending is not None else None,
        "merge_commit": (ending.new or None) if ending is not None else None,
        "item": item.shown() if item is not None else None,
        "on_done": ran or [],
        "finished": ran is not None,
    }
