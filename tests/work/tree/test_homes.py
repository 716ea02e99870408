"""Two homes on one repository: ids and names meet, and nobody takes what is the other's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.home import Home
from tests.work.ends import A, B, Ready, everything
from tests.world import World

if TYPE_CHECKING:
    from tests.world import Done


@pytest.fixture
def other(shop: World) -> World:
    """A second home that has registered the same repository."""
    second = World(shop.root)
    second.home = Home(str(shop.root / "second"))
    second.init()
    return second


def refused(done: Done, shop: World) -> dict[str, Any]:
    """The refusal names the home, and its command works."""
    assert done.rc == 1, done.out + done.err
    error: dict[str, Any] = done.json["error"]
    assert error["code"] in ("other-home", "worktree-foreign"), error
    assert shop.home.root in error["reason"]
    return error


def quiet(world: World, one: Ready) -> dict[str, tuple[Any, ...]]:
    """Whatever the other home could have taken."""
    return everything(world.repo, one.dir)


def test_the_second_cannot_start_it(shop: World, other: World) -> None:
    one = Ready(shop)
    other.new("Add tax")
    before = quiet(shop, one), everything(Path(other.home.root), without=("log",))
    done = other.plastic("start", "1", "--json", session=B, cwd=shop.repo)
    error = refused(done, shop)
    assert quiet(shop, one) == before[0]
    assert set(everything(Path(other.home.root), without=("log",))) - {
        f"{other.home.store('shop')}/1--add-tax/delivery.write.lock"
    } <= set(before[1])
    # The command leads on: another name, another worktree.
    words = error["run"].split(" ", 1)
    assert words[0] == "plastic"
    made = other.run("/bin/sh", "-c", f"{_plastic(other)} {words[1]} --json", cwd=shop.repo)
    assert made.rc == 0, made.err
    assert made.json["slug"] == "add-tax-2"
    started = other.start(made.json["id"], B)
    assert started["worktree"]["path"] != str(one.tree)


def _plastic(world: World) -> str:
    import sys

    code = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"
    return f"PLASTIC_HOME={world.home.root} {sys.executable} -c '{code}'"


def test_the_second_takes_nothing_away(shop: World, other: World) -> None:
    """End, remove and prune: by its path or by its name."""
    one = Ready(shop)
    one.commit()
    other.new("Add tax")
    before = quiet(shop, one)
    refused(other.plastic("end", "1", "--abandoned", "--json", session=B), shop)
    refused(other.plastic("worktree", "remove", "1", "--json", session=B), shop)
    refused(other.plastic("worktree", "remove", str(one.tree), "--json", session=B), shop)
    pruned = other.plastic("worktree", "prune", "--json", session=B)
    assert pruned.json["pruned"] == []
    assert quiet(shop, one) == before
    listed = other.plastic("worktree", "list", "--json").json["worktrees"]
    assert [row["kind"] for row in listed] == ["elsewhere"]
    assert shop.home.root in listed[0]["why"]


def test_doctor_says_whose_it_is(shop: World, other: World) -> None:
    one = Ready(shop)
    other.new("Add tax")
    report = other.plastic("doctor", "--fix", "--json").json["checks"]
    found = next(each for each in report if each["check"] == "worktrees")
    assert found["state"] == "note"
    assert shop.home.root in found["findings"][0]["what"]
    assert found["findings"][0]["run"].startswith("plastic new 'Add tax' --slug add-tax-2")
    assert one.tree.exists()


def test_adopting_does_not_take_it_either(shop: World, other: World) -> None:
    one = Ready(shop)
    other.new("Add tax")
    words = ("start", "1", "--adopt", str(one.tree), "--json")
    refused(other.plastic(*words, session=B, cwd=shop.repo), shop)


def test_a_branch_that_the_other_home_has_left(shop: World, other: World) -> None:
    """Abandoned there: its commits are on the branch that this start would go on with."""
    one = Ready(shop).documents("abandoned")
    one.commit()
    assert one.end("--abandoned").rc == 0
    assert one.has_branch()
    other.new("Add tax")
    fence = shop.git("rev-parse", "refs/plastic/fence/1")
    refused(other.plastic("start", "1", "--json", session=B, cwd=shop.repo), shop)
    assert shop.git("rev-parse", "refs/plastic/fence/1") == fence
    shop.git("branch", "-q", "-D", one.branch)
    other.start("1", B)


@pytest.mark.parametrize("first_ends_first", [True, False])
def test_one_id_and_two_names(shop: World, other: World, first_ends_first: bool) -> None:
    """The fence is shared by id: tokens only grow, and nobody is overtaken by a namesake's id."""
    mine = Ready(shop).documents()
    theirs = Ready(other, "Fix bug", session=B).documents()
    assert (mine.id, theirs.id) == ("1", "1")
    assert theirs.token > mine.token
    mine.commit()
    theirs.commit("bug.py")
    shop.start("1", A)
    assert json.loads(shop.git("cat-file", "blob", "refs/plastic/fence/1"))["token"] == theirs.token
    assert mine.blocked() == []
    turns = [(mine, A), (theirs, B)]
    for one, session in turns if first_ends_first else reversed(turns):
        assert shop.git("status", "--porcelain") == ""
        done = one.end(session=session)
        assert done.rc == 0, done.err
        assert not one.tree.exists()
        assert one.section() == "Completed"


def test_a_home_that_is_gone_holds_nothing(shop: World, other: World) -> None:
    """Its worktree goes to whoever has an intent of that name."""
    one = Ready(shop)
    other.new("Add tax")
    shutil.rmtree(shop.home.root)
    assert other.start("1", B)["worktree"]["path"] == str(one.tree)


def test_a_home_that_was_moved_is_the_same(shop: World) -> None:
    one = Ready(shop).documents()
    one.commit()
    moved = World(shop.root)
    Path(shop.home.root).rename(shop.root / "moved")
    moved.home = Home(str(shop.root / "moved"))
    moved.start("1", A)
    one.world = moved
    one.dir = Path(moved.home.store("shop")) / one.name
    assert one.end().rc == 0
    one.ended()


def test_a_note_of_before_keeps_working(shop: World) -> None:
    one = Ready(shop).documents()
    one.commit()
    (note,) = (shop.repo / ".git/worktrees").glob("*/plastic.json")
    said = json.loads(note.read_text())
    assert (said.pop("home"), said.pop("dir")) == (shop.home.root, str(one.dir))
    note.write_text(json.dumps(said))
    shop.start("1", A)
    assert one.end().rc == 0
    one.ended()


def test_the_second_bears_nothing_that_it_cannot_start(shop: World, other: World) -> None:
    one = Ready(shop)
    before = quiet(shop, one), everything(Path(other.home.root), without=("log",))
    asked = ("start", "--title", "Add tax", "--json")
    error = refused(other.plastic(*asked, session=B, cwd=shop.repo), shop)
    assert error["run"] == "plastic new 'Add tax' --slug add-tax-2 --project shop"
    assert quiet(shop, one) == before[0]
    after = everything(Path(other.home.root), without=("log",))
    assert [name for name in set(after) - set(before[1]) if "1--" in name] == []
    assert other.plastic("list", "--json").json["intents"] == []
