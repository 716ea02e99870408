"""The backlog in one SQLite file: one writer at a time, nobody is told that it is locked."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.grants import Terms
from plastic.store.authors import Authors
from plastic.store.claims import Claims
from plastic.store.gatework import Gates
from plastic.store.loading import Loading
from plastic.store.migrations import migrate
from plastic.store.readings import Readings
from plastic.store.works import Works
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PATIENCE = 60.0  # seconds that a writer waits for its turn; SQLite's own queue is not fair
# A try costs a hundredth of this: long naps would leave the database idle while all sleep.
LONGEST_NAP = 0.004
# File systems on which SQLite's shared memory or locks cannot be relied on.
_SHARED = "nfs nfs4 cifs smb smb2 smb3 smbfs 9p afs ceph glusterfs lustre gpfs beegfs ocfs2"
_FOREIGN = "gfs2 orangefs vboxsf vmhgfs davfs fuse.sshfs fuse.rclone fuse.s3fs fuse.glusterfs"
NETWORK = frozenset(f"{_SHARED} {_FOREIGN} fuse.vmhgfs-fuse".split(" "))
DURABILITY = {"full": "FULL", "relaxed": "NORMAL"}
_CLOCK = "SELECT (julianday('now') - 2440587.5) * 86400.0"


class SqliteTx:
    """One open transaction; after every statement `point` is told, which tests use to crash."""

    def __init__(
        self, connection: sqlite3.Connection, now: float, point: Callable[[str], None] | None
    ) -> None:
        self._execute = connection.execute
        self._many = connection.executemany
        self._point = point
        self.now = now

    def all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Every row."""
        return self._execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row, None when there is none."""
        found: tuple[Any, ...] | None = self._execute(sql, values).fetchone()
        return found

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, None when there is none."""
        found = self._execute(sql, values).fetchone()
        return None if found is None else found[0]

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


class SqliteStore(Claims, Works, Authors, Gates, Readings, Loading):
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
        on_network: str = "refuse",
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
        network = filesystem in NETWORK
        if network and on_network != "journal":
            text = f"{path} lies on {filesystem}, a network file system: SQLite's locks fail there"
            raise Broken("database-network", text, run="plastic doctor")
        self._connection = self._open(DURABILITY[durability], wal=not network)
        if network:
            self.notes.append(
                f"{path} lies on {filesystem}: it is kept without WAL, on one machine only"
            )
        if durability == "relaxed":
            self.notes.append("durability is relaxed: after power loss a token may be given again")
        migrate(_version, _stamp, self.writing, path)

    def _open(self, synchronous: str, *, wal: bool) -> sqlite3.Connection:
        with self._said():
            connection = sqlite3.connect(self.path, timeout=0.0, isolation_level=None)
            # Of a new file: rows are short, and whole pages are written to the log.
            connection.execute("PRAGMA page_size = 2048")
            deadline = time.monotonic() + PATIENCE
            mode = "WAL" if wal else "DELETE"
            got = self._patiently(
                lambda: connection.execute(f"PRAGMA journal_mode = {mode}"), deadline
            ).fetchone()[0]
            if wal and got not in ("wal", "memory"):
                self.notes.append(f"{self.path} cannot have a write-ahead log; it works without")
            connection.execute(f"PRAGMA synchronous = {synchronous}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA cache_size = -16000")
            # Every checkpoint waits for the disk: 16 MB of log between two of them.
            connection.execute("PRAGMA wal_autocheckpoint = 8000")
            return connection

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[SqliteTx]:
        """A snapshot."""
        with self._said():
            self._begin("BEGIN")
            try:
                yield SqliteTx(self._connection, self._moment(), None)
            finally:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[SqliteTx]:
        """The one writer; an exception inside undoes everything."""
        with self._said():
            self._begin("BEGIN IMMEDIATE")
            try:
                yield SqliteTx(self._connection, self._moment(), self.point)
                if self.point is not None:
                    self.point("COMMIT")
                self._begin("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _begin(self, statement: str) -> None:
        deadline = time.monotonic() + PATIENCE
        self._patiently(lambda: self._connection.execute(statement), deadline)

    def _moment(self) -> float:
        if self._clock is not None:
            return self._clock()
        return float(self._connection.execute(_CLOCK).fetchone()[0])

    def _patiently(self, act: Callable[[], sqlite3.Cursor], deadline: float) -> sqlite3.Cursor:
        """Try until it is our turn: short naps of random length, so that nobody starves."""
        nap = 0.0005
        while True:
            try:
                return act()
            except sqlite3.OperationalError as error:
                if not busy(error):
                    raise
                if time.monotonic() > deadline:
                    raise Broken(
                        "database-busy",
                        f"{self.path} has been in use by others for {PATIENCE:.0f} seconds; "
                        "nothing was changed",
                        run="plastic backlog ready",
                    ) from error
            time.sleep(random.uniform(0, nap))  # noqa: S311 - it spreads waiters, it hides nothing
            nap = min(nap * 1.5, LONGEST_NAP)

    @contextmanager
    def _said(self) -> Iterator[None]:
        """A failure of the database as one clear line."""
        try:
            yield
        except sqlite3.Error as error:
            raise Broken(
                "database-broken",
                f"{self.path}: {error}; nothing was changed",
                run="plastic doctor",
            ) from error


def busy(error: sqlite3.OperationalError) -> bool:
    """Whether somebody else is writing, which is no failure."""
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _version(tx: Any) -> int:
    return int(tx.value("PRAGMA user_version"))


def _stamp(tx: Any, version: int) -> None:
    tx.run(f"PRAGMA user_version = {version:d}")
