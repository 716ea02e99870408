"""The seal under an installed skill: it tells our own text from one that a person has changed."""

from __future__ import annotations

import hashlib

_OPEN = "<!-- written by `plastic install`, sha256 "
_CLOSE = " -->\n"


def sealed(text: str) -> str:
    """The text as `install` writes it."""
    body = text if text.endswith("\n") else text + "\n"
    return f"{body}\n{_OPEN}{_digest(body)}{_CLOSE}"


def is_unchanged(text: str) -> bool:
    """Whether this is what some version of `install` wrote, byte for byte."""
    body, found, seal = text.rpartition("\n" + _OPEN)
    return bool(found) and seal == _digest(body) + _CLOSE


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogateescape")).hexdigest()
