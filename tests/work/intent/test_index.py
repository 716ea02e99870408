"""INDEX.md under many hands: nothing is lost, and a broken one is one clear line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from plastic.disk.atomic import swap
from plastic.disk.files import replace
from plastic.rules.intent.index import read
from plastic.rules.intent.index_edit import skeleton
from plastic.words import Broken, Intent
from plastic.work.intent.index import section_of, set_section
from tests.soak import record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

WRITERS = 8
EACH = 50


@pytest.fixture
def store(world: World) -> World:
    """A home made by hand with an empty project `shop`."""
    os.makedirs(world.home.store("shop"))
    return world


def intent(world: World, id: str, slug: str = "x") -> Intent:
    return Intent(id, slug, f"{world.home.store('shop')}/{id}--{slug}", "shop")


def index(world: World) -> Path:
    return world.root / "home/projects/shop/INDEX.md"


def test_an_absent_or_empty_index_is_made(store: World) -> None:
    assert section_of(store.home, intent(store, "1")) is None
    set_section(store.home, intent(store, "1", "some-words"), "Future")
    assert section_of(store.home, intent(store, "1")) == "Future"
    assert "[1 — some words](store/1--some-words/1--some-words.md)" in index(store).read_text()
    index(store).write_text("\n")
    set_section(store.home, intent(store, "1"), "Active")
    assert section_of(store.home, intent(store, "1")) == "Active"


def test_setting_the_same_section_again_writes_nothing(store: World) -> None:
    set_section(store.home, intent(store, "1"), "Active")
    before = os.lstat(index(store))
    set_section(store.home, intent(store, "1"), "Active")
    assert os.lstat(index(store)) == before


def test_moves_keep_peoples_bytes(store: World) -> None:
    index(store).write_bytes(
        b"\xef\xbb\xbf# Us\r\n\r\n## Active  \r\n* [1 - One](x)\r\n\xff raw\r\n\r\n## Completed\r\n"
    )
    index(store).chmod(0o660)
    set_section(store.home, intent(store, "1"), "Completed", "2026-11-30")
    assert index(store).read_bytes() == (
        b"\xef\xbb\xbf# Us\r\n\r\n## Active  \r\n\xff raw\r\n\r\n## Completed\r\n\r\n"
        b"* [1 - One](x) \xe2\x80\x94 2026-11-30\r\n"
    )
    assert index(store).stat().st_mode & 0o777 == 0o660


def spoil(path: Path, how: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if how == "binary":
        path.write_bytes(b"\x00\x01\x02")
    elif how == "fifo":
        os.mkfifo(path)
    elif how == "link":
        path.symlink_to(path.parent / "elsewhere")
    elif how == "directory":
        path.mkdir()
    elif how == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 30)
    else:
        path.write_text("## Active\n")
        path.chmod(0)


SPOILED = ("binary", "fifo", "link", "directory", "huge", "no rights")


@pytest.mark.parametrize("how", SPOILED)
def test_a_broken_index_is_one_clear_line(store: World, permissions: None, how: str) -> None:
    spoil(index(store), how)
    with pytest.raises(Broken) as refused:
        set_section(store.home, intent(store, "1"), "Active")
    assert str(index(store)) in refused.value.reason
    assert "\n" not in refused.value.reason
    assert store.run("sh", "-c", refused.value.run).rc == 0
    with pytest.raises(Broken):
        section_of(store.home, intent(store, "1"))


@pytest.mark.parametrize("broken", [False, True], ids=["ours", "plain rename"])
def test_an_editor_that_saves_in_the_very_moment(
    store: World, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    """A plain rename in place of our exchange is caught here: it loses the person's line."""
    set_section(store.home, intent(store, "1"), "Active")
    saves = ["a person's line\n"]

    def late(path: str, data: bytes, seen: os.stat_result | None) -> bool:
        if saves:
            edited = index(store).with_name("edited")
            edited.write_text(index(store).read_text() + saves.pop())
            edited.rename(index(store))
        if broken:
            replace(path, data)
            return True
        return swap(path, data, seen)

    monkeypatch.setattr("plastic.work.intent.index.swap", late)
    set_section(store.home, intent(store, "2"), "Active")
    assert section_of(store.home, intent(store, "2")) == "Active"
    assert ("a person's line" in index(store).read_text()) is not broken


WRITER = """
import sys
from plastic.disk.home import Home
from plastic.words import Intent
from plastic.work.intent.index import set_section
home = Home(sys.argv[1])
for number in range(int(sys.argv[3])):
    id = f"{number + 1}w{sys.argv[2]}"
    set_section(home, Intent(id, "x", f"{home.store('shop')}/{id}--x", "shop"), "Future")
    set_section(home, Intent(id, "x", f"{home.store('shop')}/{id}--x", "shop"), "Active")
"""
# A person whose editor saves by rename and takes no guard, but reloads when the file changed.
EDITOR = """
import os, sys
from plastic.disk.atomic import swap
path, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    while True:
        seen = os.lstat(path)
        with open(path, "rb") as file:
            text = file.read()
        if swap(path, text + b"human line %d\\n" % number, seen):
            break
"""


def race(world: World, writers: int, each: int, saves: int) -> None:
    path = index(world)
    path.write_text(skeleton("Index of shop") + "\n## Notes\n\n")
    home = world.home.root
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, home, str(number), str(each)])
        for number in range(writers)
    ]
    running.append(subprocess.Popen([sys.executable, "-c", EDITOR, str(path), str(saves)]))
    assert [one.wait() for one in running] == [0] * len(running)
    text = path.read_text()
    found = [(one.section, one.id) for one in read(text)]
    wanted = {f"{number + 1}w{writer}" for writer in range(writers) for number in range(each)}
    assert {id for _, id in found} == wanted
    assert {section for section, _ in found} == {"Active"}
    assert len(found) == len(wanted), "nothing stands there twice"
    for number in range(saves):
        assert f"human line {number}\n" in text
    left = [name for name in os.listdir(path.parent) if name.startswith(".delivery.")]
    assert left == []


def test_concurrent_writers_and_an_editor_lose_nothing(store: World) -> None:
    race(store, WRITERS, EACH, 40)


@pytest.mark.soak
def test_32_writers_and_an_editor_lose_nothing(store: World) -> None:
    since = time.monotonic()
    race(store, 32, 50, 200)
    record(
        "C11: INDEX.md under 32 writers and a person's editor",
        "1,600 entries, 200 saves",
        "each entry once, each of the person's lines there",
        time.monotonic() - since,
    )
