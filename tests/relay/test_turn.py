"""A child and its folder: begun once or never, told from a later process, read to the last byte."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.disk.relay import turn as turns
from plastic.disk.relay.place import About, Place, make, own, owner, record, write
from plastic.disk.relay.processes import identity, parsed
from plastic.disk.relay.turn import Lines, Turn, Words

if TYPE_CHECKING:
    from tests.world import World

ABOUT = About("abc", 1.0, "/", "/", "/", "command")


@pytest.fixture
def place(world: World) -> Place:
    return make(world.home, ABOUT)


def turn_of(place: Place, prompt: bytes = b"go") -> Turn:
    return turns.make(place, "s1", "h1", "first", "hash", 0.0, prompt)


def spawned(turn: Turn, *argv: str, keeps: bool = False) -> int:
    child = turns.spawn(turn, Words(argv, keeps), "/", dict(os.environ))
    return child.wait(20)


def test_a_program_gets_its_prompt_byte_for_byte(place: Place) -> None:
    prompt = bytes(range(256)) * 300
    turn = turn_of(place, prompt)
    assert spawned(turn, "/bin/cat") == 0
    assert Path(turn.file("out")).read_bytes() == prompt
    assert (turns.code(turn), turns.process(turn), turns.has_begun(turn)) == (0, 0, True)
    assert turns.has_session(place, "s1")
    assert not turns.has_session(place, "s2")


@pytest.mark.parametrize("program", ["/nowhere/agent", "no-such-program-anywhere"])
def test_a_program_that_is_not_there_never_began(place: Place, program: str) -> None:
    """Its hand-off is not lost: nobody had it."""
    turn = turn_of(place)
    spawned(turn, program)
    assert turns.code(turn) is None
    assert turns.give_up(turn)
    assert "not found" in turns.tail(turn, "err")


def test_stdin_stays_open_until_it_is_closed(place: Place) -> None:
    """Words that follow the prompt are the end of file, whenever that is told."""
    turn = turn_of(place, b"go\n")
    child = turns.spawn(
        turn, Words(("/bin/sh", "-c", "read x; echo $x; cat; echo end"), True), "/", {}
    )
    while turns.tail(turn, "out") != "go":
        assert child.poll() is None
    turns.close(turn)
    turns.close(turn)
    assert child.wait(20) == 0
    assert turns.tail(turn, "out") == "go\nend"
    assert turns.code(turn) == 0


def test_one_that_ends_by_itself_ends_the_wait_for_its_stdin(place: Place) -> None:
    turn = turn_of(place)
    assert spawned(turn, "/bin/sh", "-c", "exit 3", keeps=True) == 0
    assert turns.code(turn) == 3


def test_giving_up_is_for_ever(place: Place) -> None:
    turn = turn_of(place)
    assert turns.give_up(turn)
    assert spawned(turn, "/bin/cat") == 125
    assert not Path(turn.file("out")).read_bytes()
    assert (turns.has_begun(turn), turns.is_given_up(turn)) == (False, True)
    assert turns.give_up(turn), "whoever comes later hears the same"


def test_either_it_begins_or_it_is_given_up(place: Place) -> None:
    """A race of the two: exactly one of them happens."""
    seen = set()
    for number in range(12):
        turn = turn_of(place)
        given: list[bool] = []
        other = threading.Thread(target=lambda t=turn, g=given: g.append(turns.give_up(t)))
        timer = threading.Timer(random.uniform(0, 0.006), other.start)
        timer.start()
        spawned(turn, "/bin/cat")
        timer.join()
        other.join()
        ran = Path(turn.file("out")).read_bytes() == b"go"
        assert ran != given[0], number
        seen.add(ran)
    assert seen <= {True, False}


def test_a_number_used_anew_is_another_process(place: Place) -> None:
    """Case 76: of a child, and of the runner."""
    turn = turn_of(place)
    Path(turn.file("pid")).write_text(f"{os.getpid()}\n")
    Path(turn.file("stat")).write_bytes(Path("/proc/self/stat").read_bytes())
    assert turns.process(turn) == os.getpid()
    line = Path("/proc/self/stat").read_text()
    start = parsed(line)
    Path(turn.file("stat")).write_text(line.replace(f" {start} ", f" {int(start) - 1} "))
    assert turns.process(turn) == 0
    Path(turn.file("stat")).write_text("")
    assert turns.process(turn) == 0

    own(place)
    assert owner(place) == os.getpid()
    path = f"{place.path}/owner.json"
    raw = record(path) or {}
    for key, value in (("start", "1"), ("boot", "other"), ("host", "other"), ("pid", "x")):
        write(path, {**raw, key: value})
        assert owner(place) == 0, key
    write(path, raw)
    assert owner(place) == os.getpid()


def test_a_name_with_spaces_and_brackets_is_no_field() -> None:
    line = "7 (a) b ( c) S 1 7 7 " + " ".join(str(one) for one in range(40))
    assert parsed(line) == "15"
    assert parsed(line.replace(") S", ") Z")) == ""
    assert identity(2**22 + 1) == ""


def test_names_that_are_none_of_ours(place: Place) -> None:
    for name in ("zzz", ".delivery.x", "000001.old", "-3"):
        Path(place.turns, name).mkdir()
    first = turn_of(place)
    assert (first.number, turn_of(place).number) == (1, 2)
    Path(place.turns, "000003").mkdir()  # a kill left it half made
    last = turns.last(place)
    assert last is not None
    assert last.number == 2
    assert turn_of(place).number == 4


def test_old_turns_go_with_what_they_said(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "KEPT", 5)
    for _ in range(12):
        turn_of(place)
    assert len(os.listdir(place.turns)) == 6


def test_signals_of_odd_shape_are_none(place: Place) -> None:
    turn = turn_of(place)
    turns.call(turn, "done", "all \udcff", instead=False)
    odd = b'["done"]\n[1, 2]\n{}\nnone\n' + b"[" * 9000 + b'\n["pause", "torn'
    Path(turn.file("calls")).write_bytes(Path(turn.file("calls")).read_bytes() + odd)
    assert turns.calls(turn) == [("done", "all \udcff")]
    turns.call(turn, "stop", "x", instead=True)
    assert turns.calls(turn) == [("stop", "x")]


@given(
    st.lists(st.binary(max_size=40), max_size=12),
    st.integers(1, 30),
    st.lists(st.integers(0, 60), max_size=8),
)
def test_lines_are_the_same_however_they_come(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], piece: int, cuts: list[int]
) -> None:
    """Read again from the start, the same lines have the same numbers: no matter when."""
    whole = b"\n".join(parts)
    path = tmp_path_factory.getbasetemp() / "lines-of-a-child"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "PIECE", piece)
        patch.setattr(turns, "LONGEST_LINE", 20)
        path.write_bytes(b"")
        lines, found = Lines(str(path)), []
        for cut in sorted(cuts):
            path.write_bytes(whole[:cut])
            found += lines.new()
        path.write_bytes(whole)
        found += lines.rest()
    assert found == [one for one in whole.split(b"\n") if 0 < len(one) <= 20]
    assert lines.rest() == []


def test_a_hundred_megabytes_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("wb") as file:
        file.truncate(100 << 20)
        file.seek(0, os.SEEK_END)
        file.write(b"\nlast words\n")
    lines = Lines(str(path))
    assert lines.rest() == [b"last words"]
    assert lines._rest == b""
