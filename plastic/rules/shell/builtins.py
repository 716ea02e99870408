"""The builtins that change what the shell knows, or run a text."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, marked
from plastic.rules.shell.paths import absolute
from plastic.rules.shell.quoting import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State
    from plastic.rules.shell.worlds import Directories

    Builtin = Callable[[Run, Call, State], None]


def _operands(call: Call) -> list[str]:
    """The words behind the options; a single `-` is an operand."""
    words = call.args[1:]
    while words and len(words[0]) > 1 and words[0][0] == "-" and words[0] != "--":
        words = words[1:]
    return words[1:] if words[:1] == ["--"] else words


def _targets(path: str, state: State) -> Directories:
    """Where `cd path` leads from here."""
    found: list[str | None] = []
    for cwd in state.cwds:
        full = absolute(path, cwd)
        if full not in found:
            found.append(full)
    search = state.get("CDPATH")
    if isinstance(search, str) and search and path[:1] not in ("/", "."):
        found += [absolute(f"{one or '.'}/{path}", state.cwd) for one in search.split(":")]
    return tuple(found)


def _enter(run: Run, path: str, state: State) -> None:
    """Go where a path leads; the shell stays where it is if no directory is there."""
    found = _targets(path, state)
    stays = () if all(run.folders.has(one) for one in found) else state.cwds
    state.enter(found, stays)


def _cd(run: Run, call: Call, state: State) -> None:
    """changes directory"""
    words = _operands(call)
    if not words:
        _enter(run, state.text("HOME"), state)
    elif words[0] == "-":
        state.enter(state.old)
    else:
        _enter(run, words[0], state)
    sprung(run, state)


def _pushd(run: Run, call: Call, state: State) -> None:
    """changes directory and remembers the old one"""
    words = _operands(call)
    if "-n" in call.args:
        return
    here = state.cwds
    if not words:
        state.enter(state.dirs[0] if state.dirs else (None,))
        state.dirs = (here, *state.dirs[1:])
    elif words[0][:1] == "+" or words[0][:1] == "-":
        state.enter((None,))
        state.dirs = ()
    else:
        state.dirs = (here, *state.dirs)
        _enter(run, words[0], state)
    sprung(run, state)


def _popd(run: Run, call: Call, state: State) -> None:
    """goes back to the directory that was remembered"""
    if state.dirs and len(call.args) == 1:
        state.enter(state.dirs[0])
        state.dirs = state.dirs[1:]
    else:
        state.enter((None,))
        state.dirs = ()
    sprung(run, state)


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
    for word in _operands(call):
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


def _trap(run: Run, call: Call, state: State) -> None:
    """runs a text later"""
    words = _operands(call)
    if len(words) < 2 or words[0] in ("", "-") or words[0].isdigit():
        return
    run.traps.setdefault(words[0], call.inner([words[0]]))
    sprung(run, state)


def sprung(run: Run, state: State) -> None:
    """What traps do here: a signal or the end may come wherever the shell is from now on."""
    traps, run.traps = run.traps, {}  # a trap that changes directory is not started by that
    for text, made in traps.items():
        if text in run.functions:
            run.call(run, made, state.copy())
        else:
            run.text(text, state, made)
    run.traps = {**traps, **run.traps}


def _source(run: Run, call: Call, state: State) -> None:
    """runs a file"""
    words = _operands(call)
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
    if any(word[:1] == "-" and word[:2] != "--" and "e" in word for word in words):
        state.strict = True  # a `cd` that fails ends it
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
    "cd": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "read": _read,
    "getopts": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "printf": _printf,
    "unset": _unset,
    "eval": _eval,
    "trap": _trap,
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
