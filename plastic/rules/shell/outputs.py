"""What a simple command prints, where its words say it: for `$(...)` and for pipes."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, STAR, marked
from plastic.rules.shell.paths import absolute, base_name, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call
    from plastic.rules.shell.state import State


def output(call: Call, state: State) -> str | None:
    """The text that the command prints, with marks; None when it cannot be said."""
    name = base_name(call.args[0]) if call.args else ""
    if name not in ("echo", "printf", "cat", *_PATHS):
        return None
    words = call.args[1:]
    if name == "cat":
        return call.feed.text if call.feed is not None and words in ([], ["-"]) else None
    if name == "echo":
        while words and words[0] in ("-n", "-e", "-E", "-ne", "-en"):
            words = words[1:]
        said = " ".join(words) + "\n"
        return None if "\\" in said and "e" in "".join(call.args[1:2]) else said
    if name == "printf":
        return _printf(words)
    operands = [word for word in words if not word.startswith("-")]
    if name == "pwd":
        return state.cwd
    if name == "mktemp":
        return _mktemp(words, operands, state)
    if len(operands) not in (1, 2) or (len(operands) == 2 and name != "basename"):
        return None
    if name == "dirname":
        return parent(operands[0]) if not operands[0].endswith(ANY) else ANY
    if name == "basename":
        return _basename(operands)
    if name == "readlink" and len(words) == 1:
        return None
    return absolute(operands[0], state.cwd)


_PATHS = ("pwd", "mktemp", "dirname", "basename", "realpath", "readlink")


def _basename(operands: list[str]) -> str:
    name = base_name(operands[0])
    if marked(name):
        return STAR
    return name.removesuffix(operands[1]) if len(operands) == 2 else name


def _mktemp(words: list[str], operands: list[str], state: State) -> str | None:
    """The name of a temporary file: it lies where the template says, else in the scratch folder."""
    if any(word.startswith(("-p", "--tmpdir=")) for word in words):
        return None
    if operands and not any(word.startswith("-") and "t" in word for word in words):
        return operands[0].rstrip("X") + STAR
    found = state.get("TMPDIR")
    scratch = found if isinstance(found, str) and found.startswith("/") else "/tmp"  # noqa: S108
    return f"{scratch.rstrip('/')}/{STAR}"


def _printf(words: list[str]) -> str | None:
    """`printf` with the formats that are used to make lists."""
    if words[:1] == ["--"]:
        words = words[1:]
    if not words or words[0].startswith("-"):
        return None
    form = words[0].replace("\\n", "\n").replace("\\0", "\0").replace("\\t", "\t")
    if "\\" in form:
        return None
    if "%" not in form:
        return form
    holes = form.split("%s")
    if any("%" in hole.replace("%%", "") for hole in holes) or len(holes) == 1:
        return None
    made = []
    rest = words[1:] or [""]
    while rest:
        now, rest = rest[: len(holes) - 1], rest[len(holes) - 1 :]
        now += [""] * (len(holes) - 1 - len(now))
        made.append("".join(hole + word for hole, word in zip(holes, [*now, ""], strict=True)))
    return "".join(made)
