"""Moves a database to the newest schema, step by step, and refuses one that is newer than we."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.store.schema import MIGRATIONS, VERSION
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from plastic.store.tx import Tx


def migrate(
    version: Callable[[Tx], int],
    stamp: Callable[[Tx, int], None],
    writing: Callable[[], AbstractContextManager[Tx]],
    path: str,
    steps: tuple[tuple[str, ...], ...] = MIGRATIONS,
) -> int:
    """How many steps were made. Each is one transaction: killed in between, it goes on there."""
    made = 0
    while True:
        with writing() as tx:
            at = version(tx)
            if at > len(steps):
                raise Broken(
                    "schema-newer",
                    f"{path} was written by a newer plastic: it has schema {at}, "
                    f"this one knows {len(steps)}; nothing was changed",
                    run="pip install --upgrade plastic-intents",
                    facts={"schema": at, "known": len(steps)},
                )
            if at == len(steps):
                return made
            for statement in steps[at]:
                tx.run(statement)
            stamp(tx, at + 1)
            made += 1


__all__ = ["VERSION", "migrate"]
