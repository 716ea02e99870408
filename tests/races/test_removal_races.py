"""Removal and maintenance against sessions that board meanwhile: one waits or is refused."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from plastic.work.intent.index import set_section
from plastic.work.intent.intents import find
from tests.work.yard import text

if TYPE_CHECKING:
    from tests.world import World

ROUNDS = 4


def test_remove_against_start_leaves_a_whole_worktree_or_none(shop: World) -> None:
    """Never a registration without files, never files of a session that boarded in the trash."""
    for turn in range(ROUNDS):
        found = shop.start(shop.new(f"Work {turn}")["id"], "O")
        tree = found["worktree"]["path"]
        assert shop.lock("release", found["id"], session="O").rc == 0
        with ThreadPoolExecutor(2) as pool:
            removing = pool.submit(shop.plastic, "worktree", "remove", found["id"], session="F")
            starting = pool.submit(shop.plastic, "start", found["id"], session="P", cwd=shop.repo)
            removed, started = removing.result(), starting.result()
        assert started.rc == 0, started.err
        assert removed.rc in (0, 3, 6), removed.err
        assert text(f"{tree}/app.py") == "TAX = 0.2\n"
        assert shop.git("status", "--porcelain", cwd=tree) == ""


def test_several_prunes_take_each_thing_once(shop: World) -> None:
    for turn in range(4):
        found = shop.start(shop.new(f"Work {turn}")["id"], "O")
        shop.lock("release", found["id"], session="O")
        set_section(shop.home, find(shop.home, found["id"]), "Completed")
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(shop.plastic, "worktree", "prune", "--json") for _ in range(4)]
        ended = [one.result() for one in done]
    assert [one.rc for one in ended] == [0] * 4, [one.out for one in ended]
    gone = [one for each in ended for one in each.json["pruned"]]
    paths = [one["path"] for one in gone if one["kind"] == "done"]
    assert sorted(paths) == sorted(set(paths))
    shop.plastic("worktree", "prune")
    assert shop.git("branch", "--list", "plastic/*") == ""
    assert len(os.listdir(shop.repo / ".git" / "plastic" / "trash")) == 8


@pytest.mark.parametrize("same", [True, False])
def test_parallel_maintenance_loses_no_entry(shop: World, same: bool) -> None:
    ids = [shop.new(f"Work {turn}")["id"] for turn in range(1 if same else 4)]
    words = ("--why", "w", "--rule", "t")

    def change(turn: int) -> int:
        id = ids[turn % len(ids)]
        place = find(shop.home, id)
        with open(f"{place.dir}/spec{turn}.md", "w") as file:
            file.write("x\n")
        return shop.plastic("maintain", id, "--move", f"spec{turn}.md", *words).rc

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(change, range(4))) == [0, 0, 0, 0]
    entries = [text(f"{find(shop.home, id).dir}/revisions.md").count("## Revision") for id in ids]
    assert sum(entries) == 4
    assert shop.git("status", "--porcelain", cwd=shop.home.root) == ""
    assert shop.git("branch", "--list", "maintain/*", cwd=shop.home.root) == ""
