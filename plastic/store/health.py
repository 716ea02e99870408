"""What is wrong with a database file, looked at without changing it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from plastic.store.connect import ERRORS, connect
from plastic.store.schema import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 5.0  # seconds
# What SQLite says when the disk or the rights are the reason, not the file.
_OUTSIDE = {
    sqlite3.SQLITE_FULL: "room",
    sqlite3.SQLITE_READONLY: "rights",
    sqlite3.SQLITE_CANTOPEN: "rights",
    sqlite3.SQLITE_PERM: "rights",
    sqlite3.SQLITE_IOERR: "room",
    sqlite3.SQLITE_BUSY: "",
    sqlite3.SQLITE_LOCKED: "",
}


class Trouble(NamedTuple):
    """`kind`: room, rights, newer or broken."""

    kind: str
    text: str


def look(path: str) -> Trouble | None:
    """The first trouble of a database, None when it can be worked with."""
    # Read-only first: whoever closes a broken file for writing takes its log away with it.
    return _tried(path, _read) or _tried(path, _write)


def _tried(path: str, act: Callable[[str], Trouble | None]) -> Trouble | None:
    try:
        return act(path)
    except ERRORS as error:
        kind = _OUTSIDE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "broken")
        return Trouble(kind, f"{path}: {error}") if kind else None


def _read(path: str) -> Trouble | None:
    connection = connect(path, PATIENCE, uri=f"file:{quote(path)}?mode=ro")
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            text = f"{path} was written by a newer plastic (schema {version}, known: {VERSION})"
            return Trouble("newer", text)
        (said, *more) = (row[0] for row in connection.execute("PRAGMA quick_check(3)"))
        if said != "ok":
            return Trouble("broken", f"{path}: {'; '.join([said, *more])}")
        return None
    finally:
        connection.close()


def _write(path: str) -> Trouble | None:
    connection = connect(path, PATIENCE)
    try:
        connection.execute("BEGIN IMMEDIATE")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA user_version = {version:d}")  # a write that changes nothing
        connection.execute("ROLLBACK")
        return None
    finally:
        connection.close()
