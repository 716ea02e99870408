"""The engines of the backlog: every test with the fixture `backlog` runs once for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.world import Backlog

if TYPE_CHECKING:
    from collections.abc import Iterator

# A second engine is a second name here, and its branch in `backlog`.
ENGINES = ("sqlite",)


@pytest.fixture(params=ENGINES)
def backlog(request: pytest.FixtureRequest) -> Iterator[Backlog]:
    """An empty backlog whose clock stands still."""
    assert request.param == "sqlite"
    one = Backlog(regions=("local", "north"))
    yield one
    one.sound()
    one.store.close()
