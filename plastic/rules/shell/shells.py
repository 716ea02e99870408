"""Shells that are given a text, and commands that hand one on in a form of their own."""

from __future__ import annotations

from plastic.rules.shell.envcode import environment
from plastic.rules.shell.marks import ANY, STAR
from plastic.rules.shell.table import moved, roles, seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

# Options of shells that take a word.
_TAKES = ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")


def shell(run: Run, call: Call, state: State) -> None:
    """`-c` is a text with parameters; a file is code; without both the input is a text"""
    words = call.args[1:]
    letters = ""
    while words and len(words[0]) > 1 and words[0][0] in "-+":
        word, words = words[0], words[1:]
        if word == "--":
            break
        if word in _TAKES:
            words = words[1:]
        elif word[1] != "-" and word[0] == "-":
            letters += word[1:]
            words = words[1:] if word[-1] in "oO" else words
        elif word in ("--version", "--help"):
            return
    if "n" in letters:
        return
    if "c" in letters:
        if words:
            inner = state.copy()
            inner.zero = words[1] if len(words) > 1 else call.args[0]
            inner.args = tuple(words[2:])
            run.text(words[0], inner, call)
    elif words and "s" not in letters:
        run.opaque(f"`{words[0]}` is run, and it is a file", call, state)
    elif call.feed is not None:
        if call.feed.text is None:
            run.opaque("a shell runs what it reads from its input", call, state)
        else:
            run.text(call.feed.text, state, call)


def env(run: Run, call: Call, state: State) -> None:
    """sets variables and starts another command; `-S` is a text"""
    seen = seen_by(
        "start @first -C,--chdir=cd -u,--unset= -a,--argv0= -S,--split-string=text", call
    )
    state = moved(seen, state)
    split = seen.last("text")
    if split is not None:
        run.text(" ".join([split, *seen.operands]), state, call)
        return
    assigned(run, call, state, seen.operands)


def sudo(run: Run, call: Call, state: State) -> None:
    """starts another command as somebody else; `-e` edits files"""
    seen = seen_by(
        "start @first -D,--chdir=cd -u,--user= -g,--group= -h,--host= -p,--prompt= -C= -R= -T= "
        "-r= -t= -U=",
        call,
    )
    state = moved(seen, state)
    if "-e" in seen.options or "--edit" in seen.options:
        for path in seen.operands:
            run.write(path, state)
        return
    assigned(run, call, state, seen.operands)


def assigned(run: Run, call: Call, state: State, words: list[str]) -> None:
    """A command behind `NAME=value` words, which are set for it."""
    sets = dict(call.sets)
    while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
        name, _, value = words[0].partition("=")
        sets[name] = value
        environment(run, name, value, state)
        words = words[1:]
    if words:
        inner = call.inner(words)
        inner.sets = sets
        run.call(run, inner, state)


def flock(run: Run, call: Call, state: State) -> None:
    """makes the lock file and starts another command, or runs the text of `-c`"""
    seen = seen_by("start @first -w,--timeout= -E,--conflict-exit-code=", call)
    words = seen.operands
    if not words or words[0].isdigit():
        return
    run.write(words[0], state)
    words = words[1:]
    if len(words) > 1 and words[0] in ("-c", "--command"):
        run.text(words[1], state, call)
    elif words:
        run.call(run, call.inner(words), state)


def find(run: Run, call: Call, state: State) -> None:
    """`-delete`, `-exec` and `-fprint` act on what lies below the operands"""
    words = call.args[1:]
    starts = []
    follows = "-L" in words or "-follow" in words
    while words and words[0] in ("-H", "-L", "-P"):
        words = words[1:]
    while words and words[0][:1] not in ("-", "(", "!"):
        starts.append(words[0])
        words = words[1:]
    starts = starts or ["."]
    before = len(run.out.writes)
    if follows:
        starts += [f"{start.rstrip('/')}/{STAR}" for start in starts]
    _acts(run, call, state, words, starts)
    if follows and len(run.out.writes) > before:
        run.opaque("`find` follows links", call, state)


def _acts(run: Run, call: Call, state: State, words: list[str], starts: list[str]) -> None:
    """What is done with what is found."""
    named = _named(words)
    places = [place for start in starts for place in _places(start, named)]
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "-delete":
            for start in starts:
                _delete(run, state, start, named)
        elif word in ("-fprint", "-fprint0", "-fls", "-fprintf"):
            for path in words[at : at + 1]:
                run.write(path, state)
            at += 2 if word == "-fprintf" else 1
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            end = at
            while end < len(words) and words[end] not in (";", "+"):
                end += 1
            _each(run, call, state, words[at:end], places)
            at = end + 1


def _named(words: list[str]) -> str:
    """The glob of one `-name`, with marks; "" = any name."""
    if words.count("-name") != 1 or "-o" in words or "-not" in words or "!" in words:
        return ""
    at = words.index("-name") + 1
    name = words[at] if at < len(words) else ""
    return name.replace("*", ANY).replace("?", ANY).replace("[", ANY + "[").partition("[")[0]


def _places(start: str, named: str) -> list[str]:
    """What find may come to: the operand itself, and what lies below."""
    below = f"{start.rstrip('/')}/{ANY}{named}"
    itself = start not in (".", "..") and not start.endswith("/") and not named
    return [start, below] if itself else [below]


def _delete(run: Run, state: State, start: str, named: str) -> None:
    if named:
        for place in _places(start, named):
            run.write(place, state, op="remove")
    else:
        run.write(start, state, op="remove", reach="below")


def _each(run: Run, call: Call, state: State, words: list[str], places: list[str]) -> None:
    """Start a command with every place in the room of `{}`."""
    for place in places:
        args = [word.replace("{}", place) for word in words]
        if args:
            run.call(run, call.inner(args), state.copy())


def xargs(run: Run, call: Call, state: State) -> None:
    """starts another command with words from its input behind it, or in the room of `-I`"""
    seen = seen_by(
        "start @first -I=room -i?room --replace?room -n,--max-args= -P,--max-procs= -L= -d= "
        "--delimiter= -a,--arg-file= -E= -s,--max-chars= --process-slot-var= -R= -J=",
        call,
    )
    words = seen.operands or ["echo"]
    room = seen.last("room")
    given = call.feed.text if call.feed is not None else None
    if room is None and ("-i" in seen.options or "--replace" in seen.options):
        room = "{}"
    if room:
        lines = [line.strip() for line in given.split("\n") if line.strip()] if given else [ANY]
        for line in lines[:64]:
            args = [word.replace(room, line) for word in words]
            run.call(run, call.inner(args), state.copy())
        return
    more = given.replace("\0", "\n").split() if given else [ANY]
    run.call(run, call.inner(words + more), state.copy())


def parallel(run: Run, call: Call, state: State) -> None:
    """starts a text with each word behind `:::`"""
    seen = seen_by(
        "start @first -j,--jobs= --joblog=write --results=below -a,--arg-file= --timeout= -n= "
        "-N= --colsep= -I= --tmpdir=below -S,--sshlogin=",
        call,
    )
    roles(run, call, state, seen)
    words = seen.operands
    at = next((at for at, word in enumerate(words) if word[:3] == ":::"), len(words))
    values = [word for word in words[at + 1 :] if word[:3] != ":::"] or [ANY]
    for value in values[:64]:
        args = [word.replace("{}", value) for word in words[:at]]
        if args == words[:at]:
            args.append(value)
        if args and " " in args[0]:
            run.text(" ".join(args), state, call)
        else:
            run.call(run, call.inner(args), state.copy())
