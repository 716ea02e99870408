"""Two hundred sessions: what a relay needs does not grow with what it has done."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from plastic.disk.relay import journal
from tests.soak import record

if TYPE_CHECKING:
    from tests.relay.stage import Stage

HOPS = 200
# Each hands 32 KB on, and notes what its runner needs; the last one is done.
TURN = """for t in "$PLASTIC_HOME/relay/$RELAY_ID/turns"/*; do :; done
pid=$(sed 's/.*"pid": \\([0-9]*\\).*/\\1/' "$PLASTIC_HOME/relay/$RELAY_ID/owner.json")
grep VmRSS "/proc/$pid/status" >>"{dir}/memory"
head -c 32000 /dev/zero | tr '\\0' x >"{dir}/long"
if [ $n -lt {hops} ]; then printf '["hand-off", "%s %s"]\\n' $n "$(cat "{dir}/long")"
else echo '["done", "all"]'; fi >>"$t/calls"
"""


@pytest.mark.soak
def test_two_hundred_sessions(stage: Stage) -> None:
    (stage.dir / "turn").write_text(TURN.format(dir=stage.dir, hops=HOPS))
    text = stage.program.read_text().replace("turn-$n", "turn")
    stage.program.write_text(text.replace('cat > "got-$n"', "cat >/dev/null"))
    code = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"
    words = ["relay", "start", "--max-steps", str(HOPS), "--command", str(stage.program), "go"]
    begun = time.monotonic()
    runner = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=stage.world.repo,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    first: list[float] = []
    while runner.poll() is None:
        if not first and (stage.dir / "memory").exists():
            first = times(stage)
        time.sleep(0.2)
    took = time.monotonic() - begun
    assert runner.returncode == 0
    found = stage.status()
    assert (found["reason"], found["step"], found["sessions"]) == ("done", HOPS, HOPS)
    memory = [
        int(line.split()[1]) / 1024 for line in (stage.dir / "memory").read_text().splitlines()
    ]
    assert len(memory) == HOPS
    assert max(memory) - memory[0] < 10
    size = sum(
        os.path.getsize(stage.place / name) for name in ("journal.jsonl", "journal.jsonl.old")
    )
    assert size < 2 * (journal.LONGEST + (1 << 18))
    assert len(os.listdir(stage.place / "turns")) <= 41
    last = times(stage)
    assert min(last) < 3 * min(first)
    record(
        f"relay: {HOPS} sessions of a program, 32 KB handed on each time",
        f"{HOPS - 1} hops",
        f"runner grew by {max(memory) - memory[0]:.1f} MB, journal {size >> 10} KB, "
        f"status {1000 * min(first):.0f} ms at the first session and {1000 * min(last):.0f} ms "
        "at the last",
        took,
    )


def times(stage: Stage) -> list[float]:
    """How long a status takes."""
    found = []
    for _ in range(8):
        begun = time.perf_counter()
        stage.status()
        found.append(time.perf_counter() - begun)
    return found
