"""Killed and parallel starts: a second run finishes, twelve at once never meet."""

from __future__ import annotations

import functools
import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from plastic.disk.checkout import filling, try_filling
from plastic.disk.git import Git
from plastic.disk.worktrees import add, admin_dir, has_index
from plastic.rules.fence.include import dropped, included
from tests.work.yard import Yard, text, touch

if TYPE_CHECKING:
    from tests.world import World

POINTS = ("begun", "branch", "added", "checked_out", "copied", "set_up")


@pytest.fixture
def yard(world: World) -> Yard:
    world.make_repo()
    (world.repo / ".env").write_text("SECRET=1\n")
    (world.repo / ".gitignore").write_text(".env\nset-up\n")
    world.git("commit", "-q", "-am", "ignore")
    return Yard(world)


def assert_whole(yard: Yard, id: str = "1") -> None:
    path = yard.path(id)
    assert yard.worktrees().count(path) == 1
    assert yard.world.git("status", "--porcelain", cwd=path) == ""
    assert yard.world.git("branch", "--show-current", cwd=path) == f"plastic/{id}--add-tax"
    assert "app.py" in os.listdir(path)
    assert yard.world.git("fsck", "--no-progress") == ""


@pytest.mark.parametrize("where", POINTS)
def test_kill_9_at_each_point_then_the_same_start_finishes(yard: Yard, where: str) -> None:
    project = yard.project(copy=[".env"], setup=["echo ran >> set-up"])
    killing = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"provision.{where}"}
    assert yard.child(env=killing, project=project).rc == -9
    done = yard.child(token=2, project=project)
    assert done.rc == 0, done.err
    assert done.json["base_commit"] == yard.head()
    assert_whole(yard)
    assert text(f"{yard.path()}/.env") == "SECRET=1\n"
    assert text(f"{yard.path()}/set-up") == "ran\n"
    assert yard.branches() == ["main", "plastic/1--add-tax"]


@pytest.mark.parametrize("where", POINTS)
def test_killed_twice(yard: Yard, where: str) -> None:
    for at in (where, "added", "checked_out"):
        yard.child(env={"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"provision.{at}"})
    assert yard.child().rc == 0
    assert_whole(yard)


def killed_in_the_checkout(yard: Yard) -> str:
    """Registered, no index, an index.lock and some files: what a killed git leaves."""
    killing = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "provision.added"}
    assert yard.child(env=killing).rc == -9
    admin = admin_dir(f"{yard.root}/.git", yard.path())
    assert admin is not None
    touch(f"{admin}/index.lock")
    return admin


def test_danger_4_killed_in_the_middle_of_the_checkout(yard: Yard) -> None:
    killed_in_the_checkout(yard)
    yard.world.run("cp", f"{yard.root}/app.py", yard.path())
    assert yard.tree()["provisioned"] is True
    assert_whole(yard)
    assert not os.path.exists(f"{yard.root}/.git/plastic/trash")


@pytest.mark.parametrize("name", ["app.py", "stranger.py"])
def test_danger_4_what_git_did_not_write_whole_is_kept(yard: Yard, name: str) -> None:
    """A half-written file cannot be told from an edit, so neither is overwritten."""
    killed_in_the_checkout(yard)
    with open(f"{yard.path()}/{name}", "w") as file:
        file.write("TAX")
    assert yard.tree()["provisioned"] is True
    assert_whole(yard)
    trash = f"{yard.root}/.git/plastic/trash"
    assert text(f"{trash}/1.1/{name}") == "TAX"
    assert any("killed" in line and "1.1" in line for line in yard.said)
    assert not os.path.exists(f"{trash}/1.1/.git")


def test_a_git_that_outlived_its_start_is_waited_for(yard: Yard) -> None:
    """kill -9 of plastic does not end the git it started; a second one must not meet it."""
    hold, started = yard.world.root / "hold", yard.world.root / "started"
    os.mkfifo(hold)
    (yard.world.repo / ".gitattributes").write_text("*.slow filter=slow\n")
    (yard.world.repo / "a.slow").write_text("x\n")
    yard.world.git("add", "-A")
    yard.world.git("commit", "-q", "-m", "slow")
    yard.world.git("config", "filter.slow.smudge", f"touch {started}; cat {hold}; cat")
    first = subprocess.Popen(yard.argv("1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 30
    while not started.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    first.kill()
    first.wait()
    admin = admin_dir(f"{yard.root}/.git", yard.path())
    assert admin is not None
    with try_filling(admin) as free:
        assert not free
    second = subprocess.Popen(
        yard.argv("1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert second.stderr is not None
    assert "waiting" in second.stderr.readline()
    hold.write_text("")
    out, err = second.communicate(timeout=60)
    assert second.returncode == 0, err
    assert "provisioned" in out
    assert_whole(yard)


def test_danger_3_a_disk_that_fills_up_in_the_checkout(yard: Yard) -> None:
    """A limit on file sizes stands in for the full disk: git dies while it writes the big file."""
    (yard.world.repo / "big").write_bytes(os.urandom(1 << 20))
    yard.world.git("add", "big")
    yard.world.git("commit", "-q", "-m", "big")
    before = yard.snapshot()
    done = yard.world.run("sh", "-c", 'ulimit -f 512; exec "$@"', "sh", *yard.argv("1"))
    assert done.rc == 1
    assert done.err.startswith("5 git "), done.err
    assert yard.snapshot() == before
    assert yard.tree()["provisioned"] is True
    assert_whole(yard)


def test_a_lost_terminal_is_like_a_kill(yard: Yard) -> None:
    """SIGTERM between two steps: the second start finishes."""
    project = yard.project(setup=["kill -TERM $(ps -o ppid= -p $$); sleep 5"])
    assert yard.child(project=project).rc == -15
    assert yard.child().rc == 0
    assert_whole(yard)


def test_who_waited_for_a_start_that_gave_up_starts_anew(yard: Yard) -> None:
    yard.world.git("branch", "x")
    path = f"{yard.root}/.claude/worktrees/x"
    add(Git(yard.root), path, "x", "plastic 1 1", registered=False)
    admin = admin_dir(f"{yard.root}/.git", path)
    assert admin is not None
    assert not has_index(admin)

    def remove_meanwhile(line: str) -> None:
        yard.world.git("worktree", "remove", "-f", "-f", path)

    with filling(admin, yard.said.append):
        waiting = subprocess.Popen(
            [*yard.argv("1")[:2], _WAIT, admin], stdout=subprocess.PIPE, text=True
        )
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "another\n"
        remove_meanwhile("")
    assert waiting.communicate(timeout=60)[0] == "worktree-gone\n"


_WAIT = """
import sys
from plastic.disk.checkout import filling
from plastic.words import Broken
try:
    with filling(sys.argv[1], lambda line: print(line.split()[0], flush=True)):
        print("held")
except Broken as broken:
    print(broken.code)
"""


def together(yard: Yard, ids: list[str], token: int = 1) -> list[int]:
    """All of these starts at once, each a process."""
    children = [
        subprocess.Popen(yard.argv(id, token), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for id in ids
    ]
    ends = []
    for child in children:
        _, err = child.communicate(timeout=300)
        ends.append(child.returncode)
        assert child.returncode == 0, err.decode()
    return ends


def parallel_rounds(yard: Yard, rounds: int, width: int) -> None:
    config = text(f"{yard.root}/.git/config")
    ends = []
    for turn in range(rounds):
        ids = [str(100 * turn + number) for number in range(1, width + 1)]
        ends += together(yard, ids)
        for id in ids:
            assert_whole(yard, id)
    assert ends == [0] * (rounds * width)
    assert len(yard.worktrees()) == rounds * width + 1
    assert len(yard.branches()) == rounds * width + 1
    fenced = text(f"{yard.root}/.git/config").encode()
    assert len(included(fenced)) == rounds * width
    assert functools.reduce(dropped, included(fenced), fenced) == config.encode()
    assert yard.world.git("status", "--porcelain") == ""


def test_danger_1_parallel_starts(yard: Yard) -> None:
    """prototypes 4: raw adds lose 11 of 60."""
    parallel_rounds(yard, 2, 6)


@pytest.mark.soak
def test_danger_1_sixty_of_sixty(yard: Yard) -> None:
    parallel_rounds(yard, 5, 12)


def test_danger_2_parallel_starts_of_one_intent(yard: Yard) -> None:
    together(yard, ["1"] * 6)
    assert_whole(yard)
    assert yard.worktrees() == [yard.root, yard.path()]


def test_parallel_starts_prepare_once(yard: Yard) -> None:
    project = yard.project(setup=["echo ran >> set-up"])
    children = [
        subprocess.Popen(yard.argv("1", 1, project), stdout=subprocess.DEVNULL) for _ in range(4)
    ]
    assert [child.wait(timeout=120) for child in children] == [0] * 4
    assert text(f"{yard.path()}/set-up") == "ran\n"


def test_plain_parallel_adds_lose_some(yard: Yard) -> None:
    """Non-vacuity: without the guard the same race is lost, at the latest in some rounds.

    What git loses here depends on timing; that it never loses MORE than it reports is enough.
    """
    children = [
        subprocess.Popen(
            ["git", "worktree", "add", "-q", "-b", f"b/{n}", f"../wt/{n}"],
            cwd=yard.root,
            stderr=subprocess.DEVNULL,
        )
        for n in range(12)
    ]
    good = [child.wait() for child in children].count(0)
    assert len(yard.worktrees()) - 1 >= good
