"""The engines of the backlog: every test with the fixture `backlog` runs once for each of them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.store.server import shared
from tests.store.world import Backlog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A third engine is a third name here, and its branch in `backlog`.
ENGINES = ("sqlite", "postgres")


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """The address of a PostgreSQL that all workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    with shared(base if worker_id == "master" else base.parent) as address:
        yield address


@pytest.fixture(scope="session")
def schemas(cluster: str, worker_id: str) -> Iterator[Callable[[], str]]:
    """Addresses of empty schemas: one for each test costs less than a database."""
    numbers = itertools.count()
    with psycopg.connect(cluster, autocommit=True) as connection:

        def fresh() -> str:
            name = f"{worker_id}_{next(numbers)}"
            connection.execute(f"CREATE SCHEMA {name}")
            joint = "&" if "?" in cluster else "?"
            return f"{cluster}{joint}options=-c%20search_path%3D{name}"

        yield fresh


@pytest.fixture
def postgres(schemas: Callable[[], str]) -> str:
    """The address of an empty PostgreSQL backlog."""
    return schemas()


@pytest.fixture(params=ENGINES)
def backlog(request: pytest.FixtureRequest) -> Iterator[Backlog]:
    """An empty backlog whose clock stands still."""
    path = ":memory:" if request.param == "sqlite" else request.getfixturevalue("postgres")
    one = Backlog(path, regions=("local", "north"))
    yield one
    one.sound()
    one.store.close()
