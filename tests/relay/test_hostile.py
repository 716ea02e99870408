"""What goes wrong around a relay: other runners, odd children, wrong callers, clocks, numbers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.rules.relay.changes import DELIVERY
from plastic.work.relay import watch
from tests.relay.stage import say
from tests.relay.test_kills import QUICK, killed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.relay.stage import Stage

DONE = f"{QUICK}say done all\n"
HOP = f"{QUICK}say hand-off 'part 2'\n"


def until(what: Callable[[], object], patience: float = 20) -> None:
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def pid_of(stage: Stage) -> int:
    """The program of the first turn: it waits, and says who it is."""
    path = stage.dir / "pid"
    until(lambda: path.exists() and path.read_text().strip())
    return int(path.read_text())


def lonely(stage: Stage, turn: str, *later: str) -> int:
    """A relay whose runner was killed while its child is at work; the child."""
    (stage.dir / "go").unlink(missing_ok=True)
    wait = f'echo $$ >"{stage.dir}/pid"; while [ ! -e "{stage.dir}/go" ]; do sleep 0.05; done\n'
    stage.turns(wait + turn, *later)
    assert killed(stage, "relay.spawned:1")
    return pid_of(stage)


def test_a_child_without_a_runner_is_taken_over(stage: Stage) -> None:
    """It is neither started again nor lost, and the limits of the resume hold."""
    raised = 'while ! grep -q \'"max_steps": 2,\' "$PLASTIC_HOME/relay/$RELAY_ID/snapshot.json"; '
    lonely(stage, raised + "do sleep 0.05; done\n" + HOP, DONE)
    found = stage.status()
    assert (found["runner"], found["state"], found["was"]) == (None, "interrupted", "running")
    assert found["next"] == f"plastic relay resume {stage.place.name}"
    (stage.dir / "go").touch()
    assert stage.do("resume", "--max-steps", "2").rc == 0
    assert stage.got() == ["begin", "part 2"]
    stage.is_at("stopped", "done", 2)


def test_a_new_relay_ends_the_child_of_the_old(stage: Stage) -> None:
    """Never two agents in one tree."""
    pid = lonely(stage, "true\n", DONE)
    assert stage.start().rc == 0
    assert not lives(pid)
    states = sorted(one["reason"] for one in stage.do("list", "--json").json["relays"])
    assert states == ["done", "user_off"]


def test_one_that_is_forgotten_while_its_child_is_ended(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P12: the runner takes the folder with it."""
    monkeypatch.setattr(watch, "GRACE", 20.0)
    stage.turns("trap '' TERM\nfor n in 1 2; do plastic relay off >/dev/null; done\n")
    assert stage.start().rc == 1
    assert stage.do("list", "--json").json == {"relays": []}
    assert stage.do("status").rc == 6


def test_off_ends_a_child_without_a_runner(stage: Stage) -> None:
    pid = lonely(stage, "true\n", DONE)
    assert stage.do("off").rc == 0
    assert not lives(pid)
    stage.is_at("stopped", "user_off", 1)


def test_two_runners_take_a_lost_relay_once(stage: Stage) -> None:
    """The guard of the system decides: the other one is told who has it, or tells that one."""
    lonely(stage, DONE)
    code = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"
    words = [sys.executable, "-c", code, "relay", "resume", "--json"]
    both = [
        subprocess.Popen(words, cwd=stage.world.repo, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    until(lambda: any(one.poll() is not None for one in both))
    (stage.dir / "go").touch()
    found = [(json.loads(one.communicate(timeout=20)[0]), one.returncode) for one in both]
    one, other = sorted(found, key=lambda done: done[0].get("reason") != "done")
    assert one[1] == 0
    assert other[0].get("told") or other[0]["error"]["code"] == "relay-runs", other
    assert len(stage.got()) == 1


def test_a_lost_result_is_released_in_the_runner(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 39: resume is told to the process that runs it; the child makes room for the next."""
    monkeypatch.setattr(watch, "AFTER_RESULT", 0.3)
    monkeypatch.setattr(watch, "GRACE", 0.3)
    task = {"task": "t1", "is_detached": True}
    resume = (
        'while ! grep -q \'"background"\' "$PLASTIC_HOME/relay/$RELAY_ID/snapshot.json"; '
        "do sleep 0.05; done\n"
        f"( env -u RELAY_TOKEN -u PLASTIC_SESSION sh -c '. {stage.dir}/lib; plastic relay resume' "
        f">{stage.dir}/told 2>&1 )\nsleep 60\n"
    )
    (stage.dir / "lib").write_text(
        f"""plastic() {{ {sys.executable} -c 'import sys
from plastic.cli.entry import plastic
sys.exit(plastic())' "$@"; }}
"""
    )
    stage.turns(
        say("delivered")
        + say("bg_started", **task)
        + say("bg_completed", **task)
        + say("settled", text="clean")
        + resume,
        say("delivered") + DONE,
    )
    assert stage.talk().rc == 0
    assert stage.env(2)["TALKER"].startswith("again ")
    assert len(stage.got()) == 2


def test_a_child_that_will_not_end_is_killed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GRACE", 0.3)
    stage.turns(
        "trap '' TERM INT HUP\n" + say("delivered") + say("cost", usd=10) + "while :; do :; done\n"
    )
    done = stage.talk("--max-cost", "1")
    assert done.rc == 1
    stage.is_at("stopped", "limit_cost", 1)
    assert stage.status()["cost"]["total"] == 10


def test_one_that_says_nothing_for_long_is_stuck(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "GRACE", 0.3)
    stage.turns(say("delivered") + "sleep 60\n")
    assert stage.talk("--stall", "0.4").rc == 1
    stage.is_at("stopped", "error", 1)
    assert stage.status()["error"] == "it said nothing for 0 s"


def test_a_harness_that_hangs_after_its_result(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it said counts; it is ended before the next one begins."""
    monkeypatch.setattr(watch, "AFTER_RESULT", 0.2)
    monkeypatch.setattr(watch, "GRACE", 0.2)
    end = say("settled", text="clean") + "trap '' TERM\nwhile :; do sleep 0.1; done\n"
    stage.turns(say("delivered") + HOP + end, say("delivered") + DONE)
    assert stage.talk().rc == 0
    stage.is_at("stopped", "done", 2)


def test_megabytes_without_an_end_and_then_the_signal(stage: Stage) -> None:
    """What it says is a file: memory and the tag behind it are safe."""
    big = "head -c 30000000 /dev/zero | tr '\\0' x; echo\n"
    stage.turns(say("delivered") + big + say("cost", usd=2) + DONE)
    assert stage.talk().rc == 0
    assert stage.status()["cost"]["total"] == 2


def test_a_program_that_goes_away_keeps_its_hand_off(stage: Stage) -> None:
    """Not delivered, so not lost: the step is taken when it arrives."""
    stage.turns(HOP + f'mv "{stage.program}" "{stage.program}.away"\n', DONE)
    assert stage.start().rc == 1
    stage.is_at("attention", "replace_failed", 1)
    Path(f"{stage.program}.away").rename(stage.program)
    assert stage.do("resume").rc == 0
    assert stage.got() == ["begin", "part 2"]
    stage.is_at("stopped", "done", 2)


def test_a_child_that_proved_nothing(stage: Stage) -> None:
    """Case 62: nobody knows whether it had its prompt, so a person decides; then it is sent."""
    stage.turns(say("delivered") + HOP, "echo no key >&2; exit 1\n", say("delivered") + DONE)
    done = stage.talk()
    assert done.rc == 1
    assert "the agent ended: no key" in done.err
    stage.is_at("attention", "delivery_unknown", 1)
    assert stage.status()["pending"]["sent"]
    assert stage.do("resume").rc == 0
    assert stage.got() == ["begin", "part 2", "part 2"]
    stage.is_at("stopped", "done", 2)


def test_a_transcript_proves_it(stage: Stage) -> None:
    """Case 61: the delivery's id is on disk, so the step is taken and nothing is sent again."""
    wrote = 'cat "$PLASTIC_HOME/relay/$RELAY_ID/journal.jsonl" >"$HOME/talk-1"\nexit 1\n'
    stage.turns(say("delivered") + HOP, wrote, say("delivered") + DONE)
    assert stage.talk().rc == 1
    stage.is_at("stopped", "error", 2)
    assert len(stage.got()) == 2


def test_a_late_background_result(stage: Stage) -> None:
    """Cases 34 and 36: done is not heard while work is open; its result begins a turn."""
    task = {"task": "t1", "is_detached": True}
    stage.turns(
        say("delivered")
        + say("bg_started", text="tests", **task)
        + say("final", text="waiting")
        + say("settled", text="clean")
        + 'while ! grep -q \'"background"\' "$PLASTIC_HOME/relay/$RELAY_ID/snapshot.json"; '
        + "do sleep 0.05; done\n"
        + say("bg_completed", **task)
        + say("bg_consumed", **task)
        + say("turn", text="notification")
        + DONE
        + say("settled", text="clean")
    )
    assert stage.talk().rc == 0
    stage.is_at("stopped", "done", 1)
    kinds = [row["event"]["kind"] for row in rows(stage) if "event" in row]
    assert kinds.count("SETTLED") == 2
    assert "TURN_START" in kinds


def test_what_ends_a_moment_later_is_no_work(stage: Stage) -> None:
    """Servers of an agent's tools end behind it: its signal counts."""
    stage.turns(f"sleep 0.3 &\n{DONE}")
    assert stage.start().rc == 0


def test_work_that_a_file_tells_of(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 34 with a file: what is no such file says nothing, and its end is not the agent's."""
    monkeypatch.setattr("plastic.work.relay.leftover.LOOK", 0.05)
    (stage.dir / "work").write_text(
        'while ! grep -q \'"background"\' "$PLASTIC_HOME/relay/$RELAY_ID/snapshot.json"\n'
        'do sleep 0.05; done; rm "$RELAY_BACKGROUND/long.json"\n'
    )
    stage.turns(
        'cd "$RELAY_BACKGROUND"; echo no >a.json; mkdir b.json; echo [] >c.json\n'
        'echo \'{"state": "running", "label": "long tests"}\' >long.json\n'
        f'setsid sh "{stage.dir}/work" </dev/null >/dev/null 2>&1 &\n{DONE}',
        DONE,
    )
    assert stage.start().rc == 1
    stage.is_at("unsignalled", None, 1)
    assert stage.status()["suppressed"] == "done"
    tasks = [row["event"].get("text") for row in rows(stage) if "event" in row]
    assert "long tests" in tasks
    assert stage.do("resume").rc == 0


def rows(stage: Stage) -> list[Any]:
    text = (stage.place / "journal.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("step", [-90_000.0, 90_000.0])
def test_a_clock_that_is_set(stage: Stage, monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """The watchdogs neither bark nor sleep for a day: they have their own time."""
    stage.turns(say("delivered") + HOP, "sleep 0.5\n" + say("delivered") + DONE)
    real, calls = time.time, [0]

    def now() -> float:
        calls[0] += 1
        return real() + (step if calls[0] % 2 else 0)

    monkeypatch.setattr("time.time", now)
    assert stage.talk().rc == 0
    assert DELIVERY > 0.5


def test_a_watchdog_that_is_due(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 57b: late, the prompt begins after all; it is taken once."""
    monkeypatch.setattr("plastic.work.relay.runner.WATCHDOGS", {"delivery": 0.2})
    wait = 'while ! grep -q delivery_timeout "$PLASTIC_HOME/relay/$RELAY_ID/snapshot.json"; '
    stage.turns(say("delivered") + HOP, wait + "do sleep 0.05; done\n" + say("delivered") + DONE)
    assert stage.talk().rc == 0
    stage.is_at("stopped", "done", 2)
    assert [row["row"] for row in rows(stage) if row.get("row") in ("54", "54a")] == ["54", "54a"]


WRONG = (
    ({"RELAY_TOKEN": "stale"}, "is over, or the token is not its own"),
    ({"RELAY_ID": "../../etc"}, "there is no relay"),
    ({"RELAY_ID": ".."}, "there is no relay"),
    ({"RELAY_ID": "x" * 5000}, "there is no relay"),
    ({"RELAY_ID": ""}, "are not set"),
)


@pytest.mark.parametrize(("env", "why"), WRONG, ids=range(len(WRONG)))
def test_a_signal_of_somebody_else(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], why: str
) -> None:
    stage.turns(HOP, DONE)
    stage.start()
    name = stage.place.name
    for key, value in {"RELAY_ID": name, "RELAY_TOKEN": "none", **env}.items():
        monkeypatch.setenv(key, value)
    done = stage.do("signal", "done", "--summary", "x", "--json")
    assert done.rc == 1
    assert why in done.json["error"]["reason"]
    assert not (stage.place / "turns/000002/calls").read_text().count("x")


def test_the_token_of_an_earlier_turn(stage: Stage) -> None:
    """A process that the first turn left behind cannot end the second."""
    late = (
        f'export -p >"{stage.dir}/env.sh"\n',
        f'( . "{stage.dir}/env.sh"; signal stop --reason mine ) 2>"{stage.dir}/late"\n',
    )
    stage.turns(late[0] + HOP, late[1] + DONE)
    assert stage.start().rc == 0
    assert "is over, or the token is not its own" in (stage.dir / "late").read_text()


def test_an_agent_answers_nobody(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Invariant 3: a pause ends by a person's word, not by another agent's."""
    stage.turns(f"{QUICK}say pause why\n", DONE)
    stage.start()
    for name in ("CLAUDECODE", "CODEX_THREAD_ID", "RELAY_TOKEN"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            done = stage.do("reply", "because", "--json")
            assert (done.rc, done.json["error"]["code"]) == (1, "person"), name
    stage.is_at("user_paused", None, 1)
    assert stage.do("reply", "because").rc == 0


def test_a_resume_in_the_wrong_session(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 77: refused, with the right one named, which may."""
    stage.turns(f"{QUICK}say stop enough\n", DONE)
    stage.start()
    current = stage.status()["session"]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "another")
    done = stage.do("resume", "--json")
    assert done.rc == 1
    assert done.json["error"]["code"] == "relay-session"
    assert current in done.json["error"]["reason"]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", current)
    assert stage.do("resume").rc == 0


@pytest.mark.parametrize("name", ["../x", "a b", "-n", "\x1b[2J", "x" * 300, "*"])
def test_names_of_relays_that_are_none(stage: Stage, name: str) -> None:
    done = stage.do("status", "--json", "--", name)
    assert done.rc == 6
    assert "\x1b" not in stage.do("status", "--", name).err


def test_what_was_asked_of_a_runner_in_a_strange_hand(stage: Stage) -> None:
    """The folder of questions is anybody's who may write there: what is none is no event."""
    stage.turns(
        'cd "$PLASTIC_HOME/relay/$RELAY_ID/inbox"\n'
        "for x in 1-1 2-1 x.answer; do printf no >$x; done; mkdir 3-1 d; ln -s /etc/passwd 4-1\n"
        'echo \'{"event": {"kind": "SETTLED", "parse": "done"}}\' >5-1\n'
        'echo \'{"event": {"kind": "OFF", "now": "never"}}\' >6-1\n'
        f"sleep 0.3\n{DONE}"
    )
    assert stage.start().rc == 0
    kinds = [row["event"]["kind"] for row in rows(stage) if "event" in row]
    assert kinds == ["START", "USER_MESSAGE_START", "SETTLED"]
