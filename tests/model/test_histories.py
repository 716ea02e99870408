"""Whatever happens in a repository, every byte ever written in it is found again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.model.histories import History
from tests.soak import record
from tests.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 9
IN_ONE_WORLD = 5
SMALL = 10  # worlds
BIG = 100


def live(world: World, number: int) -> None:
    for turn in range(IN_ONE_WORLD):
        History(world, number * IN_ONE_WORLD + turn + 1).run(STEPS)
    world.git("fsck", "--connectivity-only")


@pytest.mark.parametrize("number", range(SMALL))
def test_nothing_is_lost(shop: World, number: int) -> None:
    live(shop, number)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SMALL, BIG))
def test_nothing_is_lost_in_many(shop: World, number: int) -> None:
    since = time.monotonic()
    live(shop, number)
    if number == BIG - 1:
        many = f"{BIG * IN_ONE_WORLD} histories x {STEPS} steps"
        record("Every byte is found again", many, "none lost", time.monotonic() - since)


@pytest.mark.parametrize("act", [History.amend, History.reset], ids=["amend", "reset"])
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "lost"])
def test_what_only_a_reflog_has(
    shop: World, monkeypatch: pytest.MonkeyPatch, act: Callable[[History], None], kept: bool
) -> None:
    """Its reflog goes with the branch and the worktree; without our care the model notices."""
    if not kept:
        monkeypatch.setattr("plastic.work.reflogs.keep_reflogs", lambda *_: None)
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
