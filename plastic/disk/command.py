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


def after_dashes() -> list[str]:
    """What follows the first `--`: a command of the user's own, not words of ours."""
    words = _line[1:] or sys.argv[1:]
    return words[words.index("--") + 1 :] if "--" in words else []
