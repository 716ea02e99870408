"""One PostgreSQL database: one writer of a project at a time, on the clock of the server.

The connection is watched from here: where a synchronous standby is dead a COMMIT waits without
end, no timeout of the server covers it, and a cancelled one reports success with a warning.
"""

from __future__ import annotations

import select
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plastic.rules.backlog.grants import Terms
from plastic.store.migrations import migrate
from plastic.store.postgresql import statement, table
from plastic.store.postgresspeech import address, failed, no_driver, unconfirmed, unfit, unreachable
from plastic.store.schema import MIGRATIONS, VERSION

try:
    import psycopg
    from psycopg.types.numeric import IntDumper
except ImportError as missing:
    raise no_driver() from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plastic.words import Broken

STEPS = tuple(tuple(table(one) for one in step) for step in MIGRATIONS)
PATIENCE = 30.0  # seconds that a statement may take on the server, and a COMMIT until we doubt it
GRACE = 3.0  # seconds that the server gets to answer a cancel
# Numbers are sent to a server that may be gone: it is found out within half a minute.
_REACH = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_NOW = "SELECT extract(epoch FROM clock_timestamp())::float8"
_LOOK = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {_NOW}"
# The lock is taken first, the clock is read under it: a grant is never older than who waited.
_WRITE = f"{_NOW} FROM pg_advisory_xact_lock(hashtextextended(current_schema() || %s, 0))"
_TABLES = " tables"  # no name of a project begins with a blank
_THERE = "SELECT to_regclass('plastic_schema') IS NOT NULL"


class PostgresTx:
    """One open transaction; after every write `point` is told, which tests use to crash."""

    def __init__(
        self, connection: psycopg.Connection[Any], point: Callable[[str], None] | None
    ) -> None:
        self._cursor = connection.cursor()
        self._point = point
        self.now = 0.0

    def all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Every row."""
        self._cursor.execute(statement(sql), values or None)
        return self._cursor.fetchall()

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row, None when there is none."""
        found = self.all(sql, *values)
        return found[0] if found else None

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, None when there is none."""
        found = self.all(sql, *values)
        return found[0][0] if found else None

    def run(self, sql: str, *values: Any) -> int:
        """A write; how many rows it changed."""
        changed = self._cursor.execute(statement(sql), values or None).rowcount
        if self._point is not None:
            self._point(sql)
        return changed

    def many(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """The same write for many rows."""
        self._cursor.executemany(statement(sql), rows)
        if self._point is not None:
            self._point(sql)


class PostgresBase:
    """One project of one database; not to be shared by threads or across a fork."""

    def __init__(
        self,
        engine: str,
        project: str,
        *,
        region: str = "local",
        regions: tuple[str, ...] = (),
        terms: Terms = Terms(),  # noqa: B008 - a constant
        require_secret: bool = False,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.path = address(engine).shown
        self.project = project
        self.region = region
        self.regions = regions
        self.terms = terms
        self.require_secret = require_secret
        self.notes: list[str] = []
        self.point: Callable[[str], None] | None = None
        self.patience = PATIENCE
        self._where = address(engine)
        self._clock = clock
        self._doubts: list[str] = []
        self._lock = project
        self._connection = self._open(engine)
        try:
            if self._schema() != VERSION:
                self._lock = _TABLES  # one lock for whoever changes tables
                migrate(_version, _stamp, self.writing, self.path, STEPS)
                self._lock = project
        except BaseException:
            self.close()
            raise

    def _open(self, engine: str) -> psycopg.Connection[Any]:
        try:
            mine = psycopg.conninfo.conninfo_to_dict(engine)
            limit = int(PATIENCE * 1000)
            options = (
                f"{mine.get('options') or ''} -c statement_timeout={limit} "
                f"-c idle_in_transaction_session_timeout={limit}"
            )
            given: dict[str, Any] = {**_REACH, **mine, "options": options.strip()}
            made = psycopg.connect(**given, autocommit=True, application_name="plastic")
        except psycopg.Error as error:
            raise unreachable(self._where, error) from None  # its context may hold the password
        made.adapters.register_dumper(bool, IntDumper)
        made.add_notice_handler(self._heard)
        encoding = made.info.parameter_status("server_encoding") or ""
        no = unfit(self._where, made.info.server_version, encoding)
        if no is not None:
            made.close()
            raise no
        return made

    def _heard(self, notice: psycopg.errors.Diagnostic) -> None:
        """A warning of the server: at a COMMIT the only word that it is not replicated."""
        if notice.severity_nonlocalized == "WARNING":
            self._doubts.append(self._where.clean(notice.message_primary))

    def _schema(self) -> int:
        with self.reading() as tx:
            return _version(tx)

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[PostgresTx]:
        """A snapshot."""
        with self._transaction(_LOOK, None) as tx:
            yield tx

    @contextmanager
    def writing(self) -> Iterator[PostgresTx]:
        """The one writer of this project; an exception inside undoes everything."""
        key = "'" + f" {self._lock}".replace("'", "''") + "'"
        with self._transaction(f"BEGIN; {_WRITE % key}", self.point) as tx:
            yield tx
            if self.point is not None:
                self.point("COMMIT")
            self._commit()

    @contextmanager
    def _transaction(self, begin: str, point: Callable[[str], None] | None) -> Iterator[PostgresTx]:
        try:
            tx = PostgresTx(self._connection, point)
            cursor = self._connection.execute(begin)  # two statements, one round trip
            cursor.nextset()
            tx.now = cursor.fetchall()[0][0] if self._clock is None else self._clock()
            yield tx
        except psycopg.Error as error:
            raise self._failed(error, ending=False) from error
        finally:
            self._undo()

    def _undo(self) -> None:
        """What is still open is not wanted."""
        if not self._connection.closed and self._connection.info.transaction_status != 0:
            try:
                self._connection.execute("ROLLBACK")
            except psycopg.Error:
                self._connection.close()

    def _commit(self) -> None:
        """COMMIT, with a watch on it and on what is said beside the answer."""
        self._doubts.clear()
        try:
            self._watched(b"COMMIT")
        except psycopg.Error as error:
            raise self._failed(error, ending=True) from error
        if self._doubts:
            raise unconfirmed(self._where, self._doubts[0])

    def _failed(self, error: psycopg.Error, *, ending: bool) -> Broken:
        """The line for an error, by whether the connection has gone with it."""
        lost = self._connection.closed
        return failed(self._where, error.sqlstate, error, lost=lost, ending=ending)

    def _watched(self, command: bytes) -> None:
        """Send a command and wait so long; then cancel it, and give up soon after that."""
        wire = self._connection.pgconn
        wire.send_query(command)
        end, cancelled = time.monotonic() + self.patience, False
        while wire.is_busy():
            if select.select([wire.socket], [], [], max(end - time.monotonic(), 0))[0]:
                wire.consume_input()
            elif cancelled:
                self._connection.close()
                raise psycopg.OperationalError("no answer in time")
            else:
                end, cancelled = time.monotonic() + GRACE, True
                self._connection.cancel_safe(timeout=GRACE)
        while (result := wire.get_result()) is not None:
            if result.status != psycopg.pq.ExecStatus.COMMAND_OK:
                raise psycopg.errors.error_from_result(result)
            if result.command_status != b"COMMIT":
                raise psycopg.OperationalError("the transaction was undone by the server")
        if cancelled:
            self._doubts.append("the answer took too long, perhaps a standby is gone")


def _version(tx: Any) -> int:
    if not tx.value(_THERE):
        return 0
    return int(tx.value("SELECT max(version) FROM plastic_schema"))


def _stamp(tx: Any, version: int) -> None:
    if version == 1:
        tx.run("CREATE TABLE plastic_schema (version BIGINT PRIMARY KEY)")
    tx.run("INSERT INTO plastic_schema (version) VALUES (?)", version)
