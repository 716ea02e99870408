"""One open transaction of an engine: what the jobs of the store speak to, whatever lies below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from plastic.rules.backlog.grants import Terms


class Tx(Protocol):
    """Statements with `?` for each value; `now` is the database's clock, one moment for all."""

    now: float

    def all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Every row."""

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row, None when there is none."""

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, None when there is none."""

    def run(self, sql: str, *values: Any) -> int:
        """A write; how many rows it changed."""

    def many(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """The same write for many rows."""


class Door(Protocol):
    """How a job of the store gets its transaction, and what it was opened with."""

    project: str
    region: str
    regions: tuple[str, ...]
    terms: Terms
    require_secret: bool

    def reading(self) -> AbstractContextManager[Tx]:
        """A snapshot."""

    def writing(self) -> AbstractContextManager[Tx]:
        """The one writer; an exception inside undoes everything."""
