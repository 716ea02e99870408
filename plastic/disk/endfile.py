"""`.end.json` of an intent: what an End that was killed could not learn from the world again."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import lstat, read_text, remove, replace
from plastic.quickjson import loads

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = ".end.json"
LIMIT = 1 << 20  # bytes


class Ending(NamedTuple):
    """One End under way; every field is text so that an unknown file reads as empty ones.

    `at` is the second of the merge commit and of the dates, so that a second try makes the same
    commit; `old`, `new`, `checkout` say what was about to be published and where.
    """

    disposition: str
    note: str
    session: str
    at: str
    base: str = ""
    tip: str = ""
    old: str = ""
    new: str = ""
    checkout: str = ""
    proof: str = ""
    salvage: str = ""
    buried: str = ""


def path_of(directory: str) -> str:
    """The file of the intent in this directory."""
    return f"{directory}/{NAME}"


def load(directory: str) -> Ending | None:
    """The End that was begun; None when there is none, or nobody can read it."""
    try:
        raw = loads(read_text(path_of(directory), LIMIT) or "null")
    except (OSError, ValueError):
        return None
    if not isinstance(raw, dict):
        return None
    said = {key: raw.get(key) for key in Ending._fields}
    text = {key: value if isinstance(value, str) else "" for key, value in said.items()}
    if not text["at"].isdigit() or not text["disposition"]:
        return None
    return Ending(**text)


def save(directory: str, ending: Ending) -> None:
    """Write it whole, durable before the step that it speaks of."""
    replace(path_of(directory), (json.dumps(ending._asdict(), indent=2) + "\n").encode())


@contextmanager
def finishing(directory: str) -> Iterator[bool]:
    """Be the only one who finishes this End; False inside when another does, or it is over.

    The file itself is locked, so that nothing is left over and a kill frees it.
    """
    try:
        held = os.open(path_of(directory), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        yield False
        return
    try:
        yield _locked(held) and _is(held, path_of(directory))
    finally:
        os.close(held)


def _locked(held: int) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is(held: int, path: str) -> bool:
    seen = lstat(path)
    return seen is not None and (seen.st_dev, seen.st_ino) == _identity(os.fstat(held))


def _identity(seen: os.stat_result) -> tuple[int, int]:
    return seen.st_dev, seen.st_ino


def drop(directory: str) -> None:
    """Forget it: the End is over."""
    remove(path_of(directory))
