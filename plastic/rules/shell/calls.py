"""A simple command -> who judges it: functions, builtins, special cases, the table."""

from __future__ import annotations

from plastic.rules.shell.builtins import BUILTINS, expanded
from plastic.rules.shell.marks import marked
from plastic.rules.shell.special import SPECIAL
from plastic.rules.shell.table import apply, behind, harmless, nameless, row_of
from plastic.rules.shell.walk import call_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def command(run: Run, call: Call, state: State) -> None:
    """Judge one command; wrappers come back here with the command that they start."""
    run.step()
    name = call.args[0]
    if name in run.functions:
        call_function(run, name, call, state)
        return
    builtin = BUILTINS.get(name)
    if builtin is not None:
        builtin(run, call, state)
        return
    if name in run.aliases:
        expanded(run, call, state)
        return
    if marked(name):
        nameless(run, call, state)
        return
    known = program(name)
    if known is None:
        run.opaque(f"`{name}` is a program of its own", call, state)
        return
    if harmless(known):
        return
    special = SPECIAL.get(known)
    row = None if special else row_of(known)
    if special is not None:
        special(run, call, state)
    elif row is not None and not behind(run, known, row, call, state):
        apply(run, row, call, state)
    elif row is None and not asks(call):
        run.opaque(f"plastic does not know `{name}`", call, state)


def asks(call: Call) -> bool:
    """Whether an unknown command is only asked for its help or version."""
    return len(call.args) == 2 and call.args[1] in ("--help", "--version", "-h", "-V")


def program(name: str) -> str | None:
    """The name by which the table knows a program; None for a script called by its path.

    A folder of programs is `bin`, `.bin` or `sbin`; versions are dropped (`python3.12`).
    """
    folder, _, base = name.rpartition("/")
    if folder and folder.rpartition("/")[2] not in ("bin", ".bin", "sbin", "Scripts"):
        return None
    bare = base.rstrip("0123456789.")
    return bare if bare in ("python", "pip", "perl", "ruby", "pypy") else base
