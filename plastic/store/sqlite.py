"""The backlog in one SQLite file: every part of the Store."""

from __future__ import annotations

from plastic.store.authors import Authors
from plastic.store.claims import Claims
from plastic.store.gatework import Gates
from plastic.store.loading import Loading
from plastic.store.readings import Readings
from plastic.store.sqlitefile import SqliteFile
from plastic.store.works import Works


class SqliteStore(SqliteFile, Claims, Works, Authors, Gates, Readings, Loading):
    """The whole Store."""
