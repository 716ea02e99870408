"""The demo is run as a newcomer runs it: it must be true from the first line to the last."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from tests.world import World


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_demo_shows_each_refusal_and_its_way_out(world: World) -> None:
    scratch = world.root / "scratch"
    scratch.mkdir()
    done = world.plastic("demo", env={"TMPDIR": str(scratch)})
    assert done.rc == 0, done.err + done.out
    text = plain(done.out)
    for wanted in (
        "comes after a real plan.md",  # a stage refusal
        "run: plastic start 1 --wait",  # a refused rival
        "is held by another session",
        "write ~/shop/.claude/worktrees/1--rename-cart-to-basket/app.py instead",  # the worktree
        "run: plastic-lock reclaim 1 --token 1",  # a stale lock
        "shows work after its last heartbeat",  # the quarantine
        "takeover of 1--rename-cart-to-basket from ana-5d1f, token 2",
        "app.py | 1 +",  # the salvage commit
        "held by: ben-77c2",  # the former owner is foreign now
        "in the way: untracked: files are not tracked: app.py",  # what End asks for first
        "ended delivered, Completed",
        "Merge plastic/1--rename-cart-to-basket into main",
        "1 shop Completed done - Rename cart to basket",
    ):
        assert wanted in text, wanted
    assert os.listdir(scratch) == []
    assert not Path(world.home.root).exists(), "the demo touched the home of its caller"


def test_keep_leaves_the_world_to_look_at(world: World) -> None:
    done = world.plastic("demo", "--keep", "--json", env={"TMPDIR": str(world.root)})
    assert done.rc == 0, done.err
    kept = done.json["directory"]
    assert Path(kept, "shop", ".git").is_dir()
    assert Path(kept, "home", "projects.yml").is_file()
    assert any("takeover" in line for line in done.json["lines"])


@pytest.mark.usefixtures("permissions")
def test_a_demo_without_room_is_one_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    shut = world.root / "shut"
    shut.mkdir(mode=0o500)
    # By the environment alone Python falls back to /tmp where it can, and the demo simply works.
    monkeypatch.setattr(tempfile, "tempdir", str(shut))
    done = world.plastic("demo")
    assert (done.rc, len(done.err.splitlines())) == (5, 2)
    assert str(shut) in done.err
    assert "Traceback" not in done.err
