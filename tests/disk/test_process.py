"""Programs and their groups: exit codes, deadlines, and that nothing of a killed child survives."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from plastic.disk.process import TIMED_OUT, Out, run, shell
from plastic.words import Broken

if TYPE_CHECKING:
    from pathlib import Path


def alive(pid: int) -> bool:
    """Whether a process still runs; a zombie that nobody reaps does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = f"/proc/{pid}/stat"
    if not os.path.exists(stat):
        return True
    try:
        with open(stat) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone_soon(pid: int) -> bool:
    until = time.monotonic() + 20
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


def test_output_and_exit_code(tmp_path: Path) -> None:
    done = run([sys.executable, "-c", "import sys; print('out'); sys.exit('err')"], str(tmp_path))
    assert (done.rc, done.out, done.err) == (1, "out\n", "err\n")


def test_runs_in_its_directory_with_its_whole_environment(tmp_path: Path) -> None:
    done = shell("pwd; echo $A$B", str(tmp_path), {"A": "1", "PATH": os.environ["PATH"]})
    assert done.out == f"{os.path.realpath(tmp_path)}\n1\n"


def test_stdin_is_given_or_empty(tmp_path: Path) -> None:
    assert run(["cat"], str(tmp_path), stdin=b"abc").out == "abc"
    assert run(["cat"], str(tmp_path)).out == ""


def test_a_signal_reads_as_the_shell_says_it(tmp_path: Path) -> None:
    assert shell("kill -9 $$", str(tmp_path)).rc == 137


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    done = shell(r"printf '\377'", str(tmp_path))
    assert done.out.encode("utf-8", "surrogateescape") == b"\xff"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Broken, match="no-such-program cannot be started"):
        run(["no-such-program"], str(tmp_path))


def test_a_deadline_ends_the_whole_group(tmp_path: Path) -> None:
    """A child of the child holds the pipe open: it must die too, or we would wait for it."""
    pids = tmp_path / "pid"
    done = shell(f"sleep 300 & echo $! > {pids}; echo started; wait", str(tmp_path), timeout=0.5)
    assert done.rc == TIMED_OUT
    assert done.out == "started\n"
    assert gone_soon(int(pids.read_text()))


def test_what_runs_on_in_the_background_is_not_waited_for(tmp_path: Path) -> None:
    """It has our pipes open: a command that starts a server would last as long as the server."""
    pids = tmp_path / "pid"
    began = time.monotonic()
    done = shell(f"sleep 300 & echo $! > {pids}; echo started; exit 3", str(tmp_path), timeout=60)
    assert time.monotonic() - began < 30
    pid = int(pids.read_text())
    assert alive(pid), "whoever began it wants it"
    os.kill(pid, 9)
    assert (done.rc, done.out) == (3, "started\n")


def test_a_long_input_is_read_slowly(tmp_path: Path) -> None:
    line = b"x" * 99 + b"\n"
    done = run(["sh", "-c", "sleep 0.5; wc -c"], str(tmp_path), stdin=line * 10000, timeout=60)
    assert done.out.strip() == "1000000"


def test_who_ignores_the_polite_signal_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pid"
    line = f"trap '' TERM; echo $$ > {pids}; while :; do sleep 1; done"
    assert shell(line, str(tmp_path), timeout=0.5).rc == TIMED_OUT
    assert gone_soon(int(pids.read_text()))


def test_the_tail_is_what_an_error_shows() -> None:
    done = Out(1, "\n".join(f"line {n}" for n in range(100)), "error: no\n\n")
    assert done.tail(3) == "line 98\nline 99\nerror: no"
