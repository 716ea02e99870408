"""Opens a database file: SQLite itself waits for ever where a pipe lies in its place."""

from __future__ import annotations

import os
import sqlite3
import stat

# Where the schema is spoilt, SQLite's own message may be no text.
ERRORS = (sqlite3.Error, UnicodeDecodeError)
PARTS = ("", "-wal", "-shm", "-journal")


def connect(path: str, timeout: float = 0.0, *, uri: str = "") -> sqlite3.Connection:
    """A connection without transactions of its own; `uri` says more about how to open the path."""
    for part in PARTS:
        try:
            mode = os.stat(f"{path}{part}").st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise sqlite3.DatabaseError(f"{path}{part} is no regular file")
    return sqlite3.connect(uri or path, timeout=timeout, isolation_level=None, uri=bool(uri))
