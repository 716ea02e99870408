"""The command line of this process, printed where running it again is the way on."""

from __future__ import annotations

import shlex
import sys

_line: list[str] = []


def remember(name: str, words: list[str]) -> None:
    """Note what was typed; `sys.argv` alone does not name the command when python -c runs it."""
    _line[:] = [name, *words]


def again() -> str:
    """The same command, quoted for a shell."""
    return shlex.join(_line or [sys.argv[0].rpartition("/")[2] or "plastic", *sys.argv[1:]])
