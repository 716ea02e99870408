"""The backlog in a PostgreSQL database: every part of the Store."""

from __future__ import annotations

from plastic.store.authors import Authors
from plastic.store.claims import Claims
from plastic.store.gatework import Gates
from plastic.store.loading import Loading
from plastic.store.postgres import PostgresBase
from plastic.store.readings import Readings
from plastic.store.works import Works


class PostgresStore(PostgresBase, Claims, Works, Authors, Gates, Readings, Loading):
    """The whole Store."""
