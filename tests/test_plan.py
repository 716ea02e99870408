"""The tables of references/reliability.md are printed from tests/plan.py, and true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plan import MUTANTS, PLAN, tables
from tests.soak import PAGE, page, rows_of

HERE = Path(__file__).parent
NAMED = sorted(
    {
        test
        for tests in (*(one.tests for one in PLAN), *(one.tests for one in MUTANTS))
        for test in tests
    }
)
IDS = [*(f"C{n}" for n in range(1, 12)), "K1", "K2", "K3", "K4", "E1", "E2", "T1", "T2", "F1"]


def test_the_page_is_printed_from_the_plan_and_its_own_rows() -> None:
    text = PAGE.read_text()
    assert text == page(rows_of(text))
    assert tables(rows_of(text)) in text


def test_every_attack_has_a_row() -> None:
    ids = [one.id for one in PLAN]
    assert [one for one in [*IDS, "F2", "F3", "S1", "model"] if one not in ids] == []
    rows = rows_of(PAGE.read_text())
    missing = [one.id for one in PLAN if not any(row.startswith(one.rows) for row in rows)]
    assert missing == []


def test_every_mutant_has_a_test() -> None:
    without = " ".join(one.without for one in MUTANTS)
    for word in ("guard", "compare", "fence", "proof", "token"):
        assert word in without
    assert all(one.tests for one in MUTANTS)


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_is_a_test(name: str) -> None:
    file, _, test = name.partition("::")
    assert re.search(rf"^ *def {test}\(", (HERE / file).read_text(), re.MULTILINE), name
