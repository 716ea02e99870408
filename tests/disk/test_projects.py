"""Reading the two YAML files: one clear error with file and line for whatever is in them."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plastic.disk.projects import NotRead, load, owning, parse, projects, require
from plastic.words import Refused

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

BOMB = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a]\n" for n in range(9))

# name, bytes of config.yml, line and words of the one error
FILES = [
    ("duplicate key", b"version: 1\nttl: 60\nttl: 70\n", 3, "`ttl` stands twice (first in line 2)"),
    ("tab", b"lease:\n\tdefault: 60\n", 2, "is not YAML: found character '\\t'"),
    ("alias bomb", BOMB.encode(), 1, "uses anchors or aliases"),
    ("tag", b"ttl: !!python/object:os.system x\n", 1, "uses tags"),
    ("second document", b"version: 1\n---\nttl: 60\n", 2, "has a second document"),
    ("deep", b"ttl: " + b"[" * 40 + b"]" * 40, 1, "is nested too deeply"),
    ("very deep", b"[" * 50_000, 1, "is nested too deeply"),
    ("not closed", b"lease: {default: 60\n", 2, "is not YAML"),
    ("control character", b"version: 1\nttl: \x07\n", 2, "has the character #x07"),
    ("NUL", b"\0\0\0", 1, "has the character #x00"),
    ("not UTF-8", b"version: 1\n\nttl: \xff\n", 3, "is not UTF-8 text"),
    ("key that is no word", b"? [a, b]\n: c\n", 1, "has a key that is no word"),
    ("wrong value", b"# c\nversion: 1\nttl: 5\n", 3, "`ttl` is 5; allowed are 60..86400"),
    ("unknown key", b"version: 1\nlease:\n  max: 5\n", 3, "`lease.max` is no key"),
    ("merge key", b"version: 1\n<<: {ttl: 60}\n", 2, "`<<` is no key"),
    ("a list", b"- a\n", 1, "the file must be a mapping"),
    ("too big", b"# " + b"x" * 200_000, 1, "file too large"),
]


@pytest.mark.parametrize(
    ("data", "line", "words"), [row[1:] for row in FILES], ids=[row[0] for row in FILES]
)
def test_one_error_with_file_and_line(tmp_path: Path, data: bytes, line: int, words: str) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(data)
    faults = load(str(path)).faults
    assert len(faults) == 1
    assert str(faults[0]).startswith(f"{path}:{line}: ")
    assert words in faults[0].what


def test_what_is_no_regular_file_is_an_error_and_never_blocks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.yml")
    assert "not a regular file" in str(load(str(tmp_path / "config.yml")).faults[0])
    (tmp_path / "projects.yml").symlink_to("/dev/zero")
    assert load(str(tmp_path / "projects.yml")).faults != []
    (tmp_path / "d").mkdir()
    assert "regular" in str(load(str(tmp_path / "d")).faults[0])


def test_absent_and_empty_files_are_all_defaults(tmp_path: Path) -> None:
    absent = load(str(tmp_path / "config.yml"))
    assert (absent.faults, absent.values["ttl"]) == ([], 1800)
    (tmp_path / "config.yml").write_text("# nothing\n")
    assert load(str(tmp_path / "config.yml")).values == absent.values


def test_no_permission_is_an_error(tmp_path: Path, permissions: None) -> None:
    path = tmp_path / "config.yml"
    path.write_text("version: 1\n")
    path.chmod(0)
    assert "Permission denied" in str(load(str(path)).faults[0])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("off", "off"),
        ("no", "no"),
        ("1:30", "1:30"),
        ("010", "010"),
        ("2026-12-01", "2026-12-01"),
        ("1.0", "1.0"),
        ("null", None),
        ("~", None),
        ("", None),
        ("'null'", "null"),
        ('"~"', "~"),
        ("yes", "yes"),
    ],
)
def test_a_value_is_read_as_it_is_written(text: str, value: str | None) -> None:
    assert parse(f"a: {text}\n") == {"a": value}


def test_windows_line_ends_and_a_bom_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(b"\xef\xbb\xbfversion: 1\r\nttl: 90\r\n")
    assert load(str(path)).values["ttl"] == 90


def test_observation_ends_within_two_weeks_of_today(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_text("observe_until: 2026-12-14\n")
    assert load(str(path), date(2026, 11, 30)).faults == []
    assert load(str(path), date(2026, 11, 29)).faults != []
    assert load(str(path), date(2027, 11, 30)).faults == [], "a day gone by is no error"


def test_a_wrong_file_stops_a_command_with_the_place_to_mend_it(world: World) -> None:
    world.root.joinpath("home").mkdir()
    path = world.home.projects_yml
    with open(path, "w", encoding="utf-8") as file:
        file.write("version: 1\nprojects:\n  shop: {}\n  Other: {path: /a}\n")
    with pytest.raises(Refused) as caught:
        projects(world.home)
    assert caught.value.reason == f"{path}:3: `projects.shop` has no `path` (and 1 more)"
    seen = world.run("sh", "-c", caught.value.run, env={"EDITOR": "echo"})
    assert (seen.rc, seen.out) == (0, f"+3 {path}\n")


def test_paths_are_real_and_start_in_the_persons_home(world: World, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    user = os.environ["HOME"]
    os.makedirs(f"{user}/elsewhere/shop/sub")
    os.symlink("elsewhere", f"{user}/src")
    (tmp_path / "home" / "projects.yml").write_text("projects:\n  shop: {path: ~/src/shop}\n")
    assert projects(world.home)["shop"].path == f"{user}/elsewhere/shop"
    inside = owning(world.home, f"{user}/elsewhere/shop/sub")
    assert inside is not None
    assert inside.slug == "shop"
    assert owning(world.home, f"{user}/elsewhere") is None


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    st.text(
        alphabet=st.sampled_from(list("ab:-,[]{}&*!|>'\"#%@`? \n\t\r~\ufeff\u2028")), max_size=40
    )
)
def test_any_text_is_a_tree_or_one_error(text: str) -> None:
    try:
        tree = parse(text)
    except NotRead as wrong:
        tree = (wrong.line, wrong.what)
    assert tree is None or isinstance(tree, (str, list, dict)) or (tree[0] >= 1 and tree[1])


def test_require_gives_the_values_of_a_good_file(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("ttl: 61\n")
    assert require(load(str(tmp_path / "config.yml")))["ttl"] == 61
