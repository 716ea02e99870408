"""Starts programs that are not git, and ends any child with its whole process group in time.

`subprocess` is imported on use: looking at this module must cost a command nothing.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.command import look_command
from plastic.words import Broken

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Mapping, Sequence

    Child = subprocess.Popen[bytes]

TAIL_LINES = 12
GRACE = 2.0  # seconds between asking a group to end and killing it; also for its last words
TICK = 0.2  # seconds between two looks at a child
# The shell's own answer for a command that a signal ended is 128 + signal; 124 is `timeout`'s.
TIMED_OUT = 124


class Out(NamedTuple):
    """How a child ended; bytes that are no UTF-8 survive as surrogates."""

    rc: int
    out: str
    err: str

    def tail(self, lines: int = TAIL_LINES) -> str:
        """The last lines of what it said, for an error message."""
        said = [line for line in f"{self.out}\n{self.err}".splitlines() if line.strip()]
        return "\n".join(said[-lines:])


def decoded(data: bytes | str | None) -> str:
    """Output as text, without loss."""
    return data if isinstance(data, str) else (data or b"").decode("utf-8", "surrogateescape")


def finish(child: Child, stdin: bytes | None, timeout: float | None) -> tuple[bytes, bytes, bool]:
    """Feed a child, collect both outputs and wait; True = it was killed, group and all, for time.

    The child must lead its own process group: a hook's `sleep` keeps pipes open after git died.
    What a child that has ended left running in the background is neither waited for nor ended.
    """
    import subprocess

    until = None if timeout is None else time.monotonic() + timeout
    while True:
        left = None if until is None else max(0.0, until - time.monotonic())
        if not stdin:  # it can only be given in one go
            left = TICK if left is None else min(TICK, left)
        has_ended = child.poll() is not None  # asked first: then all that it said is in the pipes
        try:
            out, err = child.communicate(stdin, GRACE if has_ended and not stdin else left)
        except subprocess.TimeoutExpired as early:
            if has_ended:
                _close(child)
                return early.output or b"", early.stderr or b"", False
            if stdin or (until is not None and time.monotonic() >= until):
                out, err = _end(child)
                return out, err, True
        except BaseException:
            _end(child)
            raise
        else:
            return out or b"", err or b"", False


def _end(child: Child) -> tuple[bytes, bytes]:
    """Ask the group to end (git then removes its own lock files), then kill what is left."""
    import signal
    import subprocess

    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
        except (ProcessLookupError, PermissionError):
            pass
        try:
            out, err = child.communicate(None, GRACE)
        except subprocess.TimeoutExpired:
            continue
        return out or b"", err or b""
    # A descendant left the group and keeps a pipe open: its output is not ours to wait for.
    _close(child)
    child.wait()
    return b"", b""


def _close(child: Child) -> None:
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def run(
    argv: Sequence[str],
    cwd: str,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
    stdin: bytes | None = None,
) -> Out:
    """Run a program in `cwd`; `env` is its whole environment (None: ours). rc 124 = out of time."""
    import subprocess

    try:
        child = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise _not_started(argv, error) from None
    out, err, late = finish(child, stdin, timeout)
    rc = TIMED_OUT if late else child.returncode
    return Out(128 - rc if rc < 0 else rc, decoded(out), decoded(err))


def _not_started(argv: Sequence[str], error: OSError) -> Broken:
    """No program of that name, or no right to run it: say where programs are looked for."""
    why = f"{argv[0]} cannot be started: {error.strerror}"
    return Broken("process", why, run="echo $PATH" if "/" not in argv[0] else look_command(argv[0]))


def shell(
    line: str, cwd: str, env: Mapping[str, str] | None = None, timeout: float | None = None
) -> Out:
    """Run one line of a project's configuration as `/bin/sh -c` does."""
    return run(["/bin/sh", "-c", line], cwd, env, timeout)


def ask(
    argv: Sequence[str],
    cwd: str,
    said: bytes,
    is_answer: Callable[[str], bool],
    timeout: float,
) -> str | None:
    """Say something to a server on its stdin; the first line of its stdout that is the answer.

    Its stdin stays open meanwhile: a server that sees the end of it goes before it answers.
    """
    import select
    import subprocess

    try:
        child = subprocess.Popen(
            list(argv),
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise _not_started(argv, error) from None
    assert child.stdin is not None
    assert child.stdout is not None
    until = time.monotonic() + timeout
    rest = b""
    try:
        child.stdin.write(said)
        while select.select([child.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
            piece = os.read(child.stdout.fileno(), 1 << 16)
            if not piece:
                break
            *lines, rest = (rest + piece).split(b"\n")
            for line in map(decoded, lines):
                if is_answer(line):
                    return line
    except BrokenPipeError:
        pass  # it ended at once
    finally:
        _end(child)
    return None


def detached(
    argv: Sequence[str], cwd: str, env: Mapping[str, str], stdin: str, out: str, err: str
) -> Child:
    """Start a program with files for its streams, as the leader of a session: it outlives us."""
    import subprocess

    from plastic.disk.files import open_append

    streams = []
    try:
        streams = [os.open(stdin, os.O_RDONLY | os.O_CLOEXEC), open_append(out), open_append(err)]
        return subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=dict(env),
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            start_new_session=True,
        )
    finally:
        for fd in streams:
            os.close(fd)


def attached(
    argv: Sequence[str], tick: Callable[[], None], env: Mapping[str, str] | None = None
) -> int:
    """Run a program on our own terminal and call `tick` while it lives; its exit code as a shell's.

    `env` is added to our environment. What asks us to end is handed on: the program decides, and
    we wait for its answer.
    """
    import signal
    import subprocess

    asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    children: list[Child] = []
    early: list[int] = []  # before there was anybody to hand it to

    def hand_on(number: int, _: object) -> None:
        if not children:
            early.append(number)
        # Ctrl-C and Ctrl-\ reach the whole group of a terminal: once is enough.
        elif number not in (signal.SIGINT, signal.SIGQUIT) or not _is_in_front():
            children[0].send_signal(number)

    before = {number: signal.signal(number, hand_on) for number in asked}
    try:
        with subprocess.Popen(list(argv), env={**os.environ, **(env or {})}) as child:
            children.append(child)
            for number in early:
                child.send_signal(number)
            while True:
                try:
                    rc = child.wait(TICK)
                    return 128 - rc if rc < 0 else rc
                except subprocess.TimeoutExpired:
                    tick()
    except OSError as error:
        raise _not_started(argv, error) from None
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def _is_in_front() -> bool:
    """Whether a terminal sends its signals to our process group."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
