"""The counter outlives the lock; lost or damaged, the journal's highest number comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from plastic.disk.home import Home
from plastic.disk.journal import note
from plastic.disk.token import count, counter, journalled

VALUES = [
    ("7\n", 7),
    ("7", 7),
    (" 7 ", 7),
    ("-3", 0),
    ("", None),
    ("x", None),
    ("7.5", None),
    ("9" * 100, None),
    ("\u0667", None),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_what_the_file_says(tmp_path: Path, text: str, value: int | None) -> None:
    (tmp_path / "delivery.token").write_text(text)
    assert counter(str(tmp_path)) == value


def test_absent_and_odd_files_are_lost(tmp_path: Path) -> None:
    assert counter(str(tmp_path)) is None
    (tmp_path / "delivery.token").mkdir()
    assert counter(str(tmp_path)) is None


def test_counting(tmp_path: Path) -> None:
    for number in (1, 2, 40):
        count(str(tmp_path), number)
        assert counter(str(tmp_path)) == number


def test_the_journal_and_its_rotated_files(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    assert journalled(home, "14") == 0
    note(home, "acquire", intent="14", token=3)
    note(home, "acquire", intent="15", token=99)
    note(home, "deny", intent="1", reason='"14" "token": 50')
    assert journalled(home, "14") == 3
    older = Path(home.log).with_name("events.2020.jsonl")
    older.write_text(
        '{"intent": "14", "token": 8}\nnot json "14"\n{"intent": "14", "token": true}\n'
    )
    assert journalled(home, "14") == 8
