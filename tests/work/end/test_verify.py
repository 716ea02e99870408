"""The merge is tried where nobody works, and nothing of the try is left over."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from plastic.rules.end.facts import Merge
from plastic.work.end.verify import is_wanted, verify
from tests.work.ends import A, Ready
from tests.world import World


@pytest.fixture
def merge(world: World) -> Merge:
    world.make_repo()
    base = world.git("rev-parse", "HEAD")
    world.git("switch", "-q", "-c", "topic")
    (world.repo / "new.py").write_text("new\n")
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "new")
    tree = world.git("rev-parse", "HEAD^{tree}")
    world.git("switch", "-q", "main")
    root = os.path.realpath(world.repo)
    return Merge(root=root, common=f"{root}/.git", base_tip=base, tree=tree)


def left_over(world: World) -> list[str]:
    listed = world.git("worktree", "list", "--porcelain").splitlines()
    return [line for line in listed if "plastic-verify" in line]


def test_the_merged_tree_is_there_with_the_base_as_head(world: World, merge: Merge) -> None:
    said: list[str] = []
    out = world.root / "out"
    line = f"test -f new.py && git rev-parse HEAD > {out} && git status --porcelain >> {out}"
    assert verify("7", merge, [line], said.append) is None
    assert out.read_text().split("\n")[:2] == [merge.base_tip, "A  new.py"]
    assert said == [f"verify: {line}"]
    assert left_over(world) == []


def test_the_first_failure_ends_it(world: World, merge: Merge) -> None:
    mark = world.root / "mark"
    lines = ["echo out; echo err >&2; exit 9", f"touch {mark}"]
    failed = verify("7", merge, lines, lambda _: None)
    assert failed is not None
    assert failed.line == lines[0]
    assert failed.said.split() == ["out", "err"]
    assert not mark.exists()
    silent = verify("7", merge, ["exit 9"], lambda _: None)
    assert silent is not None
    assert silent.said == "it ended with 9"
    assert left_over(world) == []


def test_what_a_killed_try_left_goes_with_the_next(world: World, merge: Merge) -> None:
    stale = world.root / "plastic-verify-7-dead"
    other = world.root / "plastic-verify-8-live"
    for path in (stale, other):
        world.git("worktree", "add", "-q", "--detach", str(path), "main")
    assert verify("7", merge, ["true"], lambda _: None) is None
    assert left_over(world) == [f"worktree {os.path.realpath(other)}"]
    assert not stale.exists()


def test_whether_anything_is_tried(world: World, merge: Merge) -> None:
    assert is_wanted(merge.root, ["true"])
    assert not is_wanted(merge.root, [])
    hook = Path(merge.common, "hooks/pre-merge-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    assert not is_wanted(merge.root, [])
    hook.chmod(0o755)
    assert is_wanted(merge.root, [])


def test_the_printed_command_shows_the_failure_of_the_merge(shop: World) -> None:
    """The base has what breaks it: in the worktree alone the same line passes."""
    line = "test ! -e broken || { echo broken >&2; exit 3; }"
    path = Path(shop.home.projects_yml)
    path.write_text(f"{path.read_text().rstrip()}\n    verify: ['{line}']\n")
    ready = Ready(shop).documents()
    ready.commit()
    (shop.repo / "broken").write_text("x\n")
    shop.git("add", "broken")
    shop.git("commit", "-q", "-m", "theirs")
    assert shop.run("sh", "-c", line, cwd=ready.tree).rc == 0
    done = ready.end("--delivered")
    assert done.rc == 1
    printed = json.loads(done.out)["obstacles"][0]["run"]
    sync, _, line = printed.partition(" && ")
    assert shop.plastic(*shlex.split(sync)[1:], session=A, cwd=shop.repo).rc == 0
    assert shop.run("sh", "-c", line).rc == 3
