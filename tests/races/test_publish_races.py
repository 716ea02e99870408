"""Many Ends at once on one repository, and a person who commits beside them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from plastic.disk.git import Git, oid
from plastic.disk.locks import repo_guard
from plastic.words import Refused
from plastic.work.merge import objects as merge
from plastic.work.merge import publish
from plastic.work.merge.objects import Merged, merge_tree
from plastic.work.merge.publish import Moved
from tests.soak import record
from tests.work.mill import Mill
from tests.work.press import MAIN, WHEN
from tests.world import World

FINISHERS = 8


def build(world: World, count: int, files: int = 3) -> Mill:
    """Branches `tip0` … that each add files of their own and edit one file that all share."""
    mill = Mill(world)
    shared = "".join(f"{number}\n\n\n" for number in range(count))
    mill.commit({"shared": shared, "mine": "0\n"})
    for number in range(count):
        lines = shared.replace(f"{number}\n\n\n", f"{number} by tip{number}\n\n\n", 1)
        added: dict[str, str | bytes | None] = {
            f"d{number}/f{one}": f"{one}\n" for one in range(files)
        }
        mill.branch(f"tip{number}", {"shared": lines, **added})
    return mill


def finish(mill: Mill, name: str, checkout: str | None, guarded: bool) -> int:
    """One End's merge, planned again while others are faster; how often it was planned."""
    tries = 0
    while True:
        tries += 1
        assert tries < 200
        if not guarded:
            if attempt(mill, name, checkout):
                return tries
            continue
        with repo_guard(mill.common):
            if attempt(mill, name, checkout):
                return tries


def attempt(mill: Mill, name: str, checkout: str | None) -> bool:
    git = Git(mill.common)
    old, tip = oid(git, MAIN), oid(git, f"refs/heads/{name}")
    assert old is not None
    assert tip is not None
    found = merge_tree(mill.common, old, tip)
    assert isinstance(found, Merged), found
    text = merge.message("merge", f"{name}--x", "X", MAIN, tip)
    new = merge.commit(mill.common, found.tree, [old, tip], text, WHEN)
    try:
        publish.publish(mill.common, MAIN, old, new, tip, None, checkout, name)
    except Moved:
        return False
    return True


def at_once(acts: list[Callable[[], object]]) -> None:
    """Run each in a forked process, all let go together; the test fails when one does."""
    gate, go = os.pipe()
    children = []
    for act in acts:
        pid = os.fork()
        if pid == 0:
            rc = 1
            try:
                os.close(go)
                os.read(gate, 1)
                act()
                rc = 0
            except BaseException as error:
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(rc)
        children.append(pid)
    os.close(go)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * len(children)
    os.close(gate)


def assert_all_in(mill: Mill, count: int) -> None:
    tree = set(mill.git("ls-tree", "-r", "--name-only", "main").splitlines())
    shared = mill.git("show", "main:shared")
    for number in range(count):
        assert f"d{number}/f0" in tree
        assert f"{number} by tip{number}" in shared
        mill.git("merge-base", "--is-ancestor", f"tip{number}", "main")
    assert mill.git("fsck", "--no-progress", "--no-dangling") == ""


@pytest.mark.parametrize("guarded", [True, False], ids=["guard", "compare-and-swap alone"])
def test_eight_at_once_where_the_base_is_checked_out_nowhere(world: World, guarded: bool) -> None:
    mill = build(world, FINISHERS)
    mill.git("switch", "-q", "--detach")
    at_once([partial(finish, mill, f"tip{one}", None, guarded) for one in range(FINISHERS)])
    assert_all_in(mill, FINISHERS)
    assert mill.git("rev-list", "--count", "--first-parent", "--merges", "main") == "8"


def test_eight_at_once_in_one_checkout(world: World) -> None:
    """reliability finding 8: plain git merges one of eight and leaves garbage staged."""
    mill = build(world, FINISHERS)
    mill.write({"mine": "my edit\n", "untracked": "mine\n"})
    place = str(mill.repo)
    at_once([partial(finish, mill, f"tip{one}", place, True) for one in range(FINISHERS)])
    assert_all_in(mill, FINISHERS)
    assert mill.git("status", "--porcelain").splitlines() == ["M mine", "?? untracked"]
    assert (mill.repo / "mine").read_text() == "my edit\n"
    assert mill.git("rev-list", "--count", "--first-parent", "--merges", "main") == "8"


def committing(mill: Mill, until: Path, most: int) -> None:
    """A person who commits as fast as git lets them, in the checkout of the base."""
    done = 0
    while done < most and not (until.exists() and done):
        mill.write({"mine": f"{done + 1}\n"})
        if mill.world.run("git", "commit", "-q", "-a", "-m", f"mine {done + 1}", cwd=mill.repo).rc:
            continue
        done += 1
    (mill.world.root / "committed").write_text(f"{done}\n")


def race_with_a_person(world: World, finishers: int, most: int) -> int:
    """All merges and all commits of a person on one checkout; how many commits there were."""
    mill = build(world, finishers)
    over = world.root / "over"
    place = str(mill.repo)

    def ends() -> None:
        for number in range(finishers):
            while not is_published(mill, f"tip{number}", place):
                time.sleep(0.02)
        over.write_text("")

    at_once([ends, partial(committing, mill, over, most)])
    done = int((world.root / "committed").read_text())
    assert_all_in(mill, finishers)
    subjects = mill.git("log", "--format=%s", "main").splitlines()
    assert [one for one in subjects if one.startswith("mine ")] == [
        f"mine {number}" for number in range(done, 0, -1)
    ]
    assert mill.git("show", "main:mine") == f"{done}"
    # No commit of the person took a merge back: what was there once is there in every later one.
    known: set[str] = set()
    for commit in reversed(mill.git("rev-list", "--first-parent", "main").splitlines()):
        tree = set(mill.git("ls-tree", "-r", "--name-only", commit).splitlines())
        assert known <= tree, f"{commit} lost {sorted(known - tree)[:3]}"
        known |= tree
    assert mill.world.run("git", "diff", "--quiet", "HEAD", "--", "shared", cwd=mill.repo).rc == 0
    return done


def is_published(mill: Mill, name: str, checkout: str) -> bool:
    """False while the person is in the way: an edit under their hands, or their git at work."""
    try:
        finish(mill, name, checkout, True)
    except Refused as refusal:
        if refusal.code not in ("dirty", "index-locked", "staged"):
            raise
        return False
    return True


def test_a_person_commits_beside(world: World) -> None:
    assert race_with_a_person(world, 6, 40) > 0


@pytest.mark.soak
def test_a_person_commits_beside_for_long(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    began, commits = time.monotonic(), 0
    for _ in range(20):
        commits += race_with_a_person(World(tmp_path_factory.mktemp("round")), 12, 60)
    record(
        "merges into a checkout beside a person who commits in a loop",
        f"20 x 12 merges, {commits} commits",
        "0 swallowed, 0 reverted",
        time.monotonic() - began,
    )


@pytest.mark.soak
def test_fifty_thousand_files(world: World) -> None:
    mill = Mill(world)
    files: dict[str, str | bytes | None] = {
        f"d{number % 500}/f{number}": f"{number}\n" for number in range(50_000)
    }
    mill.write(files)
    mill.git("add", "-A")
    mill.git("commit", "-q", "-m", "many")
    some: dict[str, str | bytes | None] = dict.fromkeys(list(files)[:2900], "changed\n")
    mill.branch("tip0", {**some, "new": "n\n"})
    mill.write({"d1/f1": None})
    mill.write({"mine": "untracked\n"})
    mill.git("checkout", "-q", "d1/f1")
    began = time.monotonic()
    finish(mill, "tip0", str(mill.repo), True)
    took = time.monotonic() - began
    assert mill.git("status", "--porcelain") == "?? mine"
    record("a merge into a checkout of 50,000 files", "2,901 files changed", "whole", took)
