"""Guards: exclusive between filelock and the hook's flock, ordered, never unlinked, honest."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from plastic.disk import locks
from plastic.disk.command import remember
from plastic.disk.home import Home
from plastic.disk.lockfile import GUARD, try_guard
from plastic.disk.locks import guard, home_guard, index_guard, intent_guard, repo_guard
from plastic.words import Broken

HOLDER = """
import sys, time
from plastic.disk.locks import guard
with guard(sys.argv[1], 5, "intent"):
    print("held", flush=True)
    sys.stdin.read()
"""
HOOK = """
import sys
from plastic.disk.lockfile import try_guard
fd = try_guard(sys.argv[1])
print("held" if fd is not None else "busy", flush=True)
sys.stdin.read()
"""


def process(code: str, path: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    child.said = child.stdout.readline().strip()  # type: ignore[attr-defined]
    return child


def end(child: subprocess.Popen[str]) -> None:
    child.communicate("")


def test_a_command_keeps_the_hook_out_and_the_hook_a_command(tmp_path: Path) -> None:
    """flock by fcntl and by filelock are the same lock."""
    path = tmp_path / GUARD
    holder = process(HOLDER, path)
    try:
        assert try_guard(str(path)) is None
    finally:
        end(holder)
    hook = process(HOOK, path)
    try:
        assert hook.said == "held"  # type: ignore[attr-defined]
        with pytest.raises(Broken), guard(str(path), 0.1, "intent"):
            pass
        with locks.try_guard(str(path)) as free:
            assert not free
    finally:
        end(hook)
    with locks.try_guard(str(path)) as free:
        assert free
        assert try_guard(str(path)) is None
    with guard(str(path), 0.1, "intent"):
        assert process(HOOK, path).communicate("")[0] == ""


def test_busy_is_one_line_with_the_file_and_the_same_command(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / GUARD
    remember("plastic-lock", ["release", "14", "--session", "two words"])
    holder = process(HOLDER, path)
    try:
        with pytest.raises(Broken) as refused, guard(str(path), 1.3, "intent"):
            pass
    finally:
        end(holder)
    error = refused.value
    assert (error.code, error.exit) == ("guard-busy", 5)
    assert error.run == "plastic-lock release 14 --session 'two words'"
    assert str(path) in error.reason
    told = capfd.readouterr().err.splitlines()
    assert len(told) == 1
    assert str(path) in told[0]


def test_a_guard_is_never_unlinked_and_stays_empty(tmp_path: Path) -> None:
    path = tmp_path / GUARD
    with guard(str(path), 1, "intent"):
        inode = path.stat().st_ino
    with guard(str(path), 1, "intent"):
        pass
    assert (path.stat().st_ino, path.stat().st_size) == (inode, 0)


def test_a_guard_that_was_replaced_while_waiting_is_taken_anew(tmp_path: Path) -> None:
    """The path must still name the inode that was locked."""
    path = tmp_path / GUARD
    old = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(old, fcntl.LOCK_EX)
    entered = threading.Event()
    leave = threading.Event()

    def wait() -> None:
        with guard(str(path), 10, "intent"):
            entered.set()
            leave.wait(10)

    waiter = threading.Thread(target=wait)
    waiter.start()
    (tmp_path / "new").touch()
    os.rename(tmp_path / "new", path)
    os.close(old)
    assert entered.wait(10)
    assert try_guard(str(path)) is None, "the new inode is the one that is held"
    leave.set()
    waiter.join()


BAD = ["directory", "link", "missing parent", "file as parent"]


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_guard_file(tmp_path: Path, kind: str) -> None:
    """Nothing is changed; one line names the file. There is no unguarded write."""
    path = tmp_path / GUARD
    if kind == "directory":
        path.mkdir()
    elif kind == "link":
        path.symlink_to("elsewhere")
    elif kind == "file as parent":
        (tmp_path / "file").touch()
        path = tmp_path / "file" / GUARD
    else:
        path = tmp_path / "deep" / "er" / GUARD
        with guard(str(path), 1, "intent"):
            assert path.exists()
        return
    start = time.monotonic()
    with pytest.raises(Broken) as refused, guard(str(path), 0.3, "intent"):
        raise AssertionError("not reached")
    assert time.monotonic() - start < 30
    assert str(path) in refused.value.reason
    assert not (tmp_path / "elsewhere").exists()
    with locks.try_guard(str(path)) as free:
        assert not free


@pytest.mark.parametrize("number", ["ENOSYS", "ENOLCK", "ENOTSUP"])
def test_without_flock_nothing_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    """Case 9.1/17, our answer: no soft lock instead, exit 5."""
    import errno

    def missing(_fd: int, _how: int) -> None:
        raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)))

    monkeypatch.setattr(fcntl, "flock", missing)
    path = tmp_path / GUARD
    with pytest.raises(Broken) as refused, guard(str(path), 0.2, "intent"):
        raise AssertionError("not reached")
    assert number in refused.value.reason
    assert path.stat().st_size == 0, "no marker of a soft lock"


ORDERED = ["intent", "repository", "INDEX", "home"]


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("second", range(4))
def test_the_order_of_taking(tmp_path: Path, first: int, second: int) -> None:
    def take(place: int) -> object:
        home = Home(str(tmp_path / "home"))
        return (
            lambda: intent_guard(str(tmp_path / "i")),
            lambda: repo_guard(str(tmp_path / "r")),
            lambda: index_guard(str(tmp_path / "x/INDEX.md")),
            lambda: home_guard(home),
        )[place]()

    if second > first:
        with take(first), take(second):  # type: ignore[attr-defined]
            pass
        return
    with (
        pytest.raises(AssertionError, match="guard is taken while"),
        take(first),  # type: ignore[attr-defined]
        take(second),  # type: ignore[attr-defined]
    ):
        pass
    with take(0):  # type: ignore[attr-defined]
        pass


def test_names_of_the_guards(tmp_path: Path) -> None:
    home = Home(str(tmp_path / "home"))
    with (
        intent_guard(str(tmp_path)),
        repo_guard(str(tmp_path)),
        index_guard(str(tmp_path / "INDEX.md")),
        home_guard(home),
    ):
        found = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    assert found == [".index.guard", "delivery.write.lock", "plastic.guard"]
    assert os.path.exists(home.guard)


def test_an_error_inside_gives_the_guard_free(tmp_path: Path) -> None:
    path = tmp_path / GUARD
    with pytest.raises(ValueError, match="inside"), guard(str(path), 1, "intent"):
        raise ValueError("inside")
    assert try_guard(str(path)) is not None


def test_a_killed_holder_gives_it_free(tmp_path: Path) -> None:
    path = tmp_path / GUARD
    holder = process(HOLDER, path)
    holder.kill()
    holder.wait()
    with guard(str(path), 5, "intent"):
        pass
    for pipe in (holder.stdin, holder.stdout):
        assert pipe is not None
        pipe.close()
