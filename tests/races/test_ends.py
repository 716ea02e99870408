"""Many Ends at once in one repository, and somebody who works there at the same moment."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

import pytest

from plastic.cli import main
from tests.soak import record
from tests.work.ends import Ready, everything
from tests.world import World

FORK = get_context("fork")
PATIENCE = 300
SMALL = (8, 1)
BIG = (8, 20)


def _ender(id: str, session: str, barrier: Barrier, log: str) -> None:
    os.environ["CLAUDE_CODE_SESSION_ID"] = session
    said = io.StringIO()
    barrier.wait(PATIENCE)
    sys.argv = ["plastic", "end", id, "--delivered"]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        rc = main.plastic()
    Path(log).write_text(f"{rc}\n{said.getvalue()}")
    os._exit(0)


def _neighbour(world: World, barrier: Barrier, stop: Event, where: str) -> None:
    """Somebody who commits their own file again and again, and whose git may have to wait."""
    barrier.wait(PATIENCE)
    turn = 0
    while not stop.is_set():
        turn += 1
        Path(where, "mine.txt").write_text(f"turn {turn}\n")
        for words in (("add", "mine.txt"), ("commit", "-q", "-m", f"mine {turn}")):
            world.run("git", *words, cwd=where)
        time.sleep(0.01)
    os._exit(0)


def rush(world: World, ready: list[Ready], *, neighbours: list[str]) -> list[str]:
    """Let all of them end at the same moment; what each said, its exit code in front."""
    barrier = FORK.Barrier(len(ready) + len(neighbours))
    stop = FORK.Event()
    logs = [str(world.root / f"said-{number}") for number in range(len(ready))]
    os.environ["PLASTIC_HOME"] = world.home.root
    enders = [
        FORK.Process(target=_ender, args=(one.id, f"S{one.id}", barrier, log))
        for one, log in zip(ready, logs, strict=True)
    ]
    others = [
        FORK.Process(target=_neighbour, args=(world, barrier, stop, where)) for where in neighbours
    ]
    for child in (*enders, *others):
        child.start()
    for child in enders:
        child.join(PATIENCE)
    stop.set()
    for child in others:
        child.join(PATIENCE)
    return [Path(log).read_text() for log in logs]


def prepare(world: World, count: int, turn: int) -> list[Ready]:
    found = []
    for number in range(count):
        one = Ready(world, f"Work {turn} {number}", session=f"S{turn * count + number + 1}")
        one.documents()
        one.commit(f"work/{turn}-{number}.py", f"N = {number}\n")
        found.append(one)
    return found


@pytest.mark.parametrize(
    ("count", "rounds"), [pytest.param(*SMALL), pytest.param(*BIG, marks=pytest.mark.soak)]
)
def test_all_of_them_end(shop: World, count: int, rounds: int) -> None:
    """Each is merged, the checkout has every file and shows nothing, nothing is left over.

    On a slow machine the last one may wait longer for the repository's guard than an End does: it
    changes nothing, says so, and the same command again ends it.
    """
    since = time.monotonic()
    late = 0
    for turn in range(rounds):
        ready = prepare(shop, count, turn)
        said = rush(shop, ready, neighbours=[])
        for one, text in zip(ready, said, strict=True):
            if not text.startswith("0"):
                assert "plastic.guard was busy" in text, "\n".join(said)
                assert one.end(session=f"S{one.id}").rc == 0
                late += 1
        for one in ready:
            one.ended()
            assert len(one.merges()) == 1
        for number in range(count):
            path = shop.repo / f"work/{turn}-{number}.py"
            assert path.read_text() == f"N = {number}\n"
    shop.git("fsck", "--connectivity-only")
    assert shop.git("status", "--porcelain", cwd=shop.home.root) == ""
    if (count, rounds) == BIG:
        took = time.monotonic() - since
        result = "all merged" + (f", {late} at the second call: guard busy" if late else "")
        record("Ends at once in one repository", f"{count} x {rounds}", result, took)


def test_a_neighbour_who_commits_at_the_same_moment(shop: World) -> None:
    """Their commits hold their file only, and no merge is reverted by one of them."""
    (shop.repo / "app.py").write_text("TAX = 0.5\n")
    staged = Path(shop.home.root) / "staged.txt"
    staged.write_text("staged\n")
    shop.git("add", "staged.txt", cwd=shop.home.root)
    ready = prepare(shop, 2, 0)
    before = everything(shop.repo, without=(".git", "worktrees", "work"))
    said = rush(shop, ready, neighbours=[str(shop.repo)])
    # A git of theirs may hold the index for as long as an End waits: then it says so and is
    # run again.
    for one, text in zip(ready, said, strict=True):
        if not text.startswith("0"):
            assert one.end(session=f"S{one.id}").rc == 0, text
    for one in ready:
        assert one.section() == "Completed"
        assert len(one.merges()) == 1
    words = ("--first-parent", "--no-merges", "--format=%x00", "--name-only", "--grep=^mine")
    mine = shop.git("log", *words, "main").split("\0")[1:]
    assert mine
    assert {touched.strip() for touched in mine} == {"mine.txt"}
    for number in range(2):
        assert shop.git("show", f"main:work/0-{number}.py") == f"N = {number}"
    left = shop.git("status", "--porcelain").splitlines()
    assert [line for line in left if "mine.txt" not in line] == ["M app.py"]
    assert (shop.repo / "app.py").read_text() == "TAX = 0.5\n"
    after = everything(shop.repo, without=(".git", "worktrees", "work"))
    assert {path: one for path, one in after.items() if "mine.txt" not in path} == before
    assert shop.git("status", "--porcelain", cwd=shop.home.root) == "A  staged.txt"


def test_the_same_end_twice_at_once(shop: World) -> None:
    """A command that is started twice ends once; both say that it has ended."""
    one = Ready(shop, session="S1").documents()
    one.commit()
    said = rush(shop, [one, one], neighbours=[])
    assert all(text.startswith("0") for text in said), said
    one.ended()
    assert len(one.merges()) == 1
