"""Attempts: a token beside a count of markers, every cell fitting one row; the ledger is exact."""

from __future__ import annotations

import pytest

from plastic.rules.backlog import attempts
from plastic.rules.backlog.answers import Grant
from plastic.rules.backlog.attempts import CROSS, Row, agree, counted, cross_check, fits, too_often

TOKENS: tuple[int | None, ...] = (None, 0, 1, 2, 3, 5, 6)
MARKERS = range(10)
CELLS = [(token, markers) for token in TOKENS for markers in MARKERS]


def expected(token: int | None, markers: int) -> tuple[int | None, bool, int]:
    """The fixture: attempts (None unknown), defect, gap."""
    has = token or 0
    if has == 0 and markers == 0:
        return 0, False, 0
    if markers == 0 or has < markers:
        return None, True, 0
    return markers, False, has - markers


def misses(rows: tuple[Row, ...]) -> list[tuple[int | None, int]]:
    """The cells that a table gets wrong, or that do not fit exactly one row."""
    wrong = []
    for token, markers in CELLS:
        mine = [row for row in rows if fits(row, token, markers)]
        count, defect, gap = expected(token, markers)
        named = {"0": 0, "markers": markers, "unknown": None}
        if len(mine) != 1 or (named[mine[0].attempts], mine[0].defect, mine[0].gap) != (
            count,
            defect,
            gap > 0,
        ):
            wrong.append((token, markers))
    return wrong


def test_all_seventy_cells_fit_one_row() -> None:
    assert len(CELLS) == 70
    assert misses(CROSS) == []


@pytest.mark.parametrize("index", range(len(CROSS)))
@pytest.mark.parametrize(
    "change", [{"defect": None}, {"attempts": "0"}, {"gap": None}, {"token": "> 0"}], ids=str
)
def test_a_broken_row_is_caught(index: int, change: dict[str, str | None]) -> None:
    row = CROSS[index]
    values = {
        name: (not getattr(row, name)) if new is None else new for name, new in change.items()
    }
    broken = row._replace(**values)  # type: ignore[arg-type]
    same = broken == row
    assert same or misses((*CROSS[:index], broken, *CROSS[index + 1 :])) != []


@pytest.mark.parametrize(
    ("token", "markers", "count", "defect", "gap"),
    [
        (None, 0, 0, False, 0),  # case 76
        (4, 0, None, True, 0),  # case 77
        (3, 3, 3, False, 0),  # case 78
        (5, 2, 2, False, 3),  # case 79
        (1, 2, None, True, 0),  # case 80
        (6, 0, None, True, 0),  # six grants without a marker are never fresh
    ],
)
def test_cases_76_to_80(
    token: int | None, markers: int, count: int | None, defect: bool, gap: int
) -> None:
    found = cross_check(token, markers)
    assert (found.attempts, found.defect, found.gap) == (count, defect, gap)


def grants(*kinds: str) -> list[Grant]:
    """A ledger with these kinds."""
    return [Grant(token, "w1", kind, 0.0) for token, kind in enumerate(kinds, 1)]


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        ((), 0),
        (("work",), 1),
        (("work", "reclaim", "reclaim"), 1),  # case 62: the same custody
        (("work", "takeover"), 2),  # case 68
        (("admin", "work", "transfer"), 1),
        (("work", "work", "work"), 3),
    ],
)
def test_only_a_change_of_custody_counts(kinds: tuple[str, ...], count: int) -> None:
    assert counted(grants(*kinds)) == count
    assert agree(grants(*kinds), len(kinds))
    assert not agree(grants(*kinds), len(kinds) + 1)


def test_a_ledger_whose_tokens_fall_is_no_ledger() -> None:
    assert not agree([Grant(2, "w1", "work", 0.0), Grant(1, "w2", "work", 1.0)], 1)


@pytest.mark.parametrize(
    ("tries", "threshold", "poison"),
    [(2, None, False), (3, None, True), (3, 5, False), (5, 5, True), (None, None, False)],
)
def test_case_86_87_the_threshold(tries: int | None, threshold: int | None, poison: bool) -> None:
    assert too_often(tries, threshold) is poison
    assert attempts.THRESHOLD == 3
