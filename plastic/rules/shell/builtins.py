"""The builtins that change what the shell knows, or run a text."""

from __future__ import annotations

from plastic.rules.shell.cd import cd, popd, pushd
from plastic.rules.shell.marks import ANY, marked
from plastic.rules.shell.quoting import quoted
from plastic.rules.shell.traps import trap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

    Builtin = Callable[[Run, Call, State], None]


def _read(run: Run, call: Call, state: State) -> None:
    """sets variables to something that is only known when it runs"""
    for word in call.args[1:]:
        if word.isidentifier():
            state.set(word, ANY)


def _mapfile(run: Run, call: Call, state: State) -> None:
    """as `read`; `-C` is a text that is run for each line"""
    words = call.args[1:]
    for at, word in enumerate(words):
        if word == "-C" and at + 1 < len(words):
            run.text(words[at + 1], state, call)
    for word in words:
        if word.isidentifier():
            state.set(word, (ANY,))


def _printf(run: Run, call: Call, state: State) -> None:
    """prints; `-v` sets a variable"""
    if call.args[1:2] == ["-v"] and len(call.args) > 2:
        state.set(call.args[2], ANY)


def _unset(run: Run, call: Call, state: State) -> None:
    """forgets variables and functions"""
    for word in call.operands():
        state.set(word, ANY)
        run.functions.pop(word, None)


def _eval(run: Run, call: Call, state: State) -> None:
    """runs its words as a text"""
    text = " ".join(call.args[1:])
    if not text:
        return
    run.text(text, state, call)
    if "cd " in text or "pushd" in text or ANY in text:
        # What comes after it may be anywhere; where it is not known whether, nothing is gained.
        state.enter((None,) if ANY not in text else state.cwds)


def _source(run: Run, call: Call, state: State) -> None:
    """runs a file"""
    words = call.operands()
    if words[:1] == ["/dev/stdin"] and call.feed is not None and call.feed.text is not None:
        run.text(call.feed.text, state, call)
    elif words:
        run.opaque(f"`{words[0]}` is run, and it is a file", call, state)


def _exit(run: Run, call: Call, state: State) -> None:
    """ends the shell, the function or the round of a loop"""
    state.dead = True


def _exec(run: Run, call: Call, state: State) -> None:
    """the command takes the place of the shell"""
    words = call.args[1:]
    while words and words[0][:1] == "-" and words[0] != "--":
        words = words[2:] if words[0].endswith("a") else words[1:]
    if words[:1] == ["--"]:
        words = words[1:]
    if words:
        run.call(run, call.inner(words), state)
        state.dead = True


def _command(run: Run, call: Call, state: State) -> None:
    """another command; `-v` only asks"""
    words = call.args[1:]
    while words and words[0][:1] == "-":
        if "v" in words[0] or "V" in words[0]:
            return
        words = words[1:]
    if words:
        kept = run.functions
        run.functions = {}
        run.call(run, call.inner(words), state)
        run.functions = kept


def _alias(run: Run, call: Call, state: State) -> None:
    """a name for a text"""
    for word in call.args[1:]:
        name, sign, text = word.partition("=")
        if sign and name:
            run.aliases[name] = text


def _set(run: Run, call: Call, state: State) -> None:
    """sets the positional parameters"""
    words = call.args[1:]
    given = [word for word in words if word[:1] == "-" and word[:2] != "--"]
    if any("e" in word for word in given):
        state.strict = True  # a `cd` that fails ends it
    if any("P" in word for word in given) or "physical" in words:
        state.physical = True
    if "--" in words:
        state.args = tuple(words[words.index("--") + 1 :])
    elif words and words[0][:1] not in ("-", "+"):
        state.args = tuple(words)


def _shift(run: Run, call: Call, state: State) -> None:
    """drops the first positional parameters"""
    if state.args is not None:
        count = call.args[1] if len(call.args) > 1 else "1"
        state.args = state.args[int(count) :] if count.isdigit() else None


def expanded(run: Run, call: Call, state: State) -> None:
    """A call of an alias: its text with the words behind it."""
    text = run.aliases[call.args[0]]
    words = [word if marked(word) else quoted(word) for word in call.args[1:]]
    run.text(" ".join([text, *words]), state, call)


BUILTINS: dict[str, Builtin] = {
    "cd": cd,
    "pushd": pushd,
    "popd": popd,
    "read": _read,
    "getopts": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "printf": _printf,
    "unset": _unset,
    "eval": _eval,
    "trap": trap,
    "source": _source,
    ".": _source,
    "exit": _exit,
    "return": _exit,
    "break": _exit,
    "continue": _exit,
    "exec": _exec,
    "command": _command,
    "builtin": _command,
    "alias": _alias,
    "set": _set,
    "shift": _shift,
}
