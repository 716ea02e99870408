"""The seal under a file that `install` writes: it tells our own text from one somebody changed."""

from __future__ import annotations

import hashlib

# Kind of file -> how its comments open and close.
COMMENTS = {"md": ("<!-- ", " -->"), "toml": ("# ", ""), "js": ("// ", "")}
_WORDS = "written by `plastic install`, sha256 "


def sealed(text: str, kind: str = "md") -> str:
    """The text as `install` writes it."""
    body = text if text.endswith("\n") else text + "\n"
    opened, closed = COMMENTS[kind]
    return f"{body}\n{opened}{_WORDS}{_digest(body)}{closed}\n"


def is_unchanged(text: str, kind: str = "md") -> bool:
    """Whether this is what some version of `install` wrote, byte for byte."""
    opened, closed = COMMENTS[kind]
    body, found, seal = text.rpartition("\n" + opened + _WORDS)
    return bool(found) and seal == f"{_digest(body)}{closed}\n"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogateescape")).hexdigest()
