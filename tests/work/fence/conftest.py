"""A worktree of A's in a shop, poured where it was made before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.work.fence.stage import Stage, board

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def stage(shop: World) -> Stage:
    return board(shop)
