"""`plastic guard` and `plastic-lock keep`: who may run something, what is told when it was lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from plastic.cli.main import plastic
from tests.cli.desk import Desk, refused

if TYPE_CHECKING:
    from tests.world import Done, World

GUARD, KEEP = ("plastic", "guard"), ("plastic_lock", "keep")
BOTH = pytest.mark.parametrize("verb", [GUARD, KEEP], ids=lambda verb: verb[1])
STEAL = (
    "import json, sys; path = sys.argv[1]; raw = json.load(open(path))\n"
    "raw.update(owner_session='F', acq='other', token=2); json.dump(raw, open(path, 'w'))"
)


@pytest.fixture
def desk(world: World) -> Desk:
    made = Desk(world)
    made.json("arm", made.id)
    return made


def started(desk: Desk, verb: tuple[str, str], *argv: str, **pipes: Any) -> subprocess.Popen[bytes]:
    code = f"import sys; from plastic.cli.main import {verb[0]}; sys.exit({verb[0]}())"
    return subprocess.Popen(
        [sys.executable, "-c", code, verb[1], *argv],
        cwd=desk.world.repo,
        env={**os.environ, "CLAUDE_CODE_SESSION_ID": "O"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **pipes,
    )


def guarded(desk: Desk, *argv: str, session: str = "O") -> Done:
    """A guard that never comes to run its command: it needs no process of its own."""
    return desk.here(plastic, "guard", *argv, CLAUDE_CODE_SESSION_ID=session)


def test_its_code_is_the_command_s(desk: Desk) -> None:
    child = started(desk, GUARD, "--token", "1", "--", "sh", "-c", "echo out; exit 7")
    assert (child.communicate()[0], child.returncode) == (b"out\n", 7)


@pytest.mark.parametrize("verb", [GUARD, KEEP], ids=["guard", "keep"])
def test_the_command_presents_the_token(desk: Desk, verb: tuple[str, str]) -> None:
    """What it leaves running is refused by the fence when the lock has gone on."""
    child = started(desk, verb, "--", "sh", "-c", 'echo "$PLASTIC_TOKEN"')
    assert child.communicate()[0].decode().strip() == f"{desk.id}:1"


def test_it_runs_nothing_for_somebody_else(desk: Desk) -> None:
    mark = desk.world.root / "ran"
    done = guarded(desk, desk.id, "--json", "--", "touch", str(mark), session="F")
    error = refused(done, 3, "held")
    assert (error["who"], mark.exists()) == ("O", False)


def test_it_runs_nothing_under_a_token_that_is_over(desk: Desk) -> None:
    """The name of whoever has it now stands in the refusal."""
    mark = desk.world.root / "ran"
    desk.json("transfer", desk.id, "--to", "F")
    done = guarded(desk, desk.id, "--token", "1", "--json", "--", "touch", str(mark))
    assert refused(done, 3, "held")["who"] == "F"
    desk.json("transfer", desk.id, "--to", "O", session="F")
    done = guarded(desk, desk.id, "--token", "1", "--json", "--", "touch", str(mark))
    error = refused(done, 4, "lost")
    assert "token 1 is not the current one" in error["reason"]
    assert error["reason"].endswith("is now 3")
    assert (error["who"], mark.exists()) == ("O", False)
    assert desk.paste(error["run"], "O").rc == 0


@BOTH
def test_it_tells_when_the_token_changed_meanwhile(desk: Desk, verb: tuple[str, str]) -> None:
    child = started(
        desk, verb, desk.id, "--json", "--", sys.executable, "-c", STEAL, str(desk.path)
    )
    out, _ = child.communicate()
    error = json.loads(out)["error"]
    assert child.returncode == 4
    assert "changed hands while the command ran (rc 0)" in error["reason"]
    assert error["who"] == "F"


DECIDES = """
import os, signal, time
signal.signal({number}, lambda *_: os._exit(9))
print("ready", flush=True)
time.sleep(300)
"""


@BOTH
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_reach_the_command_which_decides(
    desk: Desk, verb: tuple[str, str], number: signal.Signals
) -> None:
    """Sent to us alone, as a supervisor does; the answer of the command is ours."""
    if verb == KEEP and number != signal.SIGTERM:
        pytest.skip("the same code")
    # No shell: bash sends itself an INT that it got between two commands, again and again.
    code = DECIDES.format(number=int(number))
    child = started(desk, verb, "--", sys.executable, "-c", code, start_new_session=True)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(number)
    child.communicate(timeout=60)
    assert child.returncode == 9


def test_a_command_that_a_signal_ends(desk: Desk) -> None:
    child = started(desk, GUARD, "--", "sh", "-c", "kill -9 $$")
    child.communicate()
    assert child.returncode == 128 + signal.SIGKILL


def test_a_program_that_is_not_there(desk: Desk) -> None:
    error = refused(guarded(desk, "--json", "--", "no-such-program-x"), 5, "process")
    assert "no-such-program-x cannot be started" in error["reason"]
    assert desk.raw()["token"] == 1


@pytest.mark.parametrize("argv", [(), ("a", "b", "--", "true"), ("--",)])
def test_usage(desk: Desk, argv: tuple[str, ...]) -> None:
    done = guarded(desk, *argv)
    assert done.rc == 2
    assert "plastic guard --help" in done.err
    assert guarded(desk, "--help").rc == 0


def test_without_a_lock(desk: Desk) -> None:
    desk.json("release", desk.id)
    error = refused(guarded(desk, desk.id, "--json", "--", "true"), 1, "no-lock")
    assert error["run"].startswith("plastic start")
