"""One SQLite file: one writer at a time, and nobody is told that it is locked."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.grants import Terms
from plastic.rules.checks import database
from plastic.store.connect import ERRORS, connect
from plastic.store.migrations import migrate
from plastic.store.schema import VERSION
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PATIENCE = 60.0  # seconds that a writer waits for its turn; SQLite's own queue is not fair
# Short naps take the processor from who is at work, long ones let a waiter wait for its luck.
LONGEST_NAP = 0.024
DURABILITY = {"full": "FULL", "relaxed": "NORMAL"}


class SqliteTx:
    """One open transaction; after every statement `point` is told, which tests use to crash."""

    def __init__(
        self, connection: sqlite3.Connection, now: float, point: Callable[[str], None] | None
    ) -> None:
        cursor = connection.cursor()  # one for all: whoever asks fetches every row at once
        self._execute = cursor.execute
        self._many = cursor.executemany
        self._point = point
        self.now = now

    def all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Every row."""
        return self._execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row, None when there is none."""
        found: list[tuple[Any, ...]] = self._execute(sql, values).fetchall()
        return found[0] if found else None

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, None when there is none."""
        found = self._execute(sql, values).fetchall()
        return found[0][0] if found else None

    def run(self, sql: str, *values: Any) -> int:
        """A write; how many rows it changed."""
        changed = self._execute(sql, values).rowcount
        if self._point is not None:
            self._point(sql)
        return changed

    def many(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """The same write for many rows."""
        self._many(sql, rows)
        if self._point is not None:
            self._point(sql)


class SqliteFile:
    """One project of one database file; not to be shared by threads or across a fork."""

    def __init__(
        self,
        path: str,
        project: str,
        *,
        region: str = "local",
        regions: tuple[str, ...] = (),
        terms: Terms = Terms(),  # noqa: B008 - a constant
        durability: str = "full",
        filesystem: str = "",
        require_secret: bool = False,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.path = path
        self.project = project
        self.region = region
        self.regions = regions
        self.terms = terms
        self.require_secret = require_secret
        self.notes: list[str] = []
        self.point: Callable[[str], None] | None = None
        self._clock = clock
        log = database(filesystem)
        if log == "refused":
            text = f"{path} lies on {filesystem}, a network file system: SQLite's locks fail there"
            raise Broken("database-network", text, run="plastic doctor")
        try:
            at = self._open(DURABILITY[durability], wal=log == "wal")
        except ERRORS as error:
            raise self._broken(error) from error
        if log == "journal":
            self.notes.append(
                f"{path} lies on {filesystem}: it is kept without WAL, on one machine only"
            )
        if durability == "relaxed":
            self.notes.append("durability is relaxed: after power loss a token may be given again")
        if at != VERSION:  # else opening to look would wait for whoever writes
            migrate(_version, _stamp, self.writing, path)

    def _open(self, synchronous: str, *, wal: bool) -> int:
        """Connect; answers the schema that is there."""
        self._connection = connect(self.path)
        # Of a new file: rows are short, and whole pages are written to the log.
        self._connection.execute("PRAGMA page_size = 1024")
        got = self._patiently(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}").fetchone()[0]
        if wal and got not in ("wal", "memory"):
            self.notes.append(f"{self.path} cannot have a write-ahead log; it works without")
        self._connection.execute(f"PRAGMA synchronous = {synchronous}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        self._connection.execute("PRAGMA cache_size = -16000")
        # Every checkpoint waits for the disk: 32 MB of log between two of them.
        self._connection.execute("PRAGMA wal_autocheckpoint = 32000")
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[SqliteTx]:
        """A snapshot."""
        try:
            self._patiently("BEGIN")
            try:
                yield SqliteTx(self._connection, self._moment(), None)
            finally:
                self._connection.execute("ROLLBACK")
        except ERRORS as error:
            raise self._broken(error) from error

    @contextmanager
    def writing(self) -> Iterator[SqliteTx]:
        """The one writer; an exception inside undoes everything."""
        try:
            self._patiently("BEGIN IMMEDIATE")
            try:
                yield SqliteTx(self._connection, self._moment(), self.point)
                if self.point is not None:
                    self.point("COMMIT")
                self._patiently("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except ERRORS as error:
            raise self._broken(error) from error

    def _moment(self) -> float:
        """The database's clock: it lives on this machine, so it is this machine's."""
        return time.time() if self._clock is None else self._clock()

    def _patiently(self, statement: str) -> sqlite3.Cursor:
        """Try until it is our turn: short naps of random length, so that nobody starves."""
        nap, deadline = 0.0005, 0.0
        while True:
            try:
                return self._connection.execute(statement)
            except sqlite3.OperationalError as error:
                if not busy(error):
                    raise
                deadline = deadline or time.monotonic() + PATIENCE
                if time.monotonic() > deadline:
                    raise Broken(
                        "database-busy",
                        f"{self.path} has been in use by others for {PATIENCE:.0f} seconds; "
                        "nothing was changed",
                        run="plastic backlog ready",
                    ) from error
            import random  # which only a wait may cost

            time.sleep(random.uniform(0, nap))  # noqa: S311 - it spreads waiters, it hides nothing
            nap = min(nap * 1.5, LONGEST_NAP)

    def _broken(self, error: Exception) -> Broken:
        """A failure of the database as one clear line."""
        says = f"{self.path}: {error}; nothing was changed"
        return Broken("database-broken", says, run="plastic doctor")


def busy(error: sqlite3.OperationalError) -> bool:
    """Whether somebody else is writing, which is no failure."""
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _version(tx: Any) -> int:
    return int(tx.value("PRAGMA user_version"))


def _stamp(tx: Any, version: int) -> None:
    tx.run(f"PRAGMA user_version = {version:d}")
