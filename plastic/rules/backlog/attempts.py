"""How often an item was tried: the ledger's count, the mirror's count, and when it is too often."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plastic.rules.backlog.answers import Grant

THRESHOLD = 3  # attempts; a grouping may set another for its members
COUNTED = ("work", "takeover")  # a change of custody; reclaim, transfer and admin are none


class Row(NamedTuple):
    """One reading of a token beside a count of claim markers."""

    token: str
    markers: str
    reading: str
    defect: bool
    attempts: str  # 0, markers or unknown
    gap: bool


CROSS = (
    Row("none or 0", "0", "never claimed", defect=False, attempts="0", gap=False),
    Row("> 0", "0", "claimed, unmarked", defect=True, attempts="unknown", gap=False),
    Row("= markers", "> 0", "consistent", defect=False, attempts="markers", gap=False),
    Row("> markers", "> 0", "lapses or lost markers", defect=False, attempts="markers", gap=True),
    Row("< markers", "> 0", "marker without grant", defect=True, attempts="unknown", gap=False),
)


class Count(NamedTuple):
    """What the two say together; `attempts` None is unknown, which is never 0."""

    attempts: int | None
    defect: bool
    gap: int
    reading: str


def fits(row: Row, token: int | None, markers: int) -> bool:
    """Whether this row of CROSS describes the pair; no token is token 0."""
    has = token or 0
    tests = {
        "none or 0": has == 0,
        "> 0": has > 0,
        "= markers": has == markers,
        "> markers": has > markers,
        "< markers": has < markers,
    }
    return tests[row.token] and (markers == 0 if row.markers == "0" else markers > 0)


def cross_check(token: int | None, markers: int) -> Count:
    """The mirror's trail beside the token, as an import finds them."""
    row = next(row for row in CROSS if fits(row, token, markers))
    count = {"0": 0, "markers": markers, "unknown": None}[row.attempts]
    return Count(count, row.defect, (token or 0) - markers if row.gap else 0, row.reading)


def counted(grants: Iterable[Grant]) -> int:
    """Attempts of a ledger of our own: exact, because every grant leaves a row."""
    return sum(1 for grant in grants if grant.kind in COUNTED)


def agree(grants: Iterable[Grant], token: int) -> bool:
    """Whether a ledger and a token belong together: tokens grow, and the last one is the token."""
    tokens = [grant.token for grant in grants]
    grows = all(one < two for one, two in pairwise(tokens))
    return grows and (tokens[-1] if tokens else 0) == token


def too_often(attempts: int | None, threshold: int | None) -> bool:
    """Whether an item is poison: offered no more, and to be parked."""
    return attempts is not None and attempts >= (THRESHOLD if threshold is None else threshold)
