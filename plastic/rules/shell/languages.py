"""The interpreters: a program on the command line, from the input, or in a file."""

from __future__ import annotations

from plastic.rules.shell.program import program
from plastic.rules.shell.streams import in_place
from plastic.rules.shell.table import seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.row import Seen
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def _rest(run: Run, call: Call, state: State, seen: Seen, language: str) -> None:
    """No program among the options: a file, or the input."""
    if seen.operands and seen.operands[0] != "-":
        run.opaque(f"`{seen.operands[0]}` is run, and it is a file", call, state)
    elif call.feed is not None:
        if call.feed.text is None:
            run.opaque(f"`{call.args[0]}` runs what it reads from its input", call, state)
        else:
            program(run, call, state, call.feed.text, language)


def python(run: Run, call: Call, state: State) -> None:
    """`-c` and the input are read for calls that write; a module or a file is opaque"""
    words = call.args[1:]
    while words and words[0][:1] == "-" and words[0] != "-":
        word, words = words[0], words[1:]
        letters = word[1:] if word[1:2] != "-" else ""
        if word in ("--version", "--help"):
            return
        if "c" in letters:
            text = letters.partition("c")[2] or (words[0] if words else "")
            program(run, call, state, text, "python")
            return
        if "m" in letters:
            named = letters.partition("m")[2]
            _module(run, call, state, [named, *words] if named else words)
            return
        if letters in ("V", "VV", "h"):
            return
        if letters in ("W", "X"):
            words = words[1:]
    seen = seen_by("read @first", call.inner([call.args[0], *words]))
    _rest(run, call, state, seen, "python")


# Modules that are commands: what `-m` runs -> the words of another call.
_COMMANDS = ("pip", "pytest", "mypy", "ruff", "black", "isort", "build", "tox", "coverage", "venv")


def _module(run: Run, call: Call, state: State, words: list[str]) -> None:
    name = words[0] if words else ""
    options = words[1:]
    if name in ("zipfile", "tarfile"):
        if any(one in options for one in ("-e", "--extract")):
            run.write(options[-1] if len(options) > 2 else ".", state, reach="below")
        elif any(one in options for one in ("-c", "--create")):
            run.write(options[1] if len(options) > 1 else ".", state)
    elif name == "json.tool":
        operands = [one for one in options if one[:1] != "-"]
        for path in operands[1:2]:
            run.write(path, state)
    elif name in ("venv", "virtualenv"):
        for path in [one for one in options if one[:1] != "-"]:
            run.write(path, state, reach="below")
    elif name in _COMMANDS:
        run.call(run, call.inner(words), state)
    elif name not in ("http.server", "site", "this", "calendar", "platform", "tokenize", "dis"):
        run.opaque(f"the module `{name}` is run", call, state)


def perl(run: Run, call: Call, state: State) -> None:
    """`-i` writes the operands; `-e` is read for calls that write; a file is opaque"""
    _one_liner(run, call, state, "perl", "read -e=text -E=text -i?suffix -M= -m= -I= -F?")


def ruby(run: Run, call: Call, state: State) -> None:
    """as `perl`"""
    _one_liner(run, call, state, "ruby", "read -e=text -i?suffix -r=needs -I= -F? -C=cd")


def _one_liner(run: Run, call: Call, state: State, language: str, row: str) -> None:
    seen = seen_by(row, call)
    if any(one in seen.options for one in ("--version", "-v", "--help", "-h")) and not seen.of(
        "text"
    ):
        return
    texts = seen.of("text")
    for text in texts:
        program(run, call, state, text, language)
    if "-i" in seen.options:
        in_place(
            run, state, seen.operands if texts else seen.operands[1:], seen.last("suffix") or ""
        )
    for name in seen.of("needs"):
        if name not in (
            "json",
            "yaml",
            "set",
            "time",
            "date",
            "fileutils",
            "pathname",
            "digest",
            "csv",
        ):
            run.opaque(f"`{name}` is loaded", call, state)
    if not texts:
        _rest(run, call, state, seen, language)


def node(run: Run, call: Call, state: State) -> None:
    """`-e` and `-p` are read for calls that write; a file is opaque"""
    seen = seen_by(
        "read @first -e,--eval=text -p,--print=text -r,--require=loads --import=loads "
        "-c,--check,-v,--version,-h,--help!ask",
        call,
    )
    if seen.mode == "ask":
        return
    for name in seen.of("loads"):
        run.opaque(f"`{name}` is loaded", call, state)
    texts = seen.of("text")
    for text in texts:
        program(run, call, state, text, "node")
    if not texts:
        _rest(run, call, state, seen, "node")


def php(run: Run, call: Call, state: State) -> None:
    """opaque, except for questions"""
    seen = seen_by("read @first -r=text -l!ask -v!ask -i!ask -m!ask", call)
    if seen.mode != "ask":
        run.opaque("`php` runs code that no word of it shows", call, state)
