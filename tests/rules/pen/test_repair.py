"""Repair: whatever has happened to the file, it holds afterwards and no turn is gone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.pen.block import FORMAT, Pen, faults, split
from plastic.rules.pen.repair import repaired
from plastic.rules.pen.turns import HIDDEN, journal
from tests.pen.other import FULL, LOCK, fields, turns

NOW = 1_800_000_000


def mended(text: str) -> tuple[str, Pen, list[tuple[str, ...]]]:
    found = repaired(text, FORMAT, NOW)
    pen = split(found.text)
    assert pen is not None
    assert faults(pen) == []
    book = journal(found.text)
    assert book.faults == []
    assert int(pen.get("turn")) == book.last
    assert found.done or found.text == text
    assert repaired(found.text, FORMAT, NOW).done == [], "once is enough"
    return found.text, pen, found.done


def test_what_is_sound_stays() -> None:
    assert mended(FULL)[0] == FULL
    assert mended(FULL)[2] == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # The block says what cannot be: the journal decides.
        ("holder:   none", "holder:   codex", "AWAITING_GEMINI-2"),
        ("state:    IDLE", "state:    BUSY", "AWAITING_GEMINI-2"),
        ("state:    IDLE", "state:    WORKING_CODEX", "AWAITING_GEMINI-2"),
        ("expires:  -", "expires:  soon", "AWAITING_GEMINI-2"),
        ("expires:  -\n", "", "AWAITING_GEMINI-2"),
        # What is certain stays.
        ("turn:     1", "turn:     0", "IDLE"),
        ("turn:     1", "turn:     7", "IDLE"),
        ("turn:     1", "turn:     1\nturn:     9", "IDLE"),
        ("since:    2026-06-22T18:00:00Z", "since: -", "IDLE"),
        ("agents:   claude,codex,gemini-2", "agents:   claude", "IDLE"),
        ("lang:     en", "lang: xx", "IDLE"),
    ],
)
def test_a_wrong_value(old: str, new: str, expected: str) -> None:
    """Cases E19, E47, E51."""
    text, pen, done = mended(FULL.replace(old, new))
    assert done
    assert pen.get("state") == expected
    assert turns(text) == turns(FULL)
    assert fields(text)["mystery"] == "kept as it is"
    assert "# a comment" in text


@pytest.mark.parametrize("lost", [FORMAT.begin, FORMAT.end])
def test_a_lost_marker(lost: str) -> None:
    text, pen, _ = mended(FULL.replace(lost + "\n", ""))
    assert pen.get("state") == "IDLE"
    assert pen.agents == ["claude", "codex", "gemini-2"]
    assert turns(text) == turns(FULL)


def test_no_block_at_all() -> None:
    text, pen, done = mended(LOCK.sub("", FULL))
    assert done[0] == ("new-block",)
    assert turns(text) == turns(FULL)
    assert pen.agents == ["codex", "gemini-2"], "who is in the journal"
    assert text.index(FORMAT.begin) < text.index("## Turn log")


@pytest.mark.parametrize("text", ["", "words\n", "# title", "\n\n"])
def test_a_file_that_is_no_pen_yet(text: str) -> None:
    after, pen, _ = mended(text)
    assert pen.get("state") == "IDLE"
    assert text.strip() in after


def test_a_second_block() -> None:
    """Case E47: it stays to be read, and is a block no more."""
    block = LOCK.search(FULL)
    assert block is not None
    text, pen, done = mended(f"{FULL}\n{block[0].replace('IDLE', 'DONE')}\n")
    assert pen.get("state") == "IDLE"
    assert "state:    DONE" in text
    assert ("second-block",) in done
    assert turns(text) == turns(FULL)


def test_the_same_number_twice() -> None:
    """Case E51: both turns stay."""
    twin = FULL[FULL.index("<!-- M8SHIFT:TURN 1 codex BEGIN") :]
    text, pen, done = mended(FULL + "\n" + twin.replace("renamed it", "again"))
    assert ("renumbered", "1", "2") in done
    assert pen.get("turn") == "2"
    assert [one["done"] for one in turns(text).values()][1:] == ["renamed it", "again"]


@pytest.mark.parametrize("side", ["BEGIN", "END"])
@pytest.mark.parametrize("number", ["0 system", "1 codex"])
def test_half_a_turn(number: str, side: str) -> None:
    text, _, _ = mended(FULL.replace(f"<!-- M8SHIFT:TURN {number} {side} -->\n", ""))
    for line in FULL.splitlines():
        if not line.startswith("<!-- M8SHIFT:"):
            assert line.partition(":")[0] in text


def test_the_archive_counts() -> None:
    found = repaired(FULL.replace("turn:     1", "turn:     0"), FORMAT, NOW, archived=9)
    assert fields(found.text)["turn"] == "9"


MARKS = [
    FORMAT.begin,
    FORMAT.end,
    "<!-- M8SHIFT:TURN 1 ana BEGIN -->",
    "<!-- M8SHIFT:TURN 1 ana END -->",
    "<!-- M8SHIFT:TURN 2 bo BEGIN -->",
    "<!-- M8SHIFT:TURN 2 bo END -->",
    "holder: ana",
    "state: WORKING_ANA",
    "agents: ana,bo",
    "turn: 1",
    "- to: bo",
    "words",
    "",
]


def words(text: str) -> list[str]:
    return re.findall(r"words|- to: bo", text.replace(HIDDEN, ""))


@given(st.lists(st.sampled_from(MARKS), max_size=14), st.sampled_from(["\n", "\r\n"]))
def test_any_wreck(lines: list[str], end: str) -> None:
    text = end.join(lines)
    after, _, _ = mended(text)
    assert words(after) == words(text)
    begun = re.findall(r"TURN \d \w+ BEGIN", text)
    assert len(journal(after).turns) == len(begun)
