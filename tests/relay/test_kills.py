"""The runner is killed at every durable boundary: each prompt arrives once, and no step jumps."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from plastic.disk import failpoints
from tests.faults.sweep import child
from tests.soak import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.relay.stage import Stage

# As `plastic relay signal` keeps it, without an interpreter for each hop.
QUICK = """say() { for t in "$PLASTIC_HOME/relay/$RELAY_ID/turns"/*; do :; done
printf '["%s", "%s"]\\n' "$1" "$2" >>"$t/calls"; }
"""
PROMPTS = ["begin", "part 2", "part 3"]
POINTS = [name for name in failpoints.NAMES if name.startswith("relay.")]


def three(stage: Stage) -> None:
    stage.turns(
        f"{QUICK}say hand-off 'part 2'", f"{QUICK}say hand-off 'part 3'", f"{QUICK}say done all"
    )


def killed(stage: Stage, where: str, *verb: str) -> bool:
    """Run the relay in a process that is killed there; False when it never came so far."""

    def prepare() -> None:
        os.environ.update(PLASTIC_TEST="1", PLASTIC_FAILPOINT=f"{where}:kill")
        failpoints._passed.clear()

    def act() -> object:
        return stage.do(*verb) if verb else stage.start()

    return child(act, stage.world.root / "note", prepare) is None  # type: ignore[arg-type]


def go_on(stage: Stage) -> list[str]:
    """What a person does after a kill; the states on the way."""
    seen: list[str] = []
    while len(seen) < 4:
        found = stage.do("status", "--json")
        state = found.json["state"] if found.rc == 0 else "none"
        seen.append(state)
        if (state, found.rc == 0 and found.json["reason"]) == ("stopped", "done"):
            break
        if state in ("none", "off"):
            stage.start()
        else:
            stage.do("resume")
    return seen


def check(stage: Stage, where: str) -> None:
    """Once each, in order, each with a session of its own."""
    seen = go_on(stage)
    found = stage.status()
    assert seen[-1] == "stopped", f"{where}: {seen}, {found}"
    assert stage.got() == PROMPTS, f"{where}: {seen}"
    assert (found["step"], found["sessions"]) == (3, 3), f"{where}: {found}"
    sessions = [stage.env(number)["RELAY_SESSION"] for number in (1, 2, 3)]
    assert len(set(sessions)) == 3, where


def afresh(stage: Stage) -> None:
    """No relay, nothing said."""
    import shutil

    shutil.rmtree(stage.world.root / "home/relay", ignore_errors=True)
    for path in stage.dir.iterdir():
        if path.name == "count" or path.name.startswith(("got-", "env-")):
            path.unlink()


def kills(stage: Stage, where: str) -> Iterator[str]:
    """The n-th time that a point is passed, until it is not passed so often."""
    for turn in range(1, 400):
        afresh(stage)
        if not killed(stage, f"{where}:{turn}"):
            return
        yield f"{where}:{turn}"


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_every_point(stage: Stage, point: str) -> None:
    """Relay cases 60 to 62, 73: before and after each boundary of a hop."""
    three(stage)
    count = 0
    for where in kills(stage, point):
        check(stage, where)
        count += 1
    assert count >= 3, point
    assert stage.got() == PROMPTS, "undisturbed"


@pytest.mark.parametrize("point", ["relay.noted", "relay.spawned"])
def test_killed_again_while_it_recovers(stage: Stage, point: str) -> None:
    three(stage)
    killed(stage, f"{point}:2")
    killed(stage, f"{point}:1", "resume")
    killed(stage, "relay.saved:1", "resume")
    check(stage, point)


def test_a_child_that_died_with_its_runner(stage: Stage) -> None:
    """Its end is unknown: nothing is sent by itself, and the agent is told to look."""
    stage.turns("kill -9 0\n", f"{QUICK}say done all")
    assert killed(stage, "relay.spawned:1")
    until = time.monotonic() + 10
    while not stage.got() and time.monotonic() < until:
        time.sleep(0.01)
    while stage.do("attach").rc != 1:
        pass
    stage.is_at("interrupted", None, 1)
    assert len(stage.got()) == 1
    assert stage.do("resume").rc == 0
    assert "take no result of it for granted" in stage.got()[1]


@pytest.mark.soak
def test_killed_at_every_effect(stage: Stage) -> None:
    """The same before each change of the world that the interpreter announces."""
    three(stage)
    begun, count = time.monotonic(), 0
    for where in kills(stage, "effect"):
        check(stage, where)
        count += 1
    assert count > 60
    record(
        "relay: runner killed before each effect",
        f"{count} kills of a relay of 3 sessions",
        "every prompt once, no step jumped",
        time.monotonic() - begun,
    )
