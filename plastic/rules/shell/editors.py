"""Editors without a screen, databases, and small tools with words of their own."""

from __future__ import annotations

from plastic.rules.shell.marks import STAR
from plastic.rules.shell.paths import base_name
from plastic.rules.shell.table import roles, seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

_EX_ROW = "write -c=ex --cmd=ex -u= -i= -S=loads -w=write -W=write -T= -t= -q? -p? -o? -O?"
_VI_ROW = f"{_EX_ROW} -s?script"  # of `ex` it is a word without a value
# `:w f` and its relatives; `:!cmd` runs.
_EX_WRITES = ("w", "w!", "wq", "wq!", "x", "sav", "saveas", "saveas!", "up", "update", "wn")


def vi(run: Run, call: Call, state: State) -> None:
    """writes its operands, and the files of `:w`"""
    seen = seen_by(_EX_ROW if base_name(call.args[0]) == "ex" else _VI_ROW, call)
    if "--version" in seen.options or "--help" in seen.options:
        return
    roles(run, call, state, seen)
    for path in seen.operands:
        if path[:1] != "+":
            run.write(path, state)
    given = [*seen.of("ex"), *(word[1:] for word in seen.operands if word[:1] == "+")]
    if (
        call.feed is not None
        and call.feed.text
        and any(one in seen.options for one in ("-s", "-e"))
    ):
        given += call.feed.text.split("\n")
    for line in given:
        _ex(run, call, state, line)


def ed(run: Run, call: Call, state: State) -> None:
    """writes its operand, and the files of `w`"""
    seen = seen_by("write -p=", call)
    for path in seen.operands[:1]:
        run.write(path, state)
    for line in ((call.feed.text if call.feed is not None else None) or "").split("\n"):
        _ex(run, call, state, line)


def _ex(run: Run, call: Call, state: State, line: str) -> None:
    """One command of ex."""
    line = line.strip().lstrip(":%.,$0123456789'<>")
    if line[:1] == "!":
        run.text(line[1:], state, call)
        return
    name, _, path = line.partition(" ")
    if name in _EX_WRITES and path.strip():
        run.write(path.strip().lstrip("> "), state)


def sqlite(run: Run, call: Call, state: State) -> None:
    """writes the database unless `-readonly`; dot commands write files and run commands"""
    seen = seen_by(
        "read @dash -cmd=sql -init=loads -separator= -nullvalue= -newline= -vfs= -A=archive", call
    )
    roles(run, call, state, seen)
    given = seen.operands
    if given and given[0] not in (":memory:", "") and "-readonly" not in seen.options:
        texts = given[1:]
        if not texts or not all(_asks(one) for one in texts):
            run.write(given[0], state)
    lines = [*seen.of("sql"), *given[1:]]
    if call.feed is not None and call.feed.text:
        lines += call.feed.text.split("\n")
    for line in lines:
        words = line.strip().split()
        if len(words) < 2 or words[0][:1] != ".":
            continue
        verb = words[0][1:]
        if verb in ("output", "once", "backup", "save", "clone", "log", "open", "dump"):
            target = words[-1].strip("'\"")
            if verb != "dump" and target not in ("stdout", "stderr", "off", "on"):
                run.write(target, state)
        elif verb in ("shell", "system"):
            run.text(" ".join(words[1:]), state, call)
        elif verb in ("read", "import", "load"):
            run.opaque("sqlite3 runs a file", call, state)


def _asks(sql: str) -> bool:
    """Whether a statement changes nothing."""
    first = sql.strip().partition(" ")[0].lower()
    return first in ("select", "explain", "pragma", ".tables", ".schema", ".dump", ".indexes")


def dd(run: Run, call: Call, state: State) -> None:
    """`of=` is written"""
    for word in call.args[1:]:
        if word.startswith("of="):
            run.write(word[3:], state)


def split(run: Run, call: Call, state: State) -> None:
    """the second operand (`x`) begins the names that are written"""
    seen = seen_by(
        "read -l,--lines= -b,--bytes= -n,--number= -a,--suffix-length= -C= -t= -d? "
        "--additional-suffix= --filter=code",
        call,
    )
    roles(run, call, state, seen)
    if not seen.of("code"):
        prefix = seen.operands[1] if len(seen.operands) > 1 else "x"
        run.write(prefix + STAR, state)


def csplit(run: Run, call: Call, state: State) -> None:
    """`-f` (`xx`) begins the names that are written"""
    seen = seen_by("read -f,--prefix=begin -b,--suffix-format= -n,--digits=", call)
    run.write((seen.last("begin") or "xx") + STAR, state)


def mktemp(run: Run, call: Call, state: State) -> None:
    """makes a file by its template; without one, in the scratch folder"""
    seen = seen_by("write -p,--tmpdir=folder --suffix= -u!read", call)
    if seen.mode == "read":
        return
    folder = seen.last("folder")
    if folder is None and (not seen.operands or "-t" in seen.options):
        folder = call.sets.get("TMPDIR") or (state.text("TMPDIR") if state.get("TMPDIR") else "")
        if not folder:
            return  # the system's own
    for path in seen.operands or [""]:
        name = path.rstrip("X") + STAR
        run.write(f"{folder.rstrip('/')}/{name}" if folder else name, state)


def fd(run: Run, call: Call, state: State) -> None:
    """`-x` and `-X` start another command with what is found"""
    words = call.args[1:]
    for mark in ("-x", "-X", "--exec", "--exec-batch"):
        if mark in words:
            args = words[words.index(mark) + 1 :]
            place = "./\ue000"
            if not any("{" in word for word in args):
                args = [*args, place]
            args = [word.replace("{}", place) for word in args]
            run.call(run, call.inner(args), state.copy())
            return
