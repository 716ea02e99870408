"""What a one-line program of Python, Node, Perl or Ruby writes, where its calls say it."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY
from plastic.rules.shell.quoting import quoted
from plastic.rules.shell.rows_calls import CALLS, HIDDEN, MODULES
from plastic.rules.shell.scan import LONGEST, Scanner, Token, calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def program(run: Run, call: Call, state: State, text: str, language: str) -> None:
    """Record the writes of a program; one that hides something is opaque."""
    if len(text) > LONGEST or ANY in text:
        run.opaque(
            "a program is run that is not read to its end", call.inner([*call.args, text]), state
        )
        return
    found = Program(text, language)
    found.read()
    for role, value in found.acts:
        if role == "x":
            run.text(value, state, call)
        elif value[:1] != ANY and value:
            op = "remove" if role == "r" else "write"
            run.write(value, state, op=op, reach="below" if role == "b" else "")
        else:
            found.hides = True
    if found.hides:
        run.opaque(f"the program of `{call.args[0]}` decides what it writes", call, state)


class Program:
    """Reads a program: `acts` are (role, value) of its calls, `hides` = that is not all."""

    __slots__ = ("acts", "hides", "language", "names", "tokens", "values")

    def __init__(self, text: str, language: str) -> None:
        self.language = language
        self.tokens = Scanner(text, language).scan()
        self.acts: list[tuple[str, str]] = []
        self.hides = False
        self.names: dict[str, str] = {}
        self.values: dict[str, str] = {}

    def read(self) -> None:
        self._imports()
        self._assignments()
        for token in self.tokens:
            if token.kind == "run":
                self.acts.append(("x", token.value))
        for at, name, given in calls(self.tokens):
            self._call(at, self._full(name), given)
        if any(
            one.kind == "name" and self._full(one.value) in HIDDEN[self.language]
            for one in self.tokens
        ):
            self.hides = True

    def _imports(self) -> None:
        """`import a as b`, `from a import b`, `require('a')`: a module that is not known hides."""
        tokens = self.tokens
        for at, token in enumerate(tokens[:-1]):
            word = tokens[at + 1]
            if token.kind != "name":
                continue
            if token.value == "require" and self.language == "node" and at + 2 < len(tokens):
                name = tokens[at + 2].value.removeprefix("node:")
                self.hides = self.hides or (name not in MODULES and not name.endswith(".json"))
            elif self.language == "python" and token.value in ("import", "from"):
                behind_from = at > 1 and tokens[at - 2].value == "from"
                if not behind_from and word.value.partition(".")[0] not in MODULES:
                    self.hides = True
                self._named(at, behind_from=behind_from)

    def _named(self, at: int, *, behind_from: bool) -> None:
        """What the names of an import stand for."""
        tokens = self.tokens
        if not behind_from:
            if at + 3 < len(tokens) and tokens[at + 2].value == "as":
                self.names[tokens[at + 3].value] = tokens[at + 1].value
            return
        module = tokens[at - 1].value
        opened = at + 1 < len(tokens) and tokens[at + 1].is_mark("(")
        full = ""
        for place in range(at + 1, min(at + 40, len(tokens))):
            word = tokens[place]
            if word.value == "as":
                continue
            if word.kind == "name" and tokens[place - 1].value == "as":
                self.names[word.value] = full
            elif word.kind == "name":
                full = self.names[word.value] = f"{module}.{word.value}"
            elif word.is_mark(")") or (word.value in ";\n" and not opened):
                return

    def _assignments(self) -> None:
        """`p = 'x'` and `p = Path('x')`, where it is given once."""
        tokens = self.tokens
        for at in range(1, len(tokens) - 1):
            if tokens[at].is_mark("=") and tokens[at - 1].kind == "name":
                name = tokens[at - 1].value
                value = self._value(tokens[at + 1 : at + 5])
                self.values[name] = ANY if name in self.values or value is None else value

    def _full(self, name: str) -> str:
        """A name as the table writes it."""
        head, dot, rest = name.partition(".")
        known = self.names.get(head)
        if known is not None:
            name = known + dot + rest
        if name.startswith("pathlib."):
            name = name[8:]
        return name.rpartition(".")[2] if self.language in ("node", "perl") else name

    def _call(self, at: int, name: str, given: list[list[Token]]) -> None:
        table = CALLS[self.language]
        if self.language == "perl" and name == "open":
            self._perl_open(given)
            return
        of_something = at > 0 and self.tokens[at - 1].is_mark(".") and self.language == "python"
        row = None if of_something else table.get(name)
        if row is not None:
            self._apply(row.split(), given)
            return
        method = "." + name.rpartition(".")[2]
        if method in table:
            value = self._receiver(at, name)
            if value is not None:
                words = table[method].split()
                self._apply(words, [[Token("text", value)], *given])

    def _receiver(self, at: int, name: str) -> str | None:
        """The path that a method belongs to; None when it belongs to something else."""
        if "." in name.lstrip("."):
            head = name.rpartition(".")[0]
            return self.values.get(head, ANY if name.rpartition(".")[2] in _OF_PATHS else None)
        before = self.tokens[max(at - 6, 0) : at]
        while before and before[-1].is_mark("."):
            before = before[:-1]
        for start, token in enumerate(before):
            if token.kind == "name" and self._full(token.value) in (
                "Path",
                "PurePath",
                "PosixPath",
            ):
                return self._value(before[start:]) or ANY
        return ANY if name in _OF_PATHS else None

    def _value(self, tokens: list[Token]) -> str | None:
        """The text that an argument is; a mark where it is computed; None when it is none."""
        if not tokens:
            return None
        first = tokens[0]
        if first.kind == "name" and self._full(first.value) in ("Path", "PurePath", "PosixPath"):
            return self._value(tokens[2:3]) if len(tokens) > 2 else None
        if first.kind == "name":
            return self.values.get(first.value)
        if first.kind != "text":
            return None
        if len(tokens) > 1 and tokens[1].kind == "mark" and tokens[1].value in "+/%.":
            return first.value + ANY
        return first.value

    def _apply(self, words: list[str], given: list[list[Token]]) -> None:
        if words[:1] in (["v"], ["l"]):
            self._runs(given[:2] if words[0] == "v" else given)
            return
        for at, word in enumerate(words):
            if word == "m":
                if self._writes(given[at:]):
                    self.acts.append(("w", self._value(given[at - 1]) or ANY))
            elif word != "-" and at < len(given):
                self.acts.append((word, self._value(given[at]) or ANY))

    def _writes(self, given: list[list[Token]]) -> bool:
        """Whether one of the arguments is a mode that writes."""
        for tokens in given:
            if tokens[0].value == "mode" and len(tokens) > 2:
                return any(letter in tokens[2].value for letter in "wax+")
            if tokens[0].kind == "text" and len(tokens[0].value) <= 4:
                return any(letter in tokens[0].value for letter in "wax+")
            if tokens[0].kind == "name" and len(tokens) == 1:
                return True
        return False

    def _perl_open(self, given: list[list[Token]]) -> None:
        """`open(F, '>f')` and `open(my $f, '>', 'f')`."""
        if len(given) < 2:
            return
        mode = self._value(given[1])
        if mode is None:
            self.hides = True
        elif len(given) > 2:
            if mode.strip()[:1] in (">", "+"):
                self.acts.append(("w", self._value(given[2]) or ANY))
            elif "|" in mode:
                self.hides = True
        elif mode.strip()[:1] in (">", "+"):
            self.acts.append(("w", mode.strip().lstrip("+<> ")))
        elif "|" in mode:
            self.acts.append(("x", mode.strip("| ")))

    def _runs(self, given: list[list[Token]]) -> None:
        """A program with its words: a list, or one text for a shell."""
        words = [one for tokens in given for one in tokens if one.kind != "mark"]
        texts = []
        for one in words:
            if one.kind != "text":
                break
            texts.append(one.value)
        computed = len(texts) < len(words) and words[len(texts)].value not in _SETTINGS
        if not texts or computed or any(ANY in one for one in texts):
            self.hides = True
        elif len(texts) == 1:
            self.acts.append(("x", texts[0]))
        else:
            self.acts.append(("x", " ".join(quoted(one) for one in texts)))


# Methods that only paths have.
_OF_PATHS = ("write_text", "write_bytes", "touch", "unlink", "mkdir", "rmdir", "symlink_to")
# Names of arguments that follow the list.
_SETTINGS = ("check", "shell", "capture_output", "text", "cwd", "env", "stdio", "encoding", "input")
