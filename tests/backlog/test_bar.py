"""The bar of what takes long: after a second, on a terminal, and gone in the end."""

from __future__ import annotations

import io

import pytest

from plastic.cli.backlog.bar import bar
from plastic.store.progress import EVERY, counted
from tests.backlog.desk import Desk


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Half a second later at every look."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 0.5
        return self.now


def test_it_comes_after_a_second_and_leaves_nothing() -> None:
    out = Terminal()
    with bar(out, Clock()) as told:
        told("writing", 1, 10)
        assert out.getvalue() == ""
        told("writing", 5, 10)
        told("counting", 10, 10)
    lines = out.getvalue().split("\r")
    assert lines[1] == "writing    [############............]  50%"
    assert lines[2] == "counting   [########################] 100%"
    assert (lines[-2].strip(), lines[-1]) == ("", "")


def test_where_nobody_looks_there_is_none() -> None:
    out = io.StringIO()
    with bar(out, Clock()) as told:
        for _ in range(9):
            told("writing", 1, 10)
    assert out.getvalue() == ""


def test_a_quick_job_shows_none() -> None:
    out = Terminal()
    with bar(out) as told:
        assert list(counted(range(EVERY * 2 + 1), "writing", told)) == list(range(EVERY * 2 + 1))
    assert out.getvalue() == ""


def test_who_counts_tells_at_every_so_many() -> None:
    heard: list[tuple[str, int, int]] = []
    list(counted(range(EVERY + 1), "writing", lambda *said: heard.append(said)))
    assert heard == [("writing", 0, EVERY + 1), ("writing", EVERY, EVERY + 1)]


def test_the_long_verbs_tell(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """import, export, audit and mirror: each stage is heard of, stdout stays the result's."""
    heard: list[str] = []
    monkeypatch.setattr("plastic.store.progress.silent", lambda stage, *_: heard.append(stage))
    desk.add("One")
    path = desk.world.root / "out.json"
    path.write_text(desk.done("export", "--json").out)
    desk("forget", "local-1")
    for argv in (("import", str(path)), ("audit",), ("mirror",)):
        desk(*argv)
    assert heard == [
        "writing",
        *("writing", "linking", "judging", "counting"),
        *("reading", "counting", "comparing"),
        "writing",
    ]
