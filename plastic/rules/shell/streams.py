"""sed and awk: files that are written by the text of a program."""

from __future__ import annotations

from plastic.rules.shell.awktext import Awk
from plastic.rules.shell.marks import ANY
from plastic.rules.shell.sedtext import Sed
from plastic.rules.shell.table import roles, seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def in_place(run: Run, state: State, files: list[str], suffix: str) -> None:
    """Files that are rewritten, and the copies that are kept under another name."""
    for path in files:
        run.write(path, state)
        if suffix:
            folder, slash, name = path.rpartition("/")
            kept = suffix.replace("*", name) if "*" in suffix else name + suffix
            run.write(kept if "/" in kept else folder + slash + kept, state)


def sed(run: Run, call: Call, state: State) -> None:
    """`-i` writes the operands; the commands `w` and `s///w` write files, `e` runs code"""
    seen = seen_by(
        "read -e,--expression=program -f,--file=loads -i,--in-place?suffix -l,--line-length=", call
    )
    files = seen.operands
    edits = any(option in ("-i", "--in-place", "-I") for option in seen.options)
    if edits and files[:1] == [""]:
        files = files[1:]  # `sed -i '' ...` of BSD
    programs = seen.of("program")
    roles(run, call, state, seen)
    if not programs and not seen.of("loads"):
        programs, files = files[:1], files[1:]
    if edits:
        in_place(run, state, files, seen.last("suffix") or "")
    for program in programs:
        for kind, value in Sed(program).parts():
            if kind == "w":
                run.write(value, state)
            else:
                run.opaque("sed runs a command that its input gives", call, state)


def awk(run: Run, call: Call, state: State) -> None:
    """`-i inplace` writes the operands, `print > "f"`, `| "cmd"` and `system()` in the program"""
    seen = seen_by(
        "read -f,--file=loads -v,--assign= -F,--field-separator= -i,--include=include "
        "-e,--source=program -E,--exec=loads -o,--pretty-print?write -p,--profile?write "
        "-d,--dump-variables?write",
        call,
    )
    roles(run, call, state, seen)
    programs, files = seen.of("program"), seen.operands
    if not programs and not seen.of("loads"):
        programs, files = files[:1], files[1:]
    if any(one.startswith("inplace") for one in seen.of("include")):
        in_place(run, state, [one for one in files if "=" not in one], "")
    for program in programs:
        for kind, value in Awk(program).parts():
            if kind == "w":
                if value[:1] == ANY:
                    run.opaque("awk writes a file that its program names", call, state)
                else:
                    run.write(value, state)
            elif ANY in value:
                run.opaque("awk runs a command that its program makes", call, state)
            else:
                run.text(value, state, call)
