"""A private copy of a checkout's index to ask questions of: the index itself is not touched."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from plastic.disk import files
from plastic.disk.lockedits import date
from plastic.disk.scratch import directory
from plastic.disk.tree import remove_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 1 << 31  # bytes of an index
BEFORE = 2.0  # seconds; a copy older than its original makes git look at files more often, not less


@contextmanager
def index_copy(folder: str) -> Iterator[str | None]:
    """A copy of the index in this git directory; None inside when there is no index."""
    seen = files.lstat(f"{folder}/index")
    data = files.read(f"{folder}/index", LIMIT) if seen is not None else None
    if seen is None or data is None:
        yield None
        return
    scratch = directory("plastic-index-")
    try:
        copy = f"{scratch}/index"
        files.replace(copy, data, 0o600)
        date(copy, seen.st_mtime - BEFORE)
        yield copy
    finally:
        remove_tree(scratch)
