"""`merge: pr`: the work is merged on the remote by others, and End waits for it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.work.ends import A, B, Ready
from tests.world import World


@pytest.fixture
def origin(world: World) -> World:
    """A shop whose base is `main` of a remote, with `merge: pr`."""
    source = world.make_repo(world.root / "source")
    bare = world.root / "origin.git"
    world.git("clone", "-q", "--bare", str(source), str(bare), cwd=world.root)
    world.git("clone", "-q", str(bare), str(world.repo), cwd=world.root)
    world.init()
    path = Path(world.home.projects_yml)
    path.write_text(path.read_text().rstrip("\n") + "\n    merge: pr\n")
    return world


def merge_there(world: World, one: Ready, *words: str) -> None:
    """Somebody merges the pushed branch on the remote."""
    place = world.root / "reviewer"
    world.git("clone", "-q", str(world.root / "origin.git"), str(place), cwd=world.root)
    world.git("merge", "-q", *words, f"origin/{one.branch}", cwd=place)
    if "--squash" in words:
        world.git("commit", "-q", "-m", "Squashed", cwd=place)
    world.git("push", "-q", "origin", "main", cwd=place)
    shutil.rmtree(place)


@pytest.mark.parametrize("words", [("--no-ff", "-m", "Merge"), ("--squash",)])
def test_it_waits_until_the_work_is_merged_there(origin: World, words: tuple[str, ...]) -> None:
    one = Ready(origin).documents()
    one.commit()
    before = one.main()
    done = one.end()
    assert done.rc == 1
    assert done.json["error"]["code"] == "waiting"
    listed = one.end("--dry-run").json["obstacles"][0]
    assert origin.run("/bin/sh", "-c", listed["run"]).rc == 0
    assert one.end().rc == 1
    merge_there(origin, one, *words)
    assert one.end("--dry-run").json["ready"] is False, "a dry run fetches nothing"
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()
    assert one.main() == before, "the local branch is nobody's business"
    assert origin.git("show", f"{done.json['salvage']}:tax.py") == "TAX = 1"


def test_whoever_boards_later_ends_it(origin: World) -> None:
    """The lock may be released meanwhile; the worktree stays."""
    one = Ready(origin).documents()
    one.commit()
    origin.git("push", "-q", "origin", one.branch)
    assert one.end().rc == 1
    assert origin.lock("release", one.id, session=A).rc == 0
    assert one.tree.exists()
    merge_there(origin, one, "--squash")
    assert one.end(session=B).json["error"]["code"] == "no-lock"
    assert origin.plastic("start", one.id, session=B).rc == 0
    done = one.end(session=B)
    assert done.rc == 0, done.err
    one.ended()


def test_a_remote_that_cannot_be_asked(origin: World) -> None:
    one = Ready(origin).documents()
    one.commit()
    shutil.rmtree(origin.root / "origin.git")
    done = one.end()
    assert done.rc == 5
    assert one.section() == "Active"
    assert one.tree.exists()


def test_an_abandoned_one_asks_no_remote(origin: World) -> None:
    one = Ready(origin).documents("abandoned")
    one.commit()
    shutil.rmtree(origin.root / "origin.git")
    done = one.end("--abandoned")
    assert done.rc == 0, done.err
    one.ended("abandoned")
