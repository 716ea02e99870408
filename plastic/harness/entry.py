"""The command line of our hook in a harness's settings: its quoting, its form, how to know it."""

from __future__ import annotations

import shlex
from typing import NamedTuple

INSTALLED = "installed"
OTHER = "other version"
ABSENT = "not installed"
CHANGED = "changed by somebody"


class Parts(NamedTuple):
    """What a command line of ours names."""

    python: str
    gate: str


def quoted(path: str) -> str:
    """A path in single quotes, always: the entry is recognised by its quotes too."""
    return "'" + path.replace("'", "'\"'\"'") + "'"


def command(python: str, gate: str, harness: str) -> str:
    """The command of our hook; `gate` is the absolute path of hooks/gate."""
    return f"PLASTIC_PYTHON={quoted(python)} {quoted(gate)} {harness}"


def is_ours(line: object, harness: str) -> bool:
    """Whether a command is our hook: however the paths before it change, its end is ours."""
    return isinstance(line, str) and line.strip().endswith(f"hooks/gate' {harness}")


def parts(line: str) -> Parts:
    """Python and gate of a line that `command` made."""
    words = shlex.split(line)
    return Parts(words[0].partition("=")[2], words[1])


def forgiving(line: str) -> str:
    """The line for a harness that takes every failed hook as a refusal: no gate, no opinion."""
    return f"[ ! -e {quoted(parts(line).gate)} ] || {line}"


def pardoning(line: str) -> str:
    """The same where that is not enough: whatever ends the gate, but for a denial (2), is no
    opinion; to Gemini CLI 127 and 137 would be refusals.
    """
    return f"trap {quoted('case $? in 0|2) ;; *) exit 0 ;; esac')} 0; {line}"


def strictly(line: str) -> str:
    """The line whose gate refuses when there is no package or no Python to judge with."""
    return f"PLASTIC_STRICT=1 {line}"


def demanding(line: str) -> str:
    """A strict line for a harness that lets the tool of a failed hook run: whatever ends it, but
    for an answer (0) or a denial (2), refuses.
    """
    words = "plastic: the gate is missing or broke, and this installation is strict"
    failed = f'case $? in 0|2) ;; *) echo "{words}" >&2; exit 2 ;; esac'
    return f"trap {quoted(failed)} 0; {strictly(line)}"
