"""The tables of references/backlog.md, from the rules of the backlog."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plastic.rules.backlog import grants
from plastic.rules.backlog.attempts import CROSS
from plastic.rules.backlog.blockers import CLASSES, TABLE
from plastic.rules.backlog.bound import TIES
from plastic.rules.backlog.completion import ACTS
from plastic.rules.backlog.lifecycle import MOVES
from plastic.rules.backlog.parking import PARTS
from plastic.rules.backlog.ready import CHAIN, VERDICTS
from plastic.rules.backlog.reports import REPORTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Rows = Callable[[Iterable[str], Iterable[Iterable[str]]], str]

PAGE = "references/backlog.md"


def _plural(says: str) -> str:
    """A sentence whose plurals depend on a number."""
    return re.sub(r"\{\w+_s\}", "(s)", says)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def tables(rows: Rows) -> list[tuple[str, str, Callable[[], str]]]:
    """Page, name and printer of each table; `rows` makes Markdown of a head and a body."""
    return [
        (
            PAGE,
            "chain",
            lambda: rows(
                ("step", "reason", "the item", "verdict"),
                ((c.step, _code(c.code), _plural(c.says), _code(c.verdict)) for c, _ in CHAIN),
            ),
        ),
        (
            PAGE,
            "verdicts",
            lambda: rows(("verdict", "means"), ((_code(k), v) for k, v in VERDICTS.items())),
        ),
        (PAGE, "ties", lambda: rows(("the item is", "that is"), TIES.items())),
        (
            PAGE,
            "blockers",
            lambda: rows(
                ("blocker", "when", "new edge", "old edge", "report"),
                ((r.seen, r.when, r.author, CLASSES[r.rank], r.report) for r in TABLE.values()),
            ),
        ),
        (
            PAGE,
            "reports",
            lambda: rows(
                ("code", "condition", "keeps out", "severity", "names", "repaired by"),
                (
                    (k, r.condition, r.keeps, r.severity, r.names, r.repair)
                    for k, r in REPORTS.items()
                ),
            ),
        ),
        (
            PAGE,
            "custody",
            lambda: rows(("answer", "when"), ((_code(k), v) for k, v in grants.CUSTODY.items())),
        ),
        (
            PAGE,
            "writes",
            lambda: rows(
                ("the claim", "token presented", "answer"),
                ((a, b, _code(c) or "admitted") for a, b, c in grants.WRITES),
            ),
        ),
        (
            PAGE,
            "attempts",
            lambda: rows(
                ("token", "markers", "reading", "attempts", "report"),
                (
                    (r.token, r.markers, r.reading, r.attempts, "D13" if r.defect else "")
                    for r in CROSS
                ),
            ),
        ),
        (PAGE, "acts", lambda: rows(("item", "what must have happened"), (a[:2] for a in ACTS))),
        (
            PAGE,
            "route",
            lambda: rows(("part", "names"), ((_code(k), v) for k, v in PARTS.items())),
        ),
        (
            PAGE,
            "moves",
            lambda: rows(("from", "on", "if", "to", "besides"), (move[:] for move in MOVES)),
        ),
    ]
