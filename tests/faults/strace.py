"""Kills a command at one of its system calls, or lets the call fail: strace, attached to a fork."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.world import Done

if TYPE_CHECKING:
    from collections.abc import Callable

CALL = re.compile(r"^([a-z]\w*)\(", re.MULTILINE)


def why_not() -> str:
    """Why nothing can be traced here; "" where it can."""
    if shutil.which("strace") is None:
        return "no strace here"
    tried = subprocess.run(
        ["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else "ptrace is not allowed here"


def traced(act: Callable[[], Done], note: Path, *options: str) -> Done | None:
    """`act` in a fork that strace follows from its first step; None when it was killed.

    git, which the command starts, is not followed: where the command dies it goes on alone.
    """
    note.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        try:
            os.kill(os.getpid(), signal.SIGSTOP)
            note.write_text(json.dumps(act()))
        finally:
            os._exit(0)
    os.waitpid(pid, os.WUNTRACED)
    words = ["strace", "-qq", "-e", "signal=none", *options, "-p", str(pid)]
    tracer = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    status = Path(f"/proc/{pid}/status")
    while "TracerPid:\t0\n" in status.read_text():
        assert tracer.poll() is None, "strace could not attach"
        time.sleep(0.001)
    os.kill(pid, signal.SIGCONT)
    _, ended = os.waitpid(pid, 0)
    tracer.wait()
    if os.WIFSIGNALED(ended):
        assert os.WTERMSIG(ended) == signal.SIGKILL
        return None
    return Done(*json.loads(note.read_text()))


def calls(act: Callable[[], Done], note: Path) -> Counter[str]:
    """How often an undisturbed command makes each system call."""
    log = note.with_suffix(".calls")
    done = traced(act, note, "-o", str(log))
    assert done is not None
    return Counter(CALL.findall(log.read_text()))


def inject(
    act: Callable[[], Done], note: Path, call: str, number: int, action: str = "signal=KILL"
) -> Done | None:
    """How it ends when its call of this name and number meets `action`; None when that killed."""
    options = ("-o", "/dev/null", "-e", f"trace={call}")
    return traced(act, note, *options, "-e", f"inject={call}:{action}:when={number}")
