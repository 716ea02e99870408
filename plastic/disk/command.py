"""The command line of this process, printed where running it again is the way on."""

from __future__ import annotations

import os
import shlex
import sys

_line: list[str] = []


def remember(name: str, words: list[str]) -> None:
    """Note what was typed; `sys.argv` alone does not name the command when python -c runs it."""
    _line[:] = [name, *words]


def again(*more: str) -> str:
    """The same command with these words added, quoted for a shell."""
    line = _words()
    end = line.index("--") if "--" in line else len(line)
    return shlex.join([*line[:end], *more, *line[end:]])


def again_with(old: str, new: str) -> str:
    """The same command with one of its words exchanged."""
    return shlex.join([_exchanged(word, old, new) for word in _words()])


def flagged() -> list[str]:
    """`--session SID` where it was typed: a command that is printed acts as the same session."""
    line = _words()
    typed = line[: line.index("--")] if "--" in line else line
    for number, word in enumerate(typed):
        if word == "--session":
            return typed[number : number + 2]
        if word.startswith("--session="):
            return [word]
    return []


def look_command(path: str, look: str = "ls -ld") -> str:
    """Look at what is in the way: rights, kind or room of the path, or of what exists above it."""
    path = os.path.abspath(path)
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return f"{look} {shlex.quote(path)}"


def _words() -> list[str]:
    return _line or [sys.argv[0].rpartition("/")[2] or "plastic", *sys.argv[1:]]


def _exchanged(word: str, old: str, new: str) -> str:
    if word == old:
        return new
    flag, sign, value = word.partition("=")
    return f"{flag}={new}" if sign and flag.startswith("--") and value == old else word


def after_dashes() -> list[str]:
    """What follows the first `--`: a command of the user's own, not words of ours."""
    words = _line[1:] or sys.argv[1:]
    return words[words.index("--") + 1 :] if "--" in words else []
