"""One meaning of PLASTIC_HOME, and what each path below it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plastic.disk.home import Home, environment, home_from


def test_the_variable_names_the_home_itself(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    assert home_from({"PLASTIC_HOME": f"{root}/x"}).root == f"{root}/x"
    assert home_from({"HOME": root}).root == f"{root}/.plastic"
    assert home_from({"PLASTIC_HOME": "  ", "HOME": root}).root == f"{root}/.plastic"
    assert home_from({"PLASTIC_HOME": "~/p", "HOME": root}).root == f"{root}/p"


def test_a_home_reached_by_a_link_is_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert home_from({"PLASTIC_HOME": f"{tmp_path}/link"}).root.endswith("/real")


@pytest.mark.parametrize(
    "env", [{}, {"PLASTIC_HOME": "relative"}, {"PLASTIC_HOME": "/a\0b"}, {"HOME": "x"}]
)
def test_a_home_is_never_guessed(env: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="not an absolute path"):
        home_from(env)


def test_paths() -> None:
    home = Home("/h")
    assert home.store(None) == "/h/store"
    assert home.index(None) == "/h/INDEX.md"
    assert home.store("shop") == "/h/projects/shop/store"
    assert home.index("shop") == "/h/projects/shop/INDEX.md"
    assert (home.held, home.run, home.log) == ("/h/held", "/h/run", "/h/log/events.jsonl")


@pytest.mark.parametrize(
    ("path", "kind", "project", "name", "rest"),
    [
        ("/h", "home", None, "", ""),
        ("/h/projects", "home", None, "", ""),
        ("/h/projects/shop", "home", "shop", "", ""),
        ("/h/store", "store", None, "", ""),
        ("/h/projects/shop/store", "store", "shop", "", ""),
        ("/h/store/notes.txt", "entry", None, "notes.txt", ""),
        ("/h/store/x--y/z", "entry", None, "x--y", ""),
        ("/h/store/7--a--b", "entry", None, "7--a--b", ""),
        ("/h/store/7--a", "intent", None, "7--a", ""),
        ("/h/store/7--a/spec.md", "intent", None, "7--a", "spec.md"),
        ("/h/projects/shop/store/7a1--b/actions/A.md", "intent", "shop", "7a1--b", "actions/A.md"),
        ("/h/projects.yml", "own", None, "", "projects.yml"),
        ("/h/projects/shop/INDEX.md", "own", "shop", "", "INDEX.md"),
        ("/h/held/7--a", "own", None, "", "held/7--a"),
    ],
)
def test_locate(path: str, kind: str, project: str | None, name: str, rest: str) -> None:
    place = Home("/h").locate(path)
    assert place is not None
    assert (place.kind, place.project, place.name, place.rest) == (kind, project, name, rest)
    if kind == "intent":
        assert place.intent == path[: path.index(name) + len(name)]


@pytest.mark.parametrize("path", ["/", "/hh/store/7--a", "/repo/src/store/7--a/spec.md"])
def test_locate_knows_nothing_outside(path: str) -> None:
    # Case 9.8/163: a path that merely contains /store/<id>--<slug>/ is no intent.
    assert Home("/h").locate(path) is None


def test_environment_is_that_of_the_process() -> None:
    wanted = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
    found = environment()
    # posix.environ is the environment at start; monkeypatched variables are os.environ's only.
    assert set(found) & set(wanted)
