"""`.end.json`: whole or absent, readable whoever wrote it, finished by one process at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from plastic.disk import endfile
from plastic.disk.endfile import Ending

ENDING = Ending("delivered", "a note", "S", "1700000000", base="refs/heads/main", new="a" * 40)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    endfile.save(str(tmp_path), ENDING)
    assert endfile.load(str(tmp_path)) == ENDING
    endfile.drop(str(tmp_path))
    assert endfile.load(str(tmp_path)) is None
    endfile.drop(str(tmp_path))


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", '{"at": 5}', '{"at": "x", "disposition": "delivered"}', '{"at": "1"}'],
)
def test_what_nobody_can_read_is_no_end(tmp_path: Path, text: str) -> None:
    (tmp_path / ".end.json").write_text(text)
    assert endfile.load(str(tmp_path)) is None


def test_unknown_and_odd_keys_do_no_harm(tmp_path: Path) -> None:
    text = '{"at": "7", "disposition": "delivered", "more": 1, "new": ["x"], "note": null}'
    (tmp_path / ".end.json").write_text(text)
    found = endfile.load(str(tmp_path))
    assert found == Ending("delivered", "", "", "7")


def test_one_finishes_at_a_time(tmp_path: Path) -> None:
    with endfile.finishing(str(tmp_path)) as ours:
        assert not ours
    endfile.save(str(tmp_path), ENDING)
    with endfile.finishing(str(tmp_path)) as first, endfile.finishing(str(tmp_path)) as second:
        assert (first, second) == (True, False)
    with endfile.finishing(str(tmp_path)) as again:
        assert again
        endfile.drop(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
