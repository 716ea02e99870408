"""What the operands of a command are: one function a mode of the command table."""

from __future__ import annotations

from plastic.rules.shell.copying import copy, copy_below, link, move, name, sync
from plastic.rules.shell.marks import STAR, marked
from plastic.rules.shell.paths import absolute, base_name, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.row import Seen
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

    Mode = Callable[[Run, Call, State, Seen], None]


def read(run: Run, call: Call, state: State, seen: Seen) -> None:
    """operands are read"""


def opaque(run: Run, call: Call, state: State, seen: Seen) -> None:
    """runs code that is not in the text"""
    run.opaque(f"`{call.args[0]}` runs code that no word of it shows", call, state)


def write(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand is written"""
    for path in seen.operands:
        run.write(path, state)


def folder(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand is made, a directory; so is what stands before a `..`, on the way there"""
    before = len(run.out.writes)
    for path in seen.operands:
        parts = path.split("/")
        ways = ["/".join(parts[:at]) for at, part in enumerate(parts) if at and part == ".."]
        for one in ways:
            if not all(run.folders.surely(absolute(one, cwd)) for cwd in state.cwds):
                run.write(one, state)
    write(run, call, state, seen)
    run.folders.made.update(range(before, len(run.out.writes)))


def below(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand is written, with what lies below"""
    for path in seen.operands:
        run.write(path, state, reach="below")


def remove(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand is removed"""
    for path in seen.operands:
        run.write(path, state, op="remove")


def first(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the first operand is written"""
    for path in seen.operands[:1]:
        run.write(path, state)


def first_moves(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the first operand is written, and the others are removed"""
    first(run, call, state, seen)
    for path in seen.operands[1:]:
        run.write(path, state, op="remove")


def second(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the second operand is written"""
    for path in seen.operands[1:2]:
        run.write(path, state)


def final(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the last operand is written"""
    for path in seen.operands[-1:]:
        run.write(path, state)


def rest(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand but the first is written"""
    for path in seen.operands[1:]:
        run.write(path, state)


def modes(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand behind the mode or owner is written"""
    for path in _behind_mode(seen):
        run.write(path, state)


def modes_below(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand behind the mode or owner is written, with what lies below"""
    for path in _behind_mode(seen):
        run.write(path, state, reach="below")


def _behind_mode(seen: Seen) -> list[str]:
    """The files; `chmod -x f` gives its mode as an option."""
    given = any(option[1:] in ("r", "w", "x", "X", "s", "t", "i", "a") for option in seen.options)
    if given or "--reference" in seen.options:
        return seen.operands
    return seen.operands[1:]


def tidy(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand behind the verb, or the current directory, is written with what lies below"""
    for path in seen.operands[1:] or ["."]:
        run.write(path, state, reach="below")


def pack(run: Run, call: Call, state: State, seen: Seen) -> None:
    """each operand is replaced by one with another suffix"""
    name = base_name(call.args[0])
    unpacks = name[:2] in ("un", "gu", "bu") or not _UNPACK.isdisjoint(seen.options)
    for path in seen.operands:
        if path == "-":
            continue
        if "-k" not in seen.options and "--keep" not in seen.options:
            run.write(path, state, op="remove")
        if marked(path):
            # `*` of a longer pattern would be any name: a link to somewhere else too.
            run.write(parent(path), state, reach="below")
            continue
        stem, _, suffix = path.rpartition(".")
        if base_name(stem) and suffix.lower() in _PACKED:
            run.write(stem + (".tar" if suffix[0] == "t" else ""), state)
        elif unpacks:
            run.write(path, state)  # the suffix need not be said
        if not unpacks:
            run.write(path + ("" if "-S" in seen.options else ".") + STAR, state)


_UNPACK = frozenset(("-d", "--decompress", "--uncompress"))
_PACKED = frozenset("gz tgz taz z bz2 bz tbz tbz2 xz txz lzma tlz zst tzst lz4 br".split())


def start(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the operands are another command"""
    _start(run, call, state, seen, 0)


def start_second(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the operands behind the first are another command"""
    _start(run, call, state, seen, 1)


def start_behind(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the operands behind `--` are another command"""
    at = seen.operands.index("--") + 1 if "--" in seen.operands else 0
    _start(run, call, state, seen, at)


def _start(run: Run, call: Call, state: State, seen: Seen, skip: int) -> None:
    args = seen.operands[skip:]
    if args:
        run.call(run, call.inner(args), state)


def text(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the operands are a text of shell"""
    if seen.operands:
        run.text(" ".join(seen.operands), state, call)


MODES: dict[str, Mode] = {
    "read": read,
    "opaque": opaque,
    "write": write,
    "folder": folder,
    "below": below,
    "remove": remove,
    "first": first,
    "first-moves": first_moves,
    "second": second,
    "final": final,
    "rest": rest,
    "modes": modes,
    "modes-below": modes_below,
    "tidy": tidy,
    "copy": copy,
    "copy-below": copy_below,
    "move": move,
    "link": link,
    "name": name,
    "sync": sync,
    "pack": pack,
    "start": start,
    "start-second": start_second,
    "start-behind": start_behind,
    "text": text,
}
