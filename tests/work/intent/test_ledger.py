"""The savepoint ledger on disk (cases 9.8/158-164)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from plastic.rules.intent.savepoint import parse
from plastic.words import Intent
from plastic.work.intent.ledger import record, repair, text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def intent(tmp_path: Path) -> Intent:
    folder = tmp_path / "1--x"
    folder.mkdir()
    (folder / "1--x.md").write_text("## Intent\n")
    return Intent("1", "x", str(folder), None)


def rows(intent: Intent) -> list[tuple[str, str]]:
    return [row[1:] for row in parse(text(intent))]


def test_a_pair_is_recorded_once(intent: Intent) -> None:
    """Cases 9.8/158 and 159."""
    assert record(intent, "Why", "spec.md created")
    assert not record(intent, "Why", "spec.md created")
    assert record(intent, "How", "spec.md created")
    assert rows(intent) == [("Why", "spec.md created"), ("How", "spec.md created")]


def test_audits_are_recorded_each_time(intent: Intent) -> None:
    for _ in range(2):
        assert record(intent, "Lock", "takeover: B reclaimed delivery lock from A")
    assert len(rows(intent)) == 2


def test_a_missing_final_newline_glues_nothing(intent: Intent) -> None:
    with open(f"{intent.dir}/savepoint.md", "w") as file:
        file.write("2026-01-01T00:00:00Z  Why  started")
    record(intent, "Why", "spec.md created")
    assert rows(intent) == [("Why", "started"), ("Why", "spec.md created")]


@pytest.mark.parametrize("how", ["link", "fifo", "directory"])
def test_what_is_no_file_is_an_error_and_never_followed(intent: Intent, how: str) -> None:
    path = f"{intent.dir}/savepoint.md"
    if how == "link":
        os.symlink("/tmp/elsewhere-of-a-test", path)
    elif how == "fifo":
        os.mkfifo(path)
    else:
        os.mkdir(path)
    with pytest.raises(OSError, match="savepoint"):
        record(intent, "Why", "started")
    assert text(intent) == ""
    assert not os.path.lexists("/tmp/elsewhere-of-a-test")


def test_repair_adds_what_is_missing_and_drops_phantoms(intent: Intent) -> None:
    """Cases 9.8/161 and 162, 9.11/222."""
    record(intent, "What", "1--x.md")
    record(intent, "Why", "spec.md created")
    record(intent, "Lock", "takeover: B reclaimed delivery lock from A")
    assert repair(intent)
    assert rows(intent) == [
        ("What", "1--x.md"),
        ("Lock", "takeover: B reclaimed delivery lock from A"),
    ]
    with open(f"{intent.dir}/spec.md", "w") as file:
        file.write("real\n")
    os.utime(f"{intent.dir}/spec.md", (1, 1))
    assert repair(intent)
    assert ("Why", "spec.md created") in rows(intent)
    assert text(intent).startswith("1970-01-01T00:00:01Z  Why  spec.md created\n")
    assert not repair(intent)


CODE = """
import sys
from plastic.words import Intent
from plastic.work.intent.ledger import record
for number in range(50):
    record(Intent("1", "x", sys.argv[1], None), f"Stage{sys.argv[2]}", f"milestone {number}")
"""


def test_racing_appends_leave_whole_lines(intent: Intent) -> None:
    """Case 9.8/164."""
    running = [
        subprocess.Popen([sys.executable, "-c", CODE, intent.dir, str(one)]) for one in range(8)
    ]
    assert [one.wait() for one in running] == [0] * 8
    assert sorted(rows(intent)) == sorted(
        (f"Stage{one}", f"milestone {number}") for one in range(8) for number in range(50)
    )
    assert len(text(intent).splitlines()) == 400
