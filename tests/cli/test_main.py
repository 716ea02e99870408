"""The two commands as a whole: help, version, and what looking costs."""

from __future__ import annotations

import importlib
import sys

import pytest

from plastic.cli.main import GROUPS
from tests.world import World

HEAVY = ("filelock", "git", "yaml", "frontmatter", "psycopg", "sqlite3", "rich", "asyncio")


def loaded(world: World, entry: str, *argv: str) -> set[str]:
    """The top-level modules that one command loads."""
    code = (
        f"import sys; from plastic.cli.main import {entry}; code = {entry}(sys.argv[1:]); "
        "print('\\n' + ' '.join(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    done = world.run(sys.executable, "-c", code, *argv, cwd=world.repo)
    return set(done.out.strip().splitlines()[-1].split())


@pytest.mark.parametrize(
    ("entry", "argv"),
    [
        ("plastic", ["--help"]),
        ("plastic_lock", ["--help"]),
        ("plastic_lock", ["who", "1"]),
        ("plastic_lock", ["status", "1", "--session", "A"]),
        ("plastic", ["list"]),
        ("plastic", ["show", "1"]),
    ],
)
def test_looking_loads_nothing_heavy(shop: World, entry: str, argv: list[str]) -> None:
    shop.new("Rename cart")
    found = loaded(shop, entry, *argv)
    assert "plastic" in found
    assert found & set(HEAVY) == set()


@pytest.mark.parametrize("argv", [["--version"], ["--help"], ["lock", "--help"]])
def test_help_and_version(world: World, argv: list[str]) -> None:
    done = world.plastic(*argv)
    assert (done.rc, done.err) == (0, "")
    assert "plastic" in done.out


@pytest.mark.parametrize("group", GROUPS)
def test_every_verb_has_help_and_json(world: World, group: str) -> None:
    import typer

    app = typer.Typer()
    module = importlib.import_module(f"plastic.cli.{group}")
    module.register(app)
    for command in app.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        done = world.plastic(name, "--help")
        assert done.rc == 0, done.err
        if name != "hook":  # its answer is the harness's format
            assert "--json" in done.out, name


def test_plastic_lock_is_plastic_lock(shop: World) -> None:
    shop.new("Rename cart")
    assert shop.lock("who", "1").out == shop.plastic("lock", "who", "1").out
