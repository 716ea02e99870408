"""What keeps an intent from ending: one row an obstacle, one pure function over facts."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.end.facts import ABANDONED, DELIVERED
from plastic.rules.end.obstacles_lock import LOCK_RULES
from plastic.rules.end.obstacles_merge import MERGE_RULES
from plastic.rules.end.obstacles_tree import TREE_RULES
from plastic.words import EXIT_BROKEN, EXIT_HELD, EXIT_REFUSED, EXIT_STALE, EXIT_USAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.end.facts import Facts, Flags
    from plastic.rules.end.obstacle import Rule

RULES: tuple[Rule, ...] = (*LOCK_RULES, *TREE_RULES, *MERGE_RULES)
# Which exit code a refusal with several obstacles has: the first of these that is among them.
WORST = (EXIT_HELD, EXIT_STALE, EXIT_BROKEN, EXIT_USAGE, EXIT_REFUSED)
HEADS = "refs/heads/"
SHOWN = 5  # paths named in a reason
ALL = 40  # paths in a command
PATTERN = frozenset("*?[\\")  # what a pathspec of git takes for more than itself
READY = ("all", "names")  # fields that are shell words already


class Obstacle(NamedTuple):
    """One reason why an intent cannot end: `flag` lifts it ("" = nothing does), `run` resolves it.

    `exit` is the code of a refusal that this obstacle causes.
    """

    name: str
    reason: str
    flag: str
    run: str
    exit: int
    what: tuple[str, ...] = ()


def obstacles(facts: Facts, flags: Flags) -> list[Obstacle]:
    """Every obstacle at once, in the order of the table."""
    found = []
    for rule in RULES:
        if not _applies(rule, facts, flags):
            continue
        what = tuple(rule.find(facts, flags))
        if what:
            found.append(_obstacle(rule, facts, flags, what))
    return found


def worst(found: Iterable[Obstacle]) -> Obstacle:
    """The one that a refusal names: a fresh holder before all, then what only a takeover helps."""
    return min(found, key=lambda one: WORST.index(one.exit))


def has_merge(facts: Facts, flags: Flags) -> bool:
    """Whether something is to be merged: delivered, and not in the base already."""
    merge = facts.merge
    return flags.disposition == DELIVERED and merge is not None and not merge.contained


def _applies(rule: Rule, facts: Facts, flags: Flags) -> bool:
    if rule.lifted(flags):
        return False
    if rule.ends == "merge":
        return has_merge(facts, flags)
    return rule.ends == "always" or flags.disposition == DELIVERED


def _obstacle(rule: Rule, facts: Facts, flags: Flags, what: tuple[str, ...]) -> Obstacle:
    fields = _fields(facts, flags, what)
    quoted = {key: one if key in READY else shlex.quote(one) for key, one in fields.items()}
    return Obstacle(
        rule.name,
        rule.says.format_map(fields),
        rule.flag,
        rule.run.format_map(quoted),
        rule.exit,
        what,
    )


def _fields(facts: Facts, flags: Flags, what: tuple[str, ...]) -> dict[str, str]:
    more = f" and {len(what) - SHOWN} more" if len(what) > SHOWN else ""
    merge = facts.merge
    return {
        "id": facts.id,
        "name": facts.name,
        "who": facts.grip.who,
        "token": str(facts.grip.token),
        "disposition": flags.disposition,
        "other": ABANDONED if flags.disposition == DELIVERED else DELIVERED,
        "item": facts.bound.item,
        "project": facts.bound.project,
        "path": facts.tree.path,
        "root": merge.root if merge is not None else "",
        "branch": short(merge.branch) if merge is not None else "",
        "base": short(merge.base) if merge is not None else "",
        "remote": _remote(merge.base) if merge is not None else "",
        "said": merge.said.rstrip().rpartition("\n")[2] if merge is not None else "",
        "checkout": merge.checkout.path if merge is not None else "",
        "what": ", ".join(what[:SHOWN]) + more,
        "first": what[0],
        "n": str(len(what)),
        # Whole shell words; a list that would not fit is left to `.`.
        "all": shlex.join(map(literal, what)) if len(what) <= ALL else ".",
        "names": shlex.join(what),
    }


def literal(name: str) -> str:
    """A file's name where git takes a pattern: so that it means this file and no other."""
    return f":(literal){name}" if name[0] == ":" or not PATTERN.isdisjoint(name) else name


def short(ref: str) -> str:
    """A ref as people name it."""
    return ref.removeprefix(HEADS).removeprefix("refs/remotes/")


def _remote(ref: str) -> str:
    return short(ref).partition("/")[0]
