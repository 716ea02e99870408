"""The compiled values of the configuration: never others than the files say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plastic.disk.configvalues import keep, kept
from plastic.disk.projects import load, projects, settings
from plastic.words import Refused
from plastic.work.house.compile import compile_config

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World


def test_what_is_kept_is_what_is_read(shop: World) -> None:
    home = shop.home
    assert compile_config(home) == []
    assert kept(home, "projects") == load(home.projects_yml).values
    assert kept(home, "config") == load(home.config_yml).values
    before = projects(home), settings(home)
    (path_of(shop)).unlink()
    assert (projects(home), settings(home)) == before


def test_a_changed_file_is_read_again(shop: World) -> None:
    home = shop.home
    compile_config(home)
    path = shop.root / "home" / "config.yml"
    path.write_text(path.read_text() + "trash_days: 3\n")
    assert kept(home, "config") is None
    assert settings(home)["trash_days"] == 3
    path.write_text("version: 1\nttl: soon\n")
    compile_config(home)
    assert kept(home, "config") is None
    with pytest.raises(Refused, match=r"config\.yml:2"):
        settings(home)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": 9}', '{"format": 1, "stamps": [], "config": {"ttl": 1}}'],
)
def test_what_is_not_ours_is_no_answer(shop: World, text: str) -> None:
    compile_config(shop.home)
    path_of(shop).write_text(text)
    assert kept(shop.home, "config") is None
    assert settings(shop.home)["ttl"] == 1800


def test_a_value_of_another_kind_is_no_answer(shop: World) -> None:
    compile_config(shop.home)
    seen = json.loads(path_of(shop).read_text())["stamps"]
    keep(shop.home, seen, [], None)
    assert (kept(shop.home, "projects"), kept(shop.home, "config")) == (None, None)


def path_of(shop: World) -> Path:
    """The file of the values."""
    return shop.root / "home" / "run" / "values.json"
