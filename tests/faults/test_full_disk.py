"""E2: no file may become larger than so many bytes: writes are cut short and then fail.

A limit of the process stands for a disk that is nearly full: the writes of the command meet it,
and those of git, which the system kills there.
"""

from __future__ import annotations

import resource
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.faults.sweep import VERBS, Town, build, child
from tests.faults.trial import trial, usual
from tests.soak import record
from tests.work.ends import Mould

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.world import Done

STEP = 512
MOST = 16 * 1024
SOME = {"arm": (0, 512), "transfer": (700,)}
NAMES = ("arm", "reclaim", "transfer", "claim", "release", "new", "backlog add", "pen init", "end")


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Town]:
    return Mould(tmp_path_factory.mktemp("full"), build)


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Mould[Town]:
    return Mould(tmp_path_factory.mktemp("little"), partial(build, states=("born", "ready")))


def full(note: Path, limit: int, act: Callable[[], Done]) -> Done | None:
    """How the command ends where no file may have more bytes."""

    def prepare() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def once() -> Done:
        done = act()
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        return done

    return child(once, note, prepare)


def swept(mould: Mould[Town], name: str, note: Path, limits: range | tuple[int, ...]) -> list[str]:
    _, wanted = usual(mould, name, VERBS[name], note)
    said = [
        trial(mould, name, VERBS[name], partial(full, note, limit), f"{limit} bytes", wanted)
        for limit in limits
    ]
    return [one for one in said if one]


@pytest.mark.parametrize("name", SOME)
def test_a_disk_that_is_nearly_full(little: Mould[Town], tmp_path: Path, name: str) -> None:
    assert swept(little, name, tmp_path / "note", SOME[name]) == []


@pytest.mark.soak
def test_every_size(mould: Mould[Town], tmp_path: Path) -> None:
    since = time.monotonic()
    limits = range(0, MOST + 1, STEP)
    for name in NAMES:
        wrong = swept(mould, name, tmp_path / "note", limits)
        print(name, len(wrong), f"{time.monotonic() - since:.0f}", flush=True)
        assert wrong == [], "\n\n".join(wrong)
    record(
        "E2: a disk that is nearly full: no file may be larger than 0 to 16 KiB",
        f"{len(limits)} sizes x {len(NAMES)} commands",
        "0 torn, 0 lost, each as wanted after the same command again",
        time.monotonic() - since,
    )
