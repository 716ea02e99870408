"""One thing that a check has found, and how `--fix` can heal it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plastic.disk.home import Home
    from plastic.disk.session import Caller

NOTE, TROUBLE = "note", "trouble"


class Found(NamedTuple):
    """`run` is the one command that resolves or shows it; `heal` does what is provably safe.

    A note is worth knowing and needs nobody.
    """

    what: str
    run: str = ""
    level: str = TROUBLE
    heal: Callable[[], object] | None = None


class Patient(NamedTuple):
    """What is examined."""

    home: Home
    env: Mapping[str, str]
    cwd: str
    caller: Caller
