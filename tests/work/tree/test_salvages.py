"""`plastic salvage`: what was kept is found, shown and brought back; nothing is written over."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.work.yard import text

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def taken(shop: World) -> dict[str, Any]:
    """An intent whose lock was taken over while its worktree had work in it."""
    found = shop.start(shop.new("Add tax")["id"], "O")
    where = found["worktree"]["path"]
    for name, body in (("app.py", "TAX = 2\n"), ("n\u00e4 new.txt", "new\n")):
        with open(f"{where}/{name}", "w") as file:
            file.write(body)
    shop.age(f"{found['dir']}/delivery.lock", 4000)
    done = shop.lock("reclaim", found["id"], "--despite-evidence", "--json", session="F")
    assert done.rc == 0, done.out
    return found


def listed(shop: World, *words: str) -> list[dict[str, Any]]:
    done = shop.plastic("salvage", "list", "--json", *words)
    assert done.rc == 0, done.err
    found: list[dict[str, Any]] = done.json["salvages"]
    return found


def restored(shop: World, *words: str) -> dict[str, Any]:
    done = shop.plastic("salvage", "restore", "--json", *words)
    assert done.rc == 0, done.out
    found: dict[str, Any] = done.json
    return found


def state(shop: World) -> tuple[str, str]:
    """Everything that restore must leave alone: other refs, and the main checkout."""
    refs = shop.git("for-each-ref", "--format=%(refname) %(objectname)")
    mine = "\n".join(line for line in refs.splitlines() if "refs/heads/salvage/" not in line)
    return mine, shop.git("status", "--porcelain")


def test_listed_with_date_and_files(shop: World, taken: dict[str, Any]) -> None:
    (one,) = listed(shop)
    assert one["salvage"] == f"{taken['id']}/1"
    assert one["files"] == ["app.py", "n\u00e4 new.txt"]
    assert one["at"].endswith("Z")
    assert one["name"] == f"{taken['id']}--add-tax"
    assert listed(shop, taken["id"]) == [one]
    assert listed(shop, "77") == []
    assert "app.py" in shop.plastic("salvage", "list").out


def test_shown_with_stat_and_diff(shop: World, taken: dict[str, Any]) -> None:
    done = shop.plastic("salvage", "show", taken["id"], "--json")
    assert done.rc == 0, done.out
    assert "+TAX = 2" in done.json["diff"]
    assert "2 files changed" in done.json["stat"]
    assert "+TAX = 2" in shop.plastic("salvage", "show", f"{taken['id']}/1").out


def test_a_branch_with_everything(shop: World, taken: dict[str, Any]) -> None:
    before = state(shop)
    found = restored(shop, taken["id"])
    assert found["branch"] == f"salvage/{taken['id']}-1"
    assert shop.git("show", f"{found['branch']}:app.py") == "TAX = 2"
    assert found["path"] is None
    assert state(shop) == before


def test_a_worktree_with_everything(shop: World, taken: dict[str, Any]) -> None:
    before = state(shop)
    found = restored(shop, f"{taken['id']}/1", "--worktree")
    assert text(f"{found['path']}/app.py") == "TAX = 2\n"
    assert text(f"{found['path']}/n\u00e4 new.txt") == "new\n"
    assert shop.git("status", "--porcelain", cwd=found["path"]) == ""
    assert state(shop) == before
    assert restored(shop, taken["id"], "--worktree")["path"] == found["path"]


def test_names_that_are_taken_are_left_alone(shop: World, taken: dict[str, Any]) -> None:
    shop.git("branch", f"salvage/{taken['id']}-1")
    os.makedirs(f"{shop.repo}/.claude/worktrees/salvage-{taken['id']}-1-2")
    found = restored(shop, taken["id"], "--worktree")
    assert found["branch"] == f"salvage/{taken['id']}-1-2"
    assert found["path"].endswith(f"salvage-{taken['id']}-1-2-2")
    assert shop.git("rev-parse", f"salvage/{taken['id']}-1") == shop.git("rev-parse", "main")


def test_a_branch_called_salvage(shop: World, taken: dict[str, Any]) -> None:
    shop.git("branch", "salvage")
    done = shop.plastic("salvage", "restore", taken["id"], "--json")
    assert (done.rc, done.json["error"]["code"]) == (5, "branch-conflict")
    assert shop.run("sh", "-c", done.json["error"]["run"]).rc == 0
    assert restored(shop, taken["id"])["branch"] == f"salvage/{taken['id']}-1"


@pytest.mark.parametrize("point", ["salvage.branch", "salvage.added"])
def test_killed_and_run_again(shop: World, taken: dict[str, Any], point: str) -> None:
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": point}
    assert shop.plastic("salvage", "restore", taken["id"], "--worktree", env=env).rc == -9
    found = restored(shop, taken["id"], "--worktree")
    assert found["branch"] == f"salvage/{taken['id']}-1"
    assert text(f"{found['path']}/app.py") == "TAX = 2\n"


def test_two_of_one_intent_must_be_told_apart(shop: World, taken: dict[str, Any]) -> None:
    with open(f"{taken['worktree']['path']}/app.py", "w") as file:
        file.write("TAX = 3\n")
    shop.age(f"{taken['dir']}/delivery.lock", 4000)
    shop.lock("reclaim", taken["id"], "--despite-evidence", session="G")
    assert len(listed(shop)) == 2
    done = shop.plastic("salvage", "show", taken["id"], "--json")
    assert (done.rc, done.json["error"]["code"]) == (2, "ambiguous")
    assert "TAX = 3" in shop.plastic("salvage", "show", f"{taken['id']}/2").out


@pytest.mark.parametrize("name", ["77", "77/1", "*", "../x"])
def test_nothing_of_that_name(shop: World, taken: dict[str, Any], name: str) -> None:
    done = shop.plastic("salvage", "restore", name, "--json")
    assert (done.rc, done.json["error"]["code"]) == (6, "no-salvage")
    assert done.json["error"]["run"] == "plastic salvage list"
    assert taken["id"] != "77"
