"""A person who wants it to stop: nothing that the relay started goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.relay.test_cases import DONE

if TYPE_CHECKING:
    from tests.relay.stage import Stage

CODE = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_child_and_keeps_the_work(stage: Stage, number: signal.Signals) -> None:
    stage.turns(f"echo $$ > {stage.dir}/pid\nexec sleep 60\n", DONE)
    words = [sys.executable, "-c", CODE, "relay", "start", "--command", str(stage.program), "go"]
    with subprocess.Popen(
        words, cwd=stage.world.repo, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as child:
        until = time.monotonic() + 20
        pid = stage.dir / "pid"
        while not (pid.exists() and pid.read_text().strip()) and time.monotonic() < until:
            time.sleep(0.01)
        child.send_signal(number)
        out, _ = child.communicate(timeout=20)
    assert child.returncode == 1, out
    assert b"it was switched off" in out
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    stage.is_at("stopped", "user_off", 1)
    assert stage.do("resume").rc == 0


def test_a_terminal_that_is_gone(stage: Stage) -> None:
    """Nobody reads what it says any more; the work goes on to its end."""
    stage.turns(DONE)
    words = [sys.executable, "-c", CODE, "relay", "start", "--command", str(stage.program), "go"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        words, cwd=stage.world.repo, stdout=subprocess.DEVNULL, stderr=writer, check=False
    )
    os.close(writer)
    assert done.returncode == 0
    stage.is_at("stopped", "done", 1)
