"""The stage of the relay's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.relay.stage import Stage

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def stage(shop: World, monkeypatch: pytest.MonkeyPatch) -> Stage:
    return Stage(shop, monkeypatch)
