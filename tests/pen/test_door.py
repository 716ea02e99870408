"""What holds for every verb of the pen: help, JSON, exit codes, and no trace among the commands."""

from __future__ import annotations

import json

import pytest

from plastic.cli.pen.door import NOT_YET
from plastic.cli.pen.group import VERBS
from tests.pen.conftest import Tree
from tests.world import World

# A line for each verb that it takes, whatever it answers.
LINES = {
    "init": [],
    "status": [],
    "claim": ["ana"],
    "append": ["ana", "--to", "bo"],
    "release": ["ana", "--to", "bo"],
    "pause": ["ana", "--reason", "x"],
    "resume": ["ana", "--scope", "x"],
    "done": ["ana"],
    "next": ["ana"],
    "wait": ["ana", "--once"],
    "peek": ["ana"],
    "turn": ["0"],
    "log": [],
    "guard": ["ana"],
    "bind": ["ana", "--session", "s"],
    "roster": [],
    "request": ["ana", "--to", "bo", "--reason", "x"],
    "yield": ["ana", "--to", "bo", "--request", "1"],
    "decline": ["ana", "--request", "1"],
    "steer": ["ana", "--from", "bo", "--request", "1", "--force", "--reason", "x"],
    "cooldown": ["--until", "2026-01-01T00:00:00Z", "--reason", "x"],
    "archive": [],
    "repair": [],
    "remember": ["ana", "x"],
    "task": ["list"],
}


def test_every_verb_has_its_line() -> None:
    # An intent is merged in tests/work/pen/test_integrate.py.
    assert [*LINES, "integrate"] == list(VERBS)


@pytest.mark.parametrize("verb", LINES)
def test_one_object_and_nothing_else(tree: Tree, verb: str) -> None:
    done = tree.do(verb, *LINES[verb], "--json")
    assert done.rc in (0, 1, NOT_YET)
    assert done.err == ""
    found = json.loads(done.out)
    assert ("error" in found) == (done.rc == 1)
    assert found.get("ok", False) is (done.rc == 0)
    assert {"state", "holder", "turn", "expires"} <= set(found)


@pytest.mark.parametrize("verb", LINES)
def test_people_get_lines(tree: Tree, verb: str) -> None:
    done = tree.do(verb, *LINES[verb])
    assert "Traceback" not in done.out + done.err
    if done.rc == 1:
        assert done.err.startswith("plastic: ")
        assert "\nrun: " in done.err
    elif verb != "log":
        assert done.out.strip()


@pytest.mark.parametrize("verb", LINES)
def test_help(world: World, verb: str) -> None:
    done = world.plastic("pen", verb, "--help")
    assert done.rc == 0
    assert "--json" in done.out


@pytest.mark.parametrize("verb", [verb for verb in LINES if verb != "init"])
def test_without_a_pen(bare: Tree, verb: str) -> None:
    """One answer for all, and nothing is made."""
    assert bare.no(verb, *LINES[verb])["code"] == "no-pen"
    assert [one.name for one in bare.folder.iterdir()] == []


def test_it_is_no_command_that_changes_intents(shop: World) -> None:
    """A wait of hours must not excuse what is written meanwhile."""
    tree = Tree(shop, shop.repo)
    tree.ok("init", "--agents", "ana,bo")
    before = sorted((shop.root / "home/run").rglob("*"))
    tree.ok("wait", "ana")
    assert sorted((shop.root / "home/run").rglob("*")) == before


def test_bytes_that_are_no_text(tree: Tree) -> None:
    """A command line may carry them; the file may not."""
    for line in (["claim", "a\udcff"], ["cooldown", "--until", "\udcff", "--reason", "x"]):
        assert tree.do(*line).rc == 1
    tree.ok("claim", "ana")
    assert tree.no("append", "ana", "--to", "bo", "--done", "\udcff")["code"] == "control"
