"""What a relay prints when it refuses, pasted: each line works and leads on."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, NamedTuple

import pytest

from plastic.disk.locks import try_guard
from tests.relay.stage import Stage
from tests.relay.test_cases import DONE, HOP

if TYPE_CHECKING:
    from collections.abc import Callable

PAUSE = "signal pause --question why\n"
Words = tuple[str, ...]


class Case(NamedTuple):
    """One refusal: `make` prepares and gives the words that are refused, `env` comes with them."""

    where: str
    code: str
    make: Callable[[Stage], Words]
    env: Callable[[Stage], dict[str, str]] = lambda _: {}
    ends: int = 0  # exit code of the pasted command


def started(stage: Stage, *turns: str) -> str:
    stage.turns(*turns)
    stage.start()
    return stage.place.name


def begun(stage: Stage, *words: str) -> Words:
    return ("start", "--command", str(stage.program), *words)


def two_with_one_begin(stage: Stage) -> Words:
    for _ in range(2):
        stage.turns("signal stop --reason x\n", "signal stop --reason x\n")
        stage.start()
    return ("status", first_letters(stage))


def first_letters(stage: Stage) -> str:
    """A prefix of two relays: one is renamed to share it."""
    root = stage.world.root / "home/relay"
    one, other = sorted(path for path in root.iterdir() if path.is_dir())
    twin = root / f"{one.name}x"
    other.rename(twin)
    about = json.loads((twin / "about.json").read_text())
    (twin / "about.json").write_text(json.dumps({**about, "relay": twin.name}))
    return one.name[:5]


def without_a_readable_journal(stage: Stage) -> Words:
    started(stage, PAUSE)
    (stage.place / "journal.jsonl").write_text("nonsense\n")
    (stage.place / "snapshot.json").unlink()
    return ("log", stage.place.name)


def too_long(stage: Stage) -> str:
    path = stage.world.repo / "long"
    path.write_text("x" * ((1 << 20) + 1))
    return str(path)


def mine(stage: Stage) -> dict[str, str]:
    """The environment of a turn of its own: the relay waits in a turn that is under way."""
    return {"RELAY_ID": stage.place.name, "RELAY_TOKEN": stage.env(1)["RELAY_TOKEN"]}


CASES = [
    Case("cli/relay/door.py", "prompt", begun),
    Case("cli/relay/signal.py", "signal", lambda _: ("signal", "nonsense")),
    Case("cli/relay/signal.py", "signal", lambda _: ("signal", "done", "--reason", "x")),
    Case("disk/relay/journal.py", "relay-journal", without_a_readable_journal),
    Case("disk/relay/prompt.py", "prompt", lambda stage: begun(stage, "--prompt-file", ".")),
    Case(
        "disk/relay/prompt.py",
        "prompt",
        lambda stage: begun(stage, "--prompt-file", too_long(stage)),
    ),
    Case("work/relay/begin.py", "prompt", lambda stage: begun(stage, " \n")),
    Case("work/relay/begin.py", "agent", lambda _: ("start", "--agent", "nobody", "x")),
    Case("work/relay/begin.py", "limits", lambda stage: begun(stage, "--max-steps", "0", "x")),
    Case("work/relay/begin.py", "limits", lambda stage: begun(stage, "--max-cost", "0", "x")),
    Case("work/relay/begin.py", "limits", lambda stage: begun(stage, "--stall", "0", "x")),
    Case("work/relay/begin.py", "unpriced", lambda stage: begun(stage, "--max-cost", "1", "x")),
    Case("work/relay/begin.py", "end", lambda stage: begun(stage, "--end", "x")),
    Case("work/relay/begin.py", "command", lambda _: ("start", "--agent", "command", "x")),
    Case("work/relay/begin.py", "command", lambda _: ("start", "--command", "nothing", "x")),
    Case("work/relay/repository.py", "relay", lambda _: ("status",)),
    Case("work/relay/repository.py", "relay", lambda _: ("status", "nobody")),
    Case("work/relay/repository.py", "relay", two_with_one_begin),
    Case(
        "work/relay/signalling.py",
        "no-relay",
        lambda stage: (started(stage, DONE), "signal", "done", "--summary", "x")[1:],
    ),
    Case(
        "work/relay/signalling.py",
        "no-relay",
        lambda _: ("signal", "done", "--summary", "x"),
        lambda _: {"RELAY_ID": "nobody", "RELAY_TOKEN": "x"},
    ),
    Case(
        "work/relay/signalling.py",
        "turn-over",
        lambda stage: (started(stage, HOP.format(n=2), PAUSE), "signal", "done")[1:],
        mine,
    ),
    Case(
        "work/relay/signalling.py",
        "turn-over",
        lambda stage: (started(stage, DONE), "signal", "done")[1:],
        mine,
    ),
]
# Where another process has the relay.
RUNS = ("work/relay/desk.py", "relay-runs")
LIVE = ("work/relay/begin.py", "relay-live")
# What is refused inside a turn that is under way.
INSIDE = (
    ("work/relay/signalling.py", "signal", "signal pause --question ' '"),
    ("work/relay/signalling.py", "signalled", "signal done --summary x; signal pause --question y"),
)
# What a person pastes that was refused to an agent.
PERSON = ("disk/person.py", "person")
LEFT = ("work/relay/leaving.py", "hand-off")  # test_left.py pastes it
PASTED = [
    *((case.where, case.code) for case in CASES),
    *(one[:2] for one in INSIDE),
    RUNS,
    LIVE,
    PERSON,
    LEFT,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.where.split('/')[-1]}-{case.code}")
def test_what_is_printed_leads_on(stage: Stage, case: Case) -> None:
    words = case.make(stage)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in case.env(stage).items():
            patch.setenv(name, value)
        refused = stage.do(*words, "--json")
        error = json.loads(refused.out)["error"]
        assert error["code"] == case.code, error
        assert refused.rc in (1, 2, 5, 6)
        pasted(stage, error["run"], case.ends)


def pasted(stage: Stage, line: str, ends: int = 0) -> None:
    words = shlex.split(line)
    if words[0] == "plastic":
        assert stage.world.plastic(*words[1:], cwd=stage.world.repo).rc == ends, line
    else:
        assert stage.world.run("sh", "-c", line, cwd=stage.world.repo).rc == ends, line


def test_a_relay_that_runs(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    name = started(stage, DONE)
    monkeypatch.setattr("plastic.work.relay.desk.PATIENCE", 0.05)
    with try_guard(f"{stage.place}/runner.guard") as mine:
        assert mine
        refused = stage.do("resume", name, "--json")
        assert json.loads(refused.out)["error"]["code"] == "relay-runs"
        pasted(stage, refused.json["error"]["run"])


def test_an_answer_that_is_a_persons(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    started(stage, PAUSE, DONE)
    with monkeypatch.context() as patch:
        patch.setenv("CLAUDECODE", "1")
        refused = stage.do("reply", "because of that", "--json")
    assert refused.json["error"]["code"] == "person"
    pasted(stage, refused.json["error"]["run"])
    assert stage.got()[1] == "because of that"


def test_a_relay_that_is_live_here(stage: Stage) -> None:
    inner = f"plastic relay start --command {stage.program} other --json > {stage.dir}/other\n"
    find = 's/.*"run": "\\(.*\\)"/\\1/p'
    off = f"eval \"$(sed -n '{find}' {stage.dir}/other)\" > /dev/null\n"
    stage.turns(f"{inner}{off}sleep 60\n")
    assert stage.start().rc == 1
    assert json.loads((stage.dir / "other").read_text())["error"]["code"] == "relay-live"
    stage.is_at("stopped", "user_off", 1)


@pytest.mark.parametrize(("code", "line"), [one[1:] for one in INSIDE])
def test_a_signal_that_is_refused(stage: Stage, code: str, line: str) -> None:
    """The printed command is run in the same turn: the relay hears what it says."""
    find = 's/.*"run": "\\(.*\\)"/\\1/p'
    stage.turns(
        f"{line} --json > {stage.dir}/refused\n"
        f"run=$(sed -n '{find}' {stage.dir}/refused); eval \"$run\" > /dev/null || exit 9\n"
    )
    stage.start()
    assert f'"code": "{code}"' in (stage.dir / "refused").read_text()
    stage.is_at(*(("user_paused", None, 1) if code == "signalled" else ("unsignalled", None, 1)))
