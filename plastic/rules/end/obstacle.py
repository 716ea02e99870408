"""One row of End's obstacle table, and the ways in which rows look at the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plastic.rules.end.facts import Facts, Flags, Merge

    Find = Callable[[Facts, Flags], Iterable[str]]

DISCARD = "--discard-worktree-changes"
PROVEN = "--proven-by"
TAINTED = "--accept-tainted"


class Rule(NamedTuple):
    """One obstacle. `ends`: always, delivered, or merge (delivered and not in the base already).

    `find` answers with what is in the way; fields in braces are filled in by rules/end/proof.py.
    """

    name: str
    exit: int
    flag: str
    ends: str
    find: Find
    says: str
    run: str

    def lifted(self, flags: Flags) -> bool:
        """Whether the caller's own option takes this obstacle away."""
        return (self.flag == DISCARD and flags.discard) or (
            self.flag == TAINTED and flags.accept_tainted
        )


def either(what: object) -> tuple[str, ...]:
    """One thing in the way, or nothing."""
    return (str(what),) if what else ()


def tree(key: str) -> Find:
    """Look at one fact about the worktree."""

    def find(facts: Facts, _: Flags) -> tuple[str, ...]:
        return _all(getattr(facts.tree, key))

    return find


def merge(ask: Callable[[Merge], object]) -> Find:
    """Ask the facts about branch and base."""

    def find(facts: Facts, _: Flags) -> tuple[str, ...]:
        return _all(ask(facts.merge) if facts.merge is not None else ())

    return find


def _all(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, tuple) else either(value)
