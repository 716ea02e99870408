"""The desk of every test of the backlog's commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.backlog.desk import Desk

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def desk(world: World, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A registered shop with an empty backlog."""
    return Desk(world, monkeypatch)
