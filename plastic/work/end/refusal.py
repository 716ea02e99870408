"""The refusals of `plastic end`: the worst obstacle, and the one command that leads on."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from plastic.disk.command import flagged
from plastic.rules.end.facts import SECTION_OF
from plastic.rules.end.proof import obstacles, worst
from plastic.words import (
    EXIT_BROKEN,
    EXIT_HELD,
    EXIT_STALE,
    EXIT_USAGE,
    Broken,
    Held,
    Refused,
    Stale,
    Usage,
)
from plastic.work.lock.refuse import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.end.facts import Facts, Flags
    from plastic.rules.end.proof import Obstacle
    from plastic.words import Refusal
    from plastic.work.end.subject import Subject

KINDS: dict[int, type[Refusal]] = {
    EXIT_USAGE: Usage,
    EXIT_HELD: Held,
    EXIT_STALE: Stale,
    EXIT_BROKEN: Broken,
}
# The lock itself says who and since when, and how it is got.
LOCK = ("held", "stale", "corrupt", "future")
# Obstacles whose own command is the way on; every other is listed by a dry run.
DIRECT = ("no-lock", "not-owner", "overtaken", "ended", "pen", "conflict", "proven-by")


def raise_for(subject: Subject, facts: Facts, flags: Flags) -> None:
    """Refuse when anything is in the way."""
    found = obstacles(facts, flags)
    if not found:
        return
    first = worst(found)
    shown = as_json(found)
    if first.name in LOCK:
        wrong = refusal(subject.intent, subject.view)
        wrong.facts = {"obstacles": shown}
        raise wrong
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    raise KINDS.get(first.exit, Refused)(
        first.name,
        f"{facts.name} cannot end: {first.reason}{more}",
        run=own(first) if first.name in DIRECT else dry_run(subject, flags),
        who=_who(first, facts),
        facts={"obstacles": shown},
    )


def _who(first: Obstacle, facts: Facts) -> str | None:
    if first.name == "pen":
        return first.what[0]
    return facts.grip.who if first.name == "not-owner" else None


def own(obstacle: Obstacle) -> str:
    """An obstacle's own command; one of ours acts as the session that was typed."""
    if not obstacle.run.startswith("plastic"):
        return obstacle.run
    ours, and_then, others = obstacle.run.partition(" && ")
    return shlex.join([*shlex.split(ours), *flagged()]) + and_then + others


def as_json(found: Iterable[Obstacle]) -> list[dict[str, object]]:
    """Obstacles as `--json` prints them."""
    return [
        {
            "name": one.name,
            "reason": one.reason,
            "flag": one.flag or None,
            "run": own(one),
            "exit": one.exit,
            "what": list(one.what),
        }
        for one in found
    ]


def dry_run(subject: Subject, flags: Flags) -> str:
    """The command that shows every obstacle with its own way out."""
    words = ["plastic", "end", subject.intent.id, f"--{flags.disposition}", "--dry-run"]
    return shlex.join([*words, *flagged()])


def base_moving(subject: Subject) -> Refusal:
    """The refusal of an End that others have outrun each time."""
    return Refused(
        "base-moved",
        f"the base of {subject.intent.name} moved each time before the merge was published",
        run=shlex.join(["plastic", "sync", subject.intent.id, *flagged()]),
    )


def ended_otherwise(subject: Subject, section: str | None) -> Refusal:
    """The refusal to end what has ended in another way."""
    other = next((how for how, name in SECTION_OF.items() if name == section), None)
    words = ["end", subject.intent.id, f"--{other}", *flagged()]
    return Refused(
        "ended",
        f"{subject.intent.name} has ended already: INDEX says {section}",
        run=shlex.join(["plastic", *(words if other else ("show", subject.intent.id))]),
    )
