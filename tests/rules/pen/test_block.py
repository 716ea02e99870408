"""The lock block: every way to write it, every way in which it can be wrong, changes in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.pen.block import (
    FORMAT,
    TTL,
    Format,
    Pen,
    deadline,
    epoch,
    faults,
    holder,
    instance,
    is_name,
    is_stale,
    split,
)
from plastic.rules.pen.clock import seconds, stamp
from plastic.rules.pen.texts import listed
from tests.pen.other import FULL, fields

NOW = 1_800_000_000
SEED = """\
holder: claude
state: WORKING_CLAUDE
agents: claude,codex
turn: 3
since: 2026-06-22T18:00:00Z
expires: 2026-06-22T18:30:00Z
note: -
lang: en
"""


def pen(body: str = SEED, form: Format = FORMAT) -> Pen:
    found = split(f"# title\n{form.begin}\n{body}{form.end}\n\nrest\n", form)
    assert found is not None
    return found


def test_the_example_of_the_format() -> None:
    found = pen()
    assert faults(found) == []
    assert found.fields == fields(found.text())
    assert (found.kind, holder(found), found.agents) == ("WORKING", "claude", ["claude", "codex"])


def test_nothing_is_read_outside_of_the_markers() -> None:
    """Case E44."""
    found = split(FULL)
    assert found is not None
    assert found.get("state") == "IDLE"
    assert faults(found) == []
    assert split("state: WORKING_CLAUDE\n") is None
    assert split(f"{FORMAT.end}\nholder: x\n{FORMAT.begin}") is None


@pytest.mark.parametrize(
    "line",
    ["holder:claude", "holder:    claude   ", "  holder:\tclaude", "holder: claude\r"],
)
def test_any_blanks(line: str) -> None:
    """Fact D1: padding is whatever the writer likes; CRLF is read (case E48)."""
    assert faults(pen(SEED.replace("holder: claude", line))) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        # Case E19: holder and state disagree.
        ("holder: claude", "holder: codex", "holder=codex in WORKING_CLAUDE"),
        ("holder: claude", "holder: none", "holder=none in WORKING_CLAUDE"),
        ("state: WORKING_CLAUDE", "state: IDLE", "holder=claude in IDLE"),
        ("state: WORKING_CLAUDE", "state: AWAITING_CLAUDE", "expires=2026-06-22T18:30:00Z in"),
        ("state: WORKING_CLAUDE", "state: WORKING_BOB", "state=WORKING_BOB"),
        ("state: WORKING_CLAUDE", "state: WORKING", "state=WORKING"),
        ("state: WORKING_CLAUDE", "state: working_claude", "state=working_claude"),
        ("state: WORKING_CLAUDE", "state: IDLE_CLAUDE", "state=IDLE_CLAUDE"),
        ("state: WORKING_CLAUDE\n", "", "state missing"),
        # Fact D10: what cannot be a moment is never "not yet".
        ("expires: 2026-06-22T18:30:00Z", "expires: soon", "expires=soon"),
        ("expires: 2026-06-22T18:30:00Z", "expires: -", "expires=-"),
        ("expires: 2026-06-22T18:30:00Z", "expires: 2026-06-31T18:30:00Z", "expires=2026-06-31"),
        ("expires: 2026-06-22T18:30:00Z", "expires: 2026-06-22T18:30:00", "expires="),
        ("since: 2026-06-22T18:00:00Z", "since: yesterday", "since=yesterday"),
        ("turn: 3", "turn: -1", "turn=-1"),
        ("turn: 3", "turn: three", "turn=three"),
        ("turn: 3", "turn: ٣", "turn="),
        ("turn: 3\n", "", "turn missing"),
        ("lang: en", "lang: xx", "lang=xx"),
        ("agents: claude,codex", "agents: claude", "agents=claude"),
        ("agents: claude,codex", "agents: claude,co dex", "agents="),
        # Case E53: reserved names.
        ("agents: claude,codex", "agents: claude,none", "agents="),
        ("agents: claude,codex", "agents: claude,system", "agents="),
        ("agents: claude,codex", "agents: claude,all", "agents="),
        # Case E47: the same key twice.
        ("turn: 3", "turn: 3\nturn: 4", "turn twice"),
        # Case E71: the sentinel of a merge.
        ("note: -", "integrating: feat-a@zzz", "integrating="),
        ("note: -", "integrating: @0123abc", "integrating="),
    ],
)
def test_what_cannot_be(old: str, new: str, fault: str) -> None:
    assert old in SEED
    found = listed(faults(pen(SEED.replace(old, new))), "en")
    assert f", {fault}" in f", {found}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("agents: claude,codex\n", ""),  # the usual pair
        ("lang: en\n", ""),
        ("lang: en", "lang: zh-cn"),
        ("note: -\n", ""),
        ("agents: claude,codex", "agents: Claude , codex,,claude"),
        ("note: -", "note: -\nmodels: claude=opus\nmystery: x\n# comment\nBig-Key: y"),
        ("note: -", "integrating: feat-a@0123abc"),
    ],
)
def test_what_may_be(old: str, new: str) -> None:
    assert faults(pen(SEED.replace(old, new))) == []


def test_a_sentinel_belongs_to_work() -> None:
    """Case E71."""
    idle = SEED.replace("holder: claude", "holder: none").replace("WORKING_CLAUDE", "IDLE")
    idle = idle.replace("expires: 2026-06-22T18:30:00Z", "expires: -")
    assert faults(pen(idle)) == []
    assert faults(pen(idle + "integrating: a@0123abc\n")) == [("value", "integrating", "a@0123abc")]


def test_a_change_touches_one_value() -> None:
    """Case E48: unknown keys, comments, padding and the order of lines stay."""
    found = split(FULL)
    assert found is not None
    found.change("state", "WORKING_CODEX")
    found.change("epoch", "1")
    before, after = FULL.split("\n"), found.text().split("\n")
    new = ["state:    WORKING_CODEX", "epoch:    1"]
    assert [line for line in after if line not in before] == new
    assert [line for line in before if line not in after] == ["state:    IDLE"]
    assert after.index("epoch:    1") == after.index(FORMAT.end) - 1
    found.change("epoch", None)
    found.change("state", "IDLE")
    assert found.text() == FULL


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (FULL, ["pen_id:   a", "pen_cooldown: b", "epoch:    1"]),
        (f"x\n{FORMAT.begin}\n{SEED}{FORMAT.end}\n", ["pen_id: a", "pen_cooldown: b", "epoch: 1"]),
        (f"x\n{FORMAT.begin}\n{FORMAT.end}\n", ["pen_id: a", "pen_cooldown: b", "epoch: 1"]),
    ],
    ids=["padded", "one blank", "empty"],
)
def test_a_new_line_looks_like_the_others(text: str, lines: list[str]) -> None:
    found = split(text)
    assert found is not None
    for key, value in (("pen_id", "a"), ("pen_cooldown", "b"), ("epoch", "1")):
        found.change(key, value)
    written = found.text().splitlines()
    assert [line for line in written if line not in text.splitlines()] == lines
    assert fields(found.text()) == found.fields


def test_crlf_stays() -> None:
    found = split(FULL.replace("\n", "\r\n"))
    assert found is not None
    found.change("note", "x")
    found.change("epoch", "1")
    assert "\n" not in found.text().replace("\r\n", "")


def test_name_and_brand_are_free() -> None:
    form = Format("PEN.md", "TEAM")
    assert form.begin == "<!-- TEAM:LOCK:BEGIN -->"
    assert form.sibling("archive") == "PEN.archive.md"
    assert faults(pen(SEED, form)) == []
    assert split(pen(SEED, form).text()) is None


@given(st.text(), st.text())
def test_any_text_comes_back_as_it_was(body: str, rest: str) -> None:
    text = f"{rest}{FORMAT.begin}{body}{FORMAT.end}{rest}"
    found = split(text)
    assert found is not None
    assert found.text() == text
    faults(found)
    is_stale(found, NOW)


@given(st.integers(min_value=-62_135_596_800, max_value=253_402_300_799))
def test_moments_go_both_ways(moment: int) -> None:
    assert seconds(stamp(moment)) == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "2026-06-22 18:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-06-22T24:00:00Z",
        "٢026-06-22T18:00:00Z",
    ],
)
def test_no_moment(text: str) -> None:
    assert seconds(text) is None


def window(since: int, expires: int) -> Pen:
    body = SEED.replace("2026-06-22T18:00:00Z", stamp(since))
    return pen(body.replace("2026-06-22T18:30:00Z", stamp(expires)))


@pytest.mark.parametrize(
    ("since", "expires", "stale"),
    [
        (NOW - 100, NOW + TTL - 100, False),
        (NOW - TTL, NOW, False),  # equal has not passed
        (NOW - TTL - 1, NOW - 1, True),
        (NOW - 3 * TTL, NOW + 10, False),  # refreshed: `since` stays where it was
        # Case E21: an end that nobody can have claimed counts from the beginning.
        (NOW - 100, NOW + 10 * TTL, False),
        (NOW - TTL - 1, NOW + 10 * TTL, True),
        (NOW + 600, NOW + 600 + TTL, False),  # a clock that is ten minutes ahead
        (NOW + 10 * TTL, NOW + 11 * TTL, True),
    ],
)
def test_when_a_window_has_passed(since: int, expires: int, stale: bool) -> None:
    assert is_stale(window(since, expires), NOW) is stale


def test_half_an_hour() -> None:
    assert TTL == 30 * 60
    assert deadline(pen()) == seconds("2026-06-22T18:30:00Z")


def test_the_token_is_that_of_its_window() -> None:
    """Another program leaves the lines of an earlier window: they are no token then."""
    found = pen(SEED + "pen_id: 20260622T180000Z-0a1b2c3d\nepoch: 4\n")
    assert instance(found) == "20260622T180000Z-0a1b2c3d"
    assert epoch(found) == 4
    found.change("since", "2026-06-22T19:00:00Z")
    assert instance(found) == ""
    assert epoch(pen()) == 0


@pytest.mark.parametrize("name", ["claude", "codex-2", "a", "x_y"])
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", "Claude", "2x", "none", "system", "all", "any", "a b", "é", "a" * 65, "-a"]
)
def test_no_names(name: str) -> None:
    """Case E53."""
    assert not is_name(name)
