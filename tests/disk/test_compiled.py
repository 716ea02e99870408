"""What hooks read: compiled once per change, the last good values while a file is wrong."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import compiled
from plastic.disk.compiled import GATES, TTL, Config, load, path_of
from plastic.rules.config.check import defaults
from plastic.rules.config.keys import GATES as GATES_OF_THE_TABLE
from plastic.work.house.compile import compile_config, end_of_day

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

SHOP = "version: 1\nprojects:\n  shop:\n    path: {repo}\n    gates: {{shell: off}}\n"


@pytest.fixture
def home(world: World, tmp_path: Path) -> Path:
    """A home with a projects.yml of one project and no cache."""
    world.make_repo()
    path = tmp_path / "home"
    path.mkdir()
    (path / "projects.yml").write_text(SHOP.format(repo=world.repo))
    return path


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every start of the compiler, as it happens."""
    seen: list[str] = []
    real = compiled._compile

    def counted(home: Any) -> str:
        seen.append(home.root)
        return real(home)

    monkeypatch.setattr(compiled, "_compile", counted)
    return seen


def test_the_defaults_are_those_of_the_table() -> None:
    table = defaults("")
    config = Config()
    assert (config.ttl, config.quarantine) == (table["ttl"], table["quarantine"])
    assert GATES == GATES_OF_THE_TABLE
    assert all(config.mode(None, gate, 0) == "enforce" for gate in GATES)


def test_without_a_home_nothing_is_started(world: World, starts: list[str]) -> None:
    config = load(world.home)
    assert (config.projects, config.errors, config.stale, starts) == ({}, [], False, [])
    assert not os.path.exists(world.home.root)


def test_the_first_reading_compiles_and_the_next_reads(
    world: World, home: Path, starts: list[str]
) -> None:
    for _ in range(3):
        config = load(world.home)
        shop = config.projects["shop"]
        assert (shop.path, shop.common) == (str(world.repo), f"{world.repo}/.git")
        assert (config.mode("shop", "shell", 0), config.mode("shop", "stage", 0)) == (
            "off",
            "enforce",
        )
        assert (config.errors, config.stale) == ([], False)
    assert len(starts) == 1


def test_a_change_of_either_file_is_seen_at_once(
    world: World, home: Path, starts: list[str]
) -> None:
    load(world.home)
    (home / "config.yml").write_text("ttl: 90\n")
    assert load(world.home).ttl == 90
    (home / "config.yml").write_text("ttl: 91\n")
    assert load(world.home).ttl == 91
    (home / "config.yml").unlink()
    assert load(world.home).ttl == 1800
    assert len(starts) == 4


def test_an_edit_of_the_same_size_and_time_is_seen_by_its_inode(world: World, home: Path) -> None:
    path = home / "config.yml"
    path.write_text("ttl: 90\n")
    os.utime(path, ns=(1, 1))
    assert load(world.home).ttl == 90
    (home / "new").write_text("ttl: 91\n")
    os.utime(home / "new", ns=(1, 1))
    (home / "new").rename(path)
    assert load(world.home).ttl == 91


def test_a_wrong_file_leaves_the_last_good_values_in_force(
    world: World, home: Path, starts: list[str]
) -> None:
    (home / "config.yml").write_text("ttl: 90\n")
    load(world.home)
    (home / "projects.yml").write_text("projects: [\n")
    (home / "config.yml").write_text("ttl: 95\n")
    for _ in range(3):
        config = load(world.home)
        assert list(config.projects) == ["shop"], "the last good registry"
        assert config.ttl == 95, "the other file is good and counts"
        assert config.stale
        assert [error[: len(world.home.projects_yml)] for error in config.errors] == [
            world.home.projects_yml
        ]
    assert len(starts) == 2, "a wrong file is compiled once, not at every event"
    (home / "config.yml").write_text("ttl: never\n")
    config = load(world.home)
    assert (config.ttl, len(config.errors), list(config.projects)) == (95, 2, ["shop"])
    (home / "projects.yml").write_text(SHOP.format(repo=world.repo))
    (home / "config.yml").write_text("ttl: 96\n")
    config = load(world.home)
    assert (config.ttl, config.errors, config.stale) == (96, [], False)


def test_a_wrong_file_without_a_cache_means_defaults(world: World, home: Path) -> None:
    (home / "projects.yml").write_text("projects: {shop: {gates: {stage: off}}}\n")
    config = load(world.home)
    assert config.projects == {}
    assert config.mode("shop", "stage", 0) == "enforce"
    assert "has no `path`" in config.errors[0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b'{"format": 1',
        b"\xff",
        b'{"format": 99, "ttl": 1}',
        b'{"format": 1, "stamps": null, "projects": []}',
        b'{"format": 1, "projects": {"shop": 5}}',
        b'{"format": 1, "projects": {"shop": {"path": "/x"}}}',
    ],
)
def test_a_damaged_cache_is_made_again(world: World, home: Path, data: bytes) -> None:
    load(world.home)
    with open(path_of(world.home), "wb") as file:
        file.write(data)
    config = load(world.home)
    assert (list(config.projects), config.errors) == (["shop"], [])


def test_a_damaged_cache_with_the_right_stamps_is_made_again(world: World, home: Path) -> None:
    load(world.home)
    with open(path_of(world.home)) as file:
        raw = json.load(file)
    for key, value in (("projects", {"shop": None}), ("ttl", 10**400), ("observe", -(10**400))):
        with open(path_of(world.home), "w") as file:
            json.dump({**raw, key: value}, file)
        config = load(world.home)
        assert (list(config.projects), config.ttl, config.observe) == (["shop"], TTL, 0), key


def test_run_may_be_deleted_or_be_a_fifo(world: World, home: Path) -> None:
    load(world.home)
    shutil.rmtree(world.home.run)
    assert list(load(world.home).projects) == ["shop"]
    os.unlink(path_of(world.home))
    os.mkfifo(path_of(world.home))
    config = load(world.home)
    assert config.stale
    assert "not compiled" in config.errors[0]


def test_a_read_only_home_says_so_and_starts_nothing(
    world: World, home: Path, permissions: None
) -> None:
    home.chmod(0o555)
    try:
        config = load(world.home)
        assert (config.stale, config.projects) == (True, {})
        assert "Permission denied" in config.errors[0]
    finally:
        home.chmod(0o755)
    (home / "run").mkdir(mode=0o555)
    assert "not writable" in load(world.home).errors[0]


def test_a_compiler_that_cannot_start_is_tried_once(
    world: World, home: Path, starts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "config.yml").write_text("ttl: 90\n")
    load(world.home)
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    (home / "config.yml").write_text("ttl: 91\n")
    for _ in range(2):
        config = load(world.home)
        assert (config.ttl, config.stale) == (90, True)
        assert "was not compiled (No such file or directory)" in config.errors[0]
    assert len(starts) == 2
    monkeypatch.undo()
    compile_config(world.home)
    assert (load(world.home).ttl, load(world.home).errors) == (91, [])


def test_a_compiler_that_fails_says_so(
    world: World, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_CODE", "import sys; sys.exit(3)")
    config = load(world.home)
    assert "the compiler ended with status" in config.errors[0]
    assert config.stale


def test_a_compiler_that_hangs_is_ended(
    world: World, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = home / "mark"
    code = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    monkeypatch.setattr(compiled, "_CODE", code)
    monkeypatch.setattr(compiled, "PATIENCE", 1.0)
    config = load(world.home)
    assert "needs too long" in config.errors[0]
    if mark.exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int(mark.read_text()), 0)


def test_observation_turns_enforce_into_advise_until_its_end(world: World, home: Path) -> None:
    day = date.fromtimestamp(time.time()) + timedelta(days=3)  # noqa: DTZ012 - local
    (home / "config.yml").write_text(f"observe_until: {day}\n")
    config = load(world.home)
    end = end_of_day(day.isoformat())
    assert config.observe == end
    assert time.localtime(end - 1)[:3] == (day.year, day.month, day.day)
    assert config.mode("shop", "stage", end - 1) == "advise"
    assert config.mode("shop", "shell", end - 1) == "off"
    assert config.mode("shop", "stage", end) == "enforce"
    assert config.mode(None, "stage", end - 1) == "advise"


def test_a_hook_reads_it_without_the_standard_library(world: World, home: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from plastic.disk.compiled import load\nfrom plastic.disk.home import Home\n"
        "config = load(Home(sys.argv[2]))\n"
        "print(sorted(config.projects), config.errors)\n"
        "print({'os', 're', 'json', 'typing', 'yaml', 'subprocess'} & set(sys.modules))"
    )
    package = compiled.__file__.rpartition("/plastic/")[0]
    done = world.run(sys.executable, "-I", "-S", "-c", code, package, world.home.root)
    assert (done.rc, done.out) == (0, "['shop'] []\nset()\n"), done.err


def test_two_slugs_for_one_checkout_are_refused(world: World, home: Path) -> None:
    text = SHOP.format(repo=world.repo) + f"  twin:\n    path: {world.repo}/../shop\n"
    (home / "projects.yml").write_text(text)
    faults = compile_config(world.home)
    assert [str(fault) for fault in faults] == [
        f"{world.home.projects_yml}:7: `projects.twin.path` is the repository of `projects.shop`"
    ]


def test_a_repository_that_is_gone_keeps_its_project(world: World, home: Path) -> None:
    (home / "projects.yml").write_text("projects:\n  gone: {path: /gone/repo}\n")
    config = load(world.home)
    assert (config.projects["gone"].common, config.errors) == ("", [])


def test_a_repository_that_is_cloned_later_is_known_at_once(
    world: World, home: Path, starts: list[str]
) -> None:
    (home / "projects.yml").write_text(f"projects:\n  late: {{path: {world.root}/late}}\n")
    assert load(world.home).projects["late"].common == ""
    world.make_repo(world.root / "late")
    assert load(world.home).projects["late"].common == f"{world.root}/late/.git"
    assert len(starts) == 1
