"""Two programs on one file: each goes on where the other stopped, and nothing gets lost."""

from __future__ import annotations

import pytest

from tests.pen import other
from tests.pen.conftest import Tree


@pytest.fixture
def full(bare: Tree) -> Tree:
    """A file with everything that the format has, written by the other program."""
    bare.file.write_text(other.FULL)
    return bare


OURS = ("pen_id", "epoch", "pen_cooldown")


@pytest.mark.parametrize(
    "lines",
    [
        [["claim", "claude"]],
        [["claim", "gemini-2"], ["append", "gemini-2", "--to", "claude", "--done", "x"]],
        [["claim", "claude"], ["claim", "claude"], ["release", "claude", "--to", "codex"]],
        [["next", "codex"], ["done", "codex"]],
        [["claim", "claude"], ["pause", "claude", "--reason", "x"]],
        [["cooldown", "--until", "2026-01-01T00:00:00Z", "--reason", "x"]],
        [["claim", "claude"], ["roster", "add", "dan", "--by", "claude"]],
        [["init", "--force"]],
        [["archive", "--keep", "0"]],
        [["peek", "gemini-2"], ["status"], ["log"], ["turn", "1"], ["repair"], ["init"]],
    ],
)
def test_everything_survives_every_command(full: Tree, lines: list[list[str]]) -> None:
    """Only the values that a move changes are others; the turn is there to its last blank."""
    for line in lines:
        full.ok(*line)
    text = full.file.read_text()
    before, after = other.fields(other.FULL), other.fields(text)
    for key in ("models", "efforts", "lang", "mystery"):
        assert after[key] == before[key]
    for row in other.FULL.splitlines():
        key = row.partition(":")[0]
        if key not in ("holder", "state", "turn", "since", "expires", "note", "agents", "session"):
            assert row in text.splitlines(), row
    assert set(after) - set(before) <= set(OURS)
    assert text.index("mystery") < text.index("# a comment") < text.index("note:")
    assert other.turns(text)[1] == other.turns(other.FULL)[1]


def test_a_mixed_relay(full: Tree) -> None:
    """Turn about: ours, theirs; numbers go on, both read the same."""
    for round_ in range(3):
        full.ok("claim", "claude")
        full.ok("append", "claude", "--to", "codex", "--done", f"ours {round_}")
        other.claim(full.file, "codex")
        assert full.no("claim", "claude")["code"] == "held"
        other.append(full.file, "codex", "claude", f"theirs {round_}")
        assert full.ok("peek", "claude")["handoff"]["header"]["done"] == f"theirs {round_}"
    said = [one["done"] for one in full.turns.values()]
    assert said[1:] == [f"{who} {n}" for n in range(3) for who in ("ours", "theirs")]
    assert list(full.turns) == list(range(1, 8))
    assert full.block["mystery"] == "kept as it is"


def test_the_name_decides_for_who_writes_no_token(full: Tree) -> None:
    mine = full.ok("claim", "claude")
    full.ok("append", "claude", "--to", "codex", "--pen-id", mine["pen_id"])
    other.claim(full.file, "codex")
    assert full.block["pen_id"] == "-", "the other program keeps the line"
    assert full.ok("status")["pen_id"] is None
    assert full.no("append", "codex", "--to", "claude", "--pen-id", "x")["code"] == "displaced"
    full.ok("append", "codex", "--to", "claude")


def test_the_other_takes_over(full: Tree) -> None:
    """By force, as its rules allow: what ours presents afterwards is refused."""
    mine = full.ok("claim", "claude")
    other.expire(full.file)
    other.claim(full.file, "codex")
    other.append(full.file, "codex", "claude", "took over")
    other.claim(full.file, "claude")
    other.put(full.file, since=other.now(-1))  # no two windows begin in one second
    token = ("--pen-id", mine["pen_id"])
    assert full.no("append", "claude", "--to", "codex", *token)["code"] == "displaced"
    assert full.no("append", "claude", "--to", "codex", "--epoch", "1")["code"] == "displaced"
    full.ok("append", "claude", "--to", "codex")


def test_padding_of_any_kind(full: Tree) -> None:
    full.file.write_text(other.FULL.replace("holder:   none", "holder:none"))
    full.ok("claim", "claude")
    assert "holder: claude" in full.file.read_text()


def test_the_seed_reads(bare: Tree) -> None:
    """The eight fields of the format's first description, and no turn 0."""
    bare.file.write_text(
        "# pen\n\n<!-- M8SHIFT:LOCK:BEGIN -->\nholder: claude\nstate: WORKING_CLAUDE\n"
        f"agents: claude,codex\nturn: 0\nsince: {other.now()}\nexpires: {other.now(1800)}\n"
        "note: -\nlang: en\n<!-- M8SHIFT:LOCK:END -->\n"
    )
    bare.ok("append", "claude", "--to", "codex", "--done", "first")
    assert bare.turns[1]["done"] == "first"
    assert bare.block["holder"] == "codex"
