"""Kill git at its n-th system call inside the checkout: with its parent, or alone (no memory)."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from plastic.disk import indexlock
from tests.soak import record
from tests.work.mill import Mill, files_of
from tests.work.press import Press
from tests.world import World

LONG = "".join(f"{number}\n" for number in range(3000))
CALLS = ("openat", "write", "unlink", "close")


def tracing_git(root: Path) -> str:
    """A `git` that dies before the n-th call of a kind, in `read-tree -m -u OLD NEW` only.

    With a file `alone` its parent lives on and has to clean up; else it is killed as well.
    """
    tools = root / "tools"
    tools.mkdir()
    real = shutil.which("git")
    (tools / "git").write_text(
        "#!/bin/sh\n"
        f'case " $* " in *" -n "*) ;; *" read-tree "*) if [ -f {root}/inject ]; then\n'
        f"  inject=$(cat {root}/inject); rm {root}/inject\n"
        f'  strace -f -qq -o /dev/null -e trace=${{inject%%:*}} -e inject=$inject {real} "$@"\n'
        "  rc=$?\n"
        f"  [ $rc -lt 128 ] || echo hit >> {root}/hits\n"
        f"  [ $rc -lt 128 ] || [ -f {root}/alone ] || kill -9 $PPID\n"
        "  exit $rc\n"
        "fi ;; esac\n"
        f'exec {real} "$@"\n'
    )
    (tools / "git").chmod(0o755)
    return f"{tools}:{os.environ['PATH']}"


@pytest.fixture
def mill(world: World) -> Mill:
    mill = Mill(world)
    names = [f"d{number % 3}/f{number}" for number in range(9)]
    mill.commit({**dict.fromkeys(names, LONG), **{f"{name}.gone": "x\n" for name in names}})
    gone: dict[str, str | bytes | None] = {f"{name}.gone": None for name in names}
    new = {f"{name}.new": LONG * 2 for name in names}
    mill.branch("tip", {**dict.fromkeys(names, LONG + "more\n"), **gone, **new})
    mill.write({"mine": "untracked\n", "app.py": "my edit\n"})
    return mill


def sweep(mill: Mill, alone: bool, step: int) -> tuple[int, int, int]:
    """Every `step`-th call of each kind: (kills, whole at once or after a heal, torn files met)."""
    root = mill.world.root
    env = {"PATH": tracing_git(root)}
    if alone:
        (root / "alone").write_text("")
    press = Press(mill, mill.repo)
    before, base = files_of(mill.repo), mill.everything()
    kills = whole = torn = 0
    for call in CALLS:
        number = 1
        while True:
            (root / "inject").write_text(f"{call}:signal=KILL:when={number}")
            (root / "hits").unlink(missing_ok=True)
            done = press.child(env=env)
            hit = (root / "hits").exists()
            kills += hit
            sizes = {path.stat().st_size for path in mill.repo.glob("d*/f*")}
            torn += any(size not in (2, len(LONG), len(LONG) + 5, 2 * len(LONG)) for size in sizes)
            if alone and hit:
                assert "checkout-failed" in done.err, done.err
                assert mill.everything()[0] == base[0]
                assert files_of(mill.repo) == before, "everything is as before"
            if hit:
                assert press.child().rc == 0
            assert mill.oid("main") == press.new
            assert mill.git("status", "--porcelain").splitlines() == ["M app.py", "?? mine"]
            assert (mill.repo / "app.py").read_text() == "my edit\n"
            assert not indexlock.is_held(mill.common)
            whole += 1
            mill.git("update-ref", "refs/heads/main", press.old)
            mill.git("read-tree", "-m", "-u", press.new, press.old)
            assert files_of(mill.repo) == before
            if not hit:
                break
            number += step
    return kills, whole, torn


@pytest.mark.skipif(shutil.which("strace") is None, reason="no strace here")
@pytest.mark.parametrize("alone", [False, True], ids=["with its parent", "alone"])
def test_a_few_calls(mill: Mill, alone: bool) -> None:
    kills, whole, _ = sweep(mill, alone, 61)
    assert kills > 4
    assert whole == kills + len(CALLS)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("strace") is None, reason="no strace here")
@pytest.mark.parametrize("alone", [False, True], ids=["with its parent", "alone"])
def test_every_call(mill: Mill, alone: bool) -> None:
    began = time.monotonic()
    kills, whole, torn = sweep(mill, alone, 2)
    how = "alone" if alone else "with plastic"
    record(
        f"git killed at a system call inside End's checkout, {how}",
        f"{kills} calls, {torn} torn files",
        f"{whole - len(CALLS)} whole after the next run",
        time.monotonic() - began,
    )
