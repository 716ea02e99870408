"""The command lines of init, install and uninstall: what they print and how they end."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.world import World


@pytest.mark.parametrize("verb", ["init", "install", "uninstall"])
def test_help_names_the_options_and_loads_nothing_heavy(world: World, verb: str) -> None:
    code = (
        "import sys; from plastic.cli.main import plastic; rc = plastic()\n"
        "heavy = {'yaml', 'git', 'filelock', 'frontmatter', 'rich'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules))); sys.exit(rc)"
    )
    done = world.run(sys.executable, "-c", code, verb, "--help")
    assert done.rc == 0, done.err
    assert "--json" in done.out
    assert done.out.endswith("HEAVY []\n")


@pytest.mark.parametrize(
    ("argv", "rc", "code"),
    [
        (["init", "/nowhere/at/all"], 6, "no-path"),
        (["init", "--project", "A B"], 2, "slug"),
        (["init", "--nope"], 2, "usage"),
        (["install"], 2, "usage"),
        (["install", "vim"], 2, "harness"),
        (["uninstall", "claude", "--scope", "x"], 2, "scope"),
    ],
)
def test_a_refusal_is_one_object_or_one_line_and_a_command(
    world: World, argv: list[str], rc: int, code: str
) -> None:
    asked = world.plastic(*argv, "--json")
    assert (asked.rc, asked.json["error"]["code"], asked.err) == (rc, code, "")
    assert set(asked.json["error"]) == {"code", "reason", "who", "since", "run"}
    people = world.plastic(*argv)
    assert (people.rc, people.out) == (rc, "")
    lines = people.err.splitlines()
    assert lines[0].startswith("plastic: ")
    assert [line for line in lines if line.startswith("run: ")] == lines[-1:]


def test_json_is_one_object_and_nothing_else(world: World) -> None:
    world.make_repo()
    for argv in (["init", str(world.repo)], ["install", "claude"], ["uninstall", "claude"]):
        done = world.plastic(*argv, "--json")
        assert done.rc == 0, done.err
        assert isinstance(json.loads(done.out), dict)
