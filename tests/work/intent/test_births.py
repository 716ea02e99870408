"""`plastic new`: complete, unique, and finished by the same command after a kill anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from plastic.disk.failpoints import NAMES
from plastic.disk.locks import try_guard
from plastic.rules.intent.index import read
from plastic.rules.intent.intentfile import errors
from plastic.rules.intent.savepoint import parse
from plastic.rules.intent.templates import FOLDERS, PLACEHOLDERS
from plastic.work.events import recent
from plastic.work.intent.shelf import all_intents

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

POINTS = [name for name in NAMES if name.startswith("new.")]
TITLE = "Tax: the [rate] is configurable"
DOCUMENTS = (*PLACEHOLDERS, *FOLDERS, "savepoint.md")
SLUG = "tax-the-rate-is-configurable"


def killed_at(point: str) -> dict[str, str]:
    return {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point}


def store(world: World) -> Path:
    return world.root / "home/projects/shop/store"


def born(world: World) -> list[str]:
    return sorted(name for name in os.listdir(store(world)) if "--" in name)


def assert_complete(world: World, name: str, title: str, section: str = "Active") -> None:
    folder = store(world) / name
    id = name.partition("--")[0]
    there = {one for one in os.listdir(folder) if one != "delivery.write.lock"}
    assert there == {f"{name}.md", *DOCUMENTS}
    assert errors((folder / f"{name}.md").read_text(), name) == []
    assert [row[1:] for row in parse((folder / "savepoint.md").read_text())] == [
        ("What", f"{name}.md")
    ]
    text = (world.root / "home/projects/shop/INDEX.md").read_text()
    entries = [one for one in read(text) if one.id == id]
    assert [(one.section, one.title) for one in entries] == [(section, title)]
    assert (world.root / "home/projects/shop" / entries[0].path).is_file()
    home = world.home.root
    assert world.git("status", "--porcelain", cwd=home) == ""
    assert f"projects/shop/store/{name}/spec.md" in world.git("ls-files", cwd=home)


def test_an_intent_is_born_complete(shop: World) -> None:
    found = shop.new(TITLE)
    assert found["id"] == "1"
    assert found["slug"] == SLUG
    assert found["title"] == TITLE
    assert found["dir"] == f"{shop.home.store('shop')}/1--{SLUG}"
    assert (found["project"], found["section"], found["stage"]) == ("shop", "Active", "why")
    assert (found["lock"], found["lock_state"], found["worktree"]) == (None, "none", None)
    assert_complete(shop, f"1--{SLUG}", TITLE)
    row = recent(shop.home, 1)[0]
    assert (row["event"], row["intent"], row["title"]) == ("new", f"1--{SLUG}", TITLE)


def test_the_points_are_passed_in_their_order() -> None:
    assert [name.partition(".")[2] for name in POINTS] == [
        "reserved",
        "born",
        "file",
        "placeholders",
        "index",
        "savepoint",
        "committed",
    ]


@pytest.mark.parametrize("point", POINTS)
def test_killed_anywhere_the_same_command_finishes(shop: World, point: str) -> None:
    """Nothing is lost, nothing is doubled, and nobody else is disturbed meanwhile."""
    killed = shop.plastic("new", TITLE, cwd=shop.repo, env=killed_at(point))
    assert killed.rc == -9
    assert all_intents(shop.home) == [], "what is still being born is no intent"
    assert shop.new("Another")["id"] == "2"
    again = shop.plastic("new", TITLE, "--json", cwd=shop.repo)
    assert again.rc == 0, again.err
    assert again.json["id"] == "1"
    assert born(shop) == [f"1--{SLUG}", "2--another"]
    assert_complete(shop, f"1--{SLUG}", TITLE)
    assert_complete(shop, "2--another", "Another")


def test_a_birth_that_is_complete_is_not_resumed(shop: World) -> None:
    assert [shop.new(TITLE)["id"] for _ in range(2)] == ["1", "2"]


@pytest.mark.parametrize("point", ["new.reserved", "new.placeholders", "new.committed"])
def test_a_failing_disk_is_one_line_and_can_be_finished(shop: World, point: str) -> None:
    failed = shop.plastic("new", TITLE, cwd=shop.repo, env=killed_at(f"{point}:errno=ENOSPC"))
    assert failed.rc == 5
    assert failed.err.count("\n") <= 2
    assert "ENOSPC" in failed.err
    assert shop.new(TITLE)["id"] == "1"
    assert_complete(shop, f"1--{SLUG}", TITLE)


def test_killed_twice(shop: World) -> None:
    for point in ("new.born", "new.index"):
        assert shop.plastic("new", TITLE, cwd=shop.repo, env=killed_at(point)).rc == -9
    assert shop.new(TITLE)["id"] == "1"
    assert_complete(shop, f"1--{SLUG}", TITLE)


@pytest.mark.parametrize("flags", [["--future"], ["--slug", "other"], ["--id", "7"], ["--global"]])
def test_other_arguments_are_another_birth(shop: World, flags: list[str]) -> None:
    assert shop.plastic("new", TITLE, cwd=shop.repo, env=killed_at("new.file")).rc == -9
    assert shop.new(TITLE, *flags)["id"] != "1"
    assert shop.new(TITLE)["id"] == "1"


def test_a_birth_under_way_is_not_taken_over(shop: World) -> None:
    """Its guard is held: the same title is then a second intent, as two people would want."""
    assert shop.plastic("new", TITLE, cwd=shop.repo, env=killed_at("new.born")).rc == -9
    with try_guard(f"{store(shop)}/1--{SLUG}/delivery.write.lock") as held:
        assert held
        assert shop.new(TITLE)["id"] == "2"
    assert shop.new(TITLE)["id"] == "1"


def start(world: World, *argv: str) -> subprocess.Popen[bytes]:
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "new", *argv, "--json"],
        cwd=world.repo,
        stdout=subprocess.DEVNULL,
    )


def test_ids_are_unique_under_eight_processes(shop: World) -> None:
    """Four titles of their own, and four times the same one."""
    running = [start(shop, title) for title in ("A", "B", "C", "D", "Same", "Same", "Same", "Same")]
    assert [one.wait() for one in running] == [0] * 8
    names = born(shop)
    assert sorted(int(name.partition("--")[0]) for name in names) == list(range(1, 9))
    assert sum(name.endswith("--same") for name in names) == 4
    for name in names:
        title = name.partition("--")[2].capitalize()
        assert_complete(shop, name, title)


def test_flags(shop: World) -> None:
    assert shop.new("One", "--slug", "uno", "--future")["slug"] == "uno"
    assert_complete(shop, "1--uno", "One", "Future")
    found = shop.new("Two", "--id", "7a", "--sources", "1", "--chain", "shop:1,1")
    assert found["id"] == "7a"
    text = (store(shop) / "7a--two/7a--two.md").read_text()
    assert "- Sources: [[1]]\n- Chain: [[shop:1]], [[1]]\n" in text
    assert_complete(shop, "7a--two", "Two")
    elsewhere = shop.plastic("new", "Three", "--project", "shop", "--json", cwd=shop.root)
    assert elsewhere.json["id"] == "8"
    research = shop.plastic("new", "Four", "--global", "--json", cwd=shop.root).json
    assert (research["id"], research["project"]) == ("9", None)
    assert research["dir"] == f"{shop.home.root}/store/9--four"


def test_a_worktree_of_the_repository_belongs_to_its_project(shop: World) -> None:
    shop.git("worktree", "add", "-q", str(shop.root / "elsewhere"))
    (shop.root / "elsewhere" / "deep").mkdir()
    found = shop.plastic("new", "X", "--json", cwd=shop.root / "elsewhere" / "deep")
    assert found.json["project"] == "shop"


def test_an_id_of_a_lost_intent_is_not_given_again(shop: World) -> None:
    """Its fence and salvage refs still carry that id."""
    shop.new("One")
    path = shop.root / "home/projects/shop/INDEX.md"
    path.write_text(path.read_text() + "\n## Relocated\n\n- [40 — Lost](store/40--lost)\n")
    assert shop.new("Two")["id"] == "41"


REFUSED: tuple[tuple[list[str], int, str], ...] = (
    (["X", "--id", "1"], 1, "id 1 is taken"),
    (["X", "--id", "x1"], 2, "no id"),
    (["X", "--slug", "A B"], 2, "--slug a-b"),
    (["X", "--sources", "99"], 6, "no intent '99'"),
    (["X", "--chain", "nowhere:1"], 6, "no intent 'nowhere:1'"),
    (["X", "--project", "none"], 6, "no project 'none'"),
    (["X", "--project", "shop", "--global"], 2, "exclude"),
    ([""], 2, "empty"),
    (["\x1b[31m"], 2, "U+001B"),
    (["🎉"], 2, "--slug intent"),
    (["a" * 10_240], 2, "characters"),
)


def test_refusals_change_nothing(shop: World) -> None:
    shop.new("One")
    head = shop.git("rev-parse", "HEAD", cwd=shop.home.root)
    for argv, rc, words in REFUSED:
        done = shop.plastic("new", *argv, cwd=shop.repo)
        assert done.rc == rc, argv
        assert words in done.err
        assert "run: " in done.err
        assert "Traceback" not in done.err
        assert len(done.err.splitlines()) == 2
    assert born(shop) == ["1--one"]
    assert shop.git("rev-parse", "HEAD", cwd=shop.home.root) == head


def test_outside_of_every_repository_both_flags_are_named(shop: World) -> None:
    done = shop.plastic("new", "X", cwd=shop.root)
    assert done.rc == 2
    assert "--project" in done.err
    assert "--global" in done.err
    command = done.err.partition("run: ")[2].strip().split()
    assert shop.plastic(*command[1:], cwd=shop.root).rc == 0, "the printed command works"


def test_without_a_home(world: World) -> None:
    world.make_repo()
    done = world.plastic("new", "X", cwd=world.repo)
    assert done.rc == 6
    assert "run: plastic init" in done.err
    assert not os.path.exists(world.home.root)


@pytest.mark.parametrize("how", ["binary", "fifo", "link", "directory", "huge"])
def test_a_broken_index_is_told_before_anything_is_made(shop: World, how: str) -> None:
    from tests.work.intent.test_index import spoil

    path = shop.root / "home/projects/shop/INDEX.md"
    path.unlink()
    spoil(path, how)
    done = shop.plastic("new", "X", cwd=shop.repo)
    assert done.rc == 5
    assert len(done.err.splitlines()) == 2
    assert str(path) in done.err
    assert not store(shop).exists() or born(shop) == []
