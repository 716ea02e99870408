"""The journal is truth, the snapshot a cache: cut, torn, stale, hostile, or of a newer plastic."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.relay import journal
from plastic.disk.relay.place import About, Place, about_of, leave, make
from plastic.rules.relay.events import Event
from plastic.rules.relay.state import State
from plastic.words import Broken
from plastic.work.relay.desk import Desk, look, packed, unpacked

if TYPE_CHECKING:
    from tests.relay.stage import Stage
    from tests.world import World

ABOUT = About("abc", 1.0, "/", "/", "/", "command")


def desk(world: World, *events: Event) -> Desk:
    place = make(world.home, ABOUT)
    leave(place)  # this process would count as its runner
    journal.begin(place)
    found = Desk(place, ABOUT)
    for event in events:
        found.post(event)
    return found


def start(number: int = 3) -> Event:
    return Event("START", relay="abc", session="s1", fresh="h1", text="go", max_steps=number)


def settled(text: str, fresh: str) -> Event:
    return Event("SETTLED", session="s1", parse="hand-off", text=text, fresh=fresh)


def lived(world: World) -> Place:
    seen = Event("USER_MESSAGE_START", session="s1", hop="h1")
    return desk(world, start(), seen, settled("next", "h2")).place


def test_what_was_posted_is_there_again(world: World) -> None:
    first = desk(world, start(), settled("next \udcff \U0001f980", "h2"))
    first.begin_effect(2, 0)
    again = Desk(first.place, ABOUT)
    assert (again.state, again.seq, again.done) == (first.state, 2, {0})
    assert look(first.place) == first.state
    assert again.state.pending is not None
    assert again.state.pending.prompt == "next \udcff \U0001f980"


def test_a_torn_tail_is_dropped_and_mended(world: World) -> None:
    """Case 74: cut at any byte of the last line, before or behind a kill."""
    place = lived(world)
    whole = Path(place.journal).read_bytes()
    begin = whole.rstrip(b"\n").rfind(b"\n") + 1
    Path(place.snapshot).unlink()
    for at in {begin, begin + 1, (begin + len(whole)) // 2, len(whole) - 1}:
        Path(place.journal).write_bytes(whole[:at])
        assert look(place).state == "running"
        again = Desk(place, ABOUT)
        again.post(settled("other", "h3"))
        assert look(place).pending is not None
        assert Path(place.journal).read_bytes().startswith(whole[:begin] + b'{"seq": 3')


def test_every_cut_reads_as_some_earlier_moment(world: World) -> None:
    """Case 73: whatever the disk kept, the step never jumps."""
    place = lived(world)
    whole = Path(place.journal).read_bytes()
    head = whole.index(b"\n") + 1
    Path(place.snapshot).unlink()
    seen = []
    for at in range(head, len(whole) + 1, 7):
        Path(place.journal).write_bytes(whole[:at])
        seen.append(look(place).state)
    assert [one for i, one in enumerate(seen) if i == 0 or seen[i - 1] != one] == ["off", "running"]


ODD = (
    b'{"event": 1}',
    b'{"seq": "x", "event": {"kind": "OFF"}, "row": "59"}',
    b'{"seq": 4, "event": {"kind": "OFF"}}',
    b'{"seq": 9, "did": []}',
    b"no json",
    b"[1, 2]",
    b"[" * 100_000,
    b"\xff\xfe",
)


@pytest.mark.parametrize("line", ODD, ids=range(len(ODD)))
def test_a_line_that_is_no_row_says_nothing(world: World, line: bytes) -> None:
    place = lived(world)
    before = look(place)
    with open(place.journal, "ab") as file:
        file.write(line + b"\n")
    assert look(place) == before == Desk(place, ABOUT).state


GUESSES = (
    (b'"seq": 2', b'"seq": 7', "lacks event 2"),
    (b'"kind": "USER_MESSAGE_START"', b'"kind": ["USER_MESSAGE_START"]', "in event 2"),
    (b'"kind": "USER_MESSAGE_START"', b'"kind": "NONSENSE"', "in event 2"),
    (b'{"seq": 2, "event"', b'{"seq": 2, "evEnt"', "lacks event 2"),
    (b'"base": null', b'"base": {"state": 7}', "starts from"),
    (b'"schema": 1, "relay"', b'"schema" 1, "relay"', "first line"),
)


@pytest.mark.parametrize(("old", "new", "why"), GUESSES, ids=range(len(GUESSES)))
def test_a_gap_is_refused_and_put_aside_by_hand(
    stage: Stage, old: bytes, new: bytes, why: str
) -> None:
    """The printed command makes room; nothing is lost by it."""
    place = lived(stage.world)
    data = Path(place.journal).read_bytes()
    assert old in data
    Path(place.journal).write_bytes(data.replace(old, new))
    Path(place.snapshot).unlink()
    done = stage.do("status", "abc", "--json")
    assert done.rc == 5, done.out
    assert why in done.json["error"]["reason"]
    assert stage.world.run("sh", "-c", done.json["error"]["run"]).rc == 0
    assert stage.do("list", "--json").json == {"relays": []}
    assert os.path.exists(f"{place.path}.unreadable/journal.jsonl")


SNAPSHOTS: tuple[Any, ...] = (
    {},
    [],
    {"schema": 1, "seq": 2, "offset": 3, "state": State().to_json()},
    {"schema": 1, "seq": -1, "offset": -5, "state": State().to_json()},
    {"schema": 1, "seq": 1, "offset": 10**12, "state": State().to_json()},
    {"schema": 1, "seq": 3, "offset": 0, "state": {"state": 7, "pending": []}},
    {"schema": 1, "seq": 3, "offset": 0, "state": {"state": "running", "pending": {"hop": 1}}},
    {"schema": 1, "seq": 3, "offset": 0, "state": {"costs": 3}},
)


@pytest.mark.parametrize("value", SNAPSHOTS, ids=range(len(SNAPSHOTS)))
def test_a_snapshot_that_is_none_changes_nothing(world: World, value: object) -> None:
    place = lived(world)
    before = look(place)
    Path(place.snapshot).write_text(json.dumps(value))
    assert look(place) == before


@pytest.mark.parametrize("name", ["snapshot", "journal"])
def test_a_newer_schema_is_refused_readably(stage: Stage, name: str) -> None:
    """Case 75: neither read nor overwritten."""
    path = Path(getattr(lived(stage.world), name))
    data = path.read_bytes().replace(b'"schema": 1', b'"schema": 2', 1)
    path.write_bytes(data)
    Path(f"{path.parent}/snapshot.json" if name == "journal" else "/nowhere").unlink(True)
    for words in (("status", "abc"), ("resume", "abc"), ("off", "abc")):
        done = stage.do(*words, "--json")
        assert (done.rc, "newer plastic" in done.json["error"]["reason"]) == (5, True), words
    assert path.read_bytes() == data


def test_it_begins_anew_before_it_grows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LONGEST", 4000)
    kept = desk(world, start())
    for number in range(100):
        kept.post(Event("STAGE_MODEL", text=f"model {number}"))
        assert os.path.getsize(kept.place.journal) < 6000
    assert look(kept.place) == kept.state == Desk(kept.place, ABOUT).state
    Path(kept.place.snapshot).unlink()
    assert look(kept.place) == kept.state
    kept.post(Event("OFF"))
    assert Desk(kept.place, ABOUT).state.reason == "user_off"


@pytest.mark.parametrize("effect", ["remove", "hard_link", "replace"])
def test_it_is_there_whenever_the_cut_is_killed(
    world: World, monkeypatch: pytest.MonkeyPatch, effect: str
) -> None:
    """The name is never free: a relay without a journal would be in the way for ever."""
    kept = desk(world, start())
    before = kept.state

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for _ in range(2):  # the second time there is an older one
        with monkeypatch.context() as patch:
            patch.setattr(journal, effect, killed)
            with pytest.raises(KeyboardInterrupt):
                journal.begin(kept.place, kept.state.to_json(), kept.seq)
        assert look(kept.place) == before == Desk(kept.place, ABOUT).state
        journal.begin(kept.place, kept.state.to_json(), kept.seq)
    assert about_of(kept.place) == ABOUT


def test_a_folder_of_a_killed_start_is_no_relay(stage: Stage) -> None:
    make(stage.world.home, ABOUT)
    assert stage.do("list", "--json").json == {"relays": []}
    assert stage.do("status").rc == 6
    stage.turns("signal done --summary x")
    assert stage.start().rc == 0


def test_a_journal_that_is_no_file_is_refused(world: World) -> None:
    place = lived(world)
    Path(place.snapshot).unlink()
    Path(place.journal).unlink()
    with pytest.raises(Broken):
        look(place)


def test_events_survive_their_journal() -> None:
    event = Event("COST", now=2.5, usd=1, tasks=("a", "b"), max_cost=None, max_steps=4)
    assert unpacked(json.loads(json.dumps(packed(event)))) == event
    assert unpacked({"kind": "OFF", "later": 1}) == Event("OFF")
    for odd in ({}, {"kind": 3}, {"kind": "OFF", "now": "x"}, {"kind": "OFF", "tasks": 3}):
        assert unpacked(odd) is None
