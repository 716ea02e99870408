"""`.end.json` of an intent: what an End that was killed could not learn from the world again."""

from __future__ import annotations

import json
from typing import NamedTuple

from plastic.disk.files import read_text, remove, replace

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
        raw = json.loads(read_text(path_of(directory), LIMIT) or "null")
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


def drop(directory: str) -> None:
    """Forget it: the End is over."""
    remove(path_of(directory))
