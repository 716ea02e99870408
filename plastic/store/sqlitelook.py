"""The backlog in one SQLite file for who only looks: a third of the code has to be loaded."""

from __future__ import annotations

from plastic.store.readings import Readings
from plastic.store.sqlitefile import SqliteFile


class SqliteLook(SqliteFile, Readings):
    """Reading, and nothing that writes."""
