"""Whatever happens in a repository, every byte ever written in it is found again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.model.histories import SESSIONS, History
from tests.soak import record
from tests.work.ends import Mould
from tests.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 9
IN_ONE_WORLD = 5
SMALL = 3
BIG = 110  # about 20 s each on two busy cores: half an hour in one process
STOCK = 14  # intents that a world begins with
SPENT: list[float] = []  # seconds, by world


Start = tuple[World, tuple[str, ...]]


def stocked(world: World) -> Start:
    """With intents that only have to be boarded: half of the time of a history went there."""
    return world, tuple(str(world.new(f"Work {turn}")["id"]) for turn in range(STOCK))


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Start]:
    return Mould(tmp_path_factory.mktemp("mould"), stocked)


def live(mould: Mould[Start], number: int) -> None:
    world, ids = mould.fresh()
    left = list(ids)
    for turn in range(IN_ONE_WORLD):
        History(world, number * IN_ONE_WORLD + turn + 1, left).run(STEPS)
    world.git("fsck", "--connectivity-only")


@pytest.mark.parametrize("number", range(SMALL))
def test_nothing_is_lost(mould: Mould[Start], number: int) -> None:
    live(mould, number)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SMALL, BIG))
def test_nothing_is_lost_in_many(mould: Mould[Start], number: int) -> None:
    since = time.monotonic()
    live(mould, number)
    SPENT.append(time.monotonic() - since)
    if len(SPENT) == BIG - SMALL:
        many = (
            f"{len(SPENT) * IN_ONE_WORLD} histories of {len(SESSIONS)} sessions x {STEPS} steps "
            f"(seeds {SMALL * IN_ONE_WORLD + 1} to {BIG * IN_ONE_WORLD})"
        )
        record("Every byte is found again", many, "none lost", sum(SPENT))


@pytest.mark.parametrize("act", [History.amend, History.reset], ids=["amend", "reset"])
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "lost"])
def test_what_only_a_reflog_has(
    shop: World, monkeypatch: pytest.MonkeyPatch, act: Callable[[History], None], kept: bool
) -> None:
    """Its reflog goes with the branch and the worktree; without our care the model notices."""
    if not kept:
        monkeypatch.setattr("plastic.work.tree.reflogs.keep_reflogs", lambda *_: None)
    history = History(shop, 1)
    history.board()
    one = history.open[0].documents()
    for _ in range(2):
        history.write(one.tree / "new.py")
        history.commit()
    act(history)
    done = one.end("--delivered", session=history.holder[one.id])
    assert done.rc == 0, done.err
    if kept:
        history.check()
    else:
        with pytest.raises(AssertionError, match="lost"):
            history.check()


def test_a_loss_is_noticed(shop: World) -> None:
    """The model is not vacuous: a worktree that is deleted behind its back is a loss."""
    history = History(shop, 1)
    history.board()
    one = history.open[0]
    history.write(one.tree / "new.py")
    history.check()
    shop.git("worktree", "remove", "-f", "-f", str(one.tree))
    with pytest.raises(AssertionError, match="lost"):
        history.check()
