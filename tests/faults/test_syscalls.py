"""K2: kill -9 at every system call of every lock command; then it, or somebody else, goes on."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.strace import calls, inject, why_not
from tests.faults.sweep import VERBS, Town, Verb, build
from tests.faults.trial import inherited, prepared, trial, usual
from tests.soak import record
from tests.work.ends import Mould

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import Done

# A command of the lock -> the state of its intent, and the verb where sweep.py has another one.
LOCK = {
    "arm": ("born", VERBS["arm"]),
    "rearm": ("ready", Verb("plastic-lock arm {ready}")),
    "reclaim": ("stale", VERBS["reclaim"]),
    **{
        name: ("ready", VERBS[name])
        for name in ("fix", "transfer", "release", "delegate", "claim", "release-claim", "beat")
    },
}
# Calls in every test run: before the lock appears, changes or goes, and some between.
SOME = {
    "arm": [("link", 1), ("openat", 5)],
    "transfer": [("rename", 2), ("write", 3)],
    "release": [("unlink", 1), ("fsync", 1)],
}
pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "strace is here")


@pytest.fixture(scope="module")
def moulds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mould[Town]]:
    """One for each state: a small town is poured fast."""
    return {
        state: Mould(tmp_path_factory.mktemp(state), partial(build, states=[state]))
        for state, _ in LOCK.values()
    }


class Sweep:
    """The kills of one command, and what was wrong after them."""

    def __init__(self, mould: Mould[Town], name: str, note: Path) -> None:
        self.mould, self.name, self.note = mould, name, note
        self.verb = LOCK[name][1]
        self.kills = 0
        self.wrong: list[str] = []

    def every(self) -> list[tuple[str, int]]:
        """Each system call of the command when nothing disturbs it.

        Here first: what it loads is loaded then, and to read our own modules changes nothing.
        """
        self.verb.run(prepared(self.mould, self.name))
        town = prepared(self.mould, self.name)
        counts = calls(lambda: self.verb.run(town), self.note)
        return [(call, number + 1) for call in sorted(counts) for number in range(counts[call])]

    def kill(self, some: list[tuple[str, int]]) -> None:
        _, wanted = usual(self.mould, self.name, self.verb, self.note)
        for turn, (call, number) in enumerate(some):
            fault, label = partial(self.fault, call, number), f"{call} {number}"
            found = trial(self.mould, self.name, self.verb, fault, label, wanted)
            if not found and turn % 2:
                found = inherited(self.mould, self.name, self.verb, fault, label)
            self.wrong += [found] if found else []

    def fault(self, call: str, number: int, act: Callable[[], Done]) -> Done | None:
        done = inject(act, self.note, call, number)
        self.kills += done is None
        return done


@pytest.mark.parametrize("name", SOME)
def test_a_command_that_dies_at_some_call(
    moulds: dict[str, Mould[Town]], tmp_path: Path, name: str
) -> None:
    sweep = Sweep(moulds[LOCK[name][0]], name, tmp_path / "note")
    sweep.kill(SOME[name])
    assert sweep.wrong == []
    assert sweep.kills == 3


@pytest.mark.soak
@pytest.mark.parametrize("name", LOCK)
def test_every_call(moulds: dict[str, Mould[Town]], tmp_path: Path, name: str) -> None:
    since = time.monotonic()
    sweep = Sweep(moulds[LOCK[name][0]], name, tmp_path / "note")
    every = sweep.every()
    sweep.kill(every)
    assert sweep.wrong == [], "\n\n".join(sweep.wrong)
    record(
        f"K2: kill -9 at every system call of `{name}`",
        f"{len(every)} calls, {sweep.kills} kills",
        "0 torn, 0 lost; each as wanted after the same command again, and at every second call "
        "somebody else could go on",
        time.monotonic() - since,
    )
