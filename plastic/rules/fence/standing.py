"""What a lock is to whoever moves a ref in its worktree: pass, advise, or refuse and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from plastic.words import LockView


class Standing(NamedTuple):
    """`answer` is pass, advise or refuse; `code` says why, as the table of refusals names it."""

    answer: str
    code: str = ""


PASS = Standing("pass")


def standing(view: LockView, sessions: Collection[str], presented: int | None) -> Standing:
    """`sessions` are those of the environment, `presented` the token that it names for this intent.

    Where nobody holds the intent, nobody is overtaken. Whoever comes without a session is a person:
    advised, never refused.
    """
    lock = view.lock
    if view.state == "none":
        return PASS
    if not sessions:
        derived = lock is not None and lock.owner.startswith("auto-")
        return PASS if derived else Standing("advise", "held" if lock is not None else "corrupt")
    if lock is None:
        return Standing("refuse", "corrupt")
    if any(lock.authorizes(one) for one in sessions):
        is_old = presented is not None and presented < lock.token
        return Standing("refuse", "older-token") if is_old else PASS
    return Standing("refuse", "stale" if view.state == "stale" else "held")


def presented(value: str, id: str) -> int | None:
    """The token that `PLASTIC_TOKEN` (`<id>:<token>`) presents for this intent; None = none."""
    named, _, number = value.partition(":")
    return int(number) if named == id and number.isdigit() else None
