"""Words of a shell text -> the words a command gets, with marks for what is not known."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, GAP, ONE, OPEN, STAR, marked
from plastic.rules.shell.outputs import output
from plastic.rules.shell.parameters import ASSIGNS, PLACES, special
from plastic.rules.shell.params import cut, replaced
from plastic.rules.shell.quoting import PLAIN, ansi, braces, escaped, plain_braces, unquoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Node, Run
    from plastic.rules.shell.state import State

# Values that are put together from values grow fast: beyond this they are not known.
_LONGEST = 65536
_MOST_WORDS = 2000
_SPLIT = {ord(" "): GAP, ord("\t"): GAP, ord("\n"): GAP, ord("*"): STAR, ord("?"): ONE}


class Words:
    """Expands words in one state; nested substitutions are walked on the way."""

    __slots__ = ("run", "state")

    def __init__(self, run: Run, state: State) -> None:
        self.run = run
        self.state = state

    def fields(self, word: Node) -> list[str]:
        """The words that this one becomes; none when it is an empty expansion."""
        parts: list[Node] = word.get("Parts") or []
        if len(parts) == 1 and parts[0]["Type"] == "Lit":
            text = parts[0]["Value"]
            if not text.strip(PLAIN):
                self.run.saw(text, self.state)
                return [text]
        text = self._join(parts, split=True)
        expands = OPEN in text and self.run.braces
        made = braces(text) if expands else [plain_braces(text)]
        if GAP in text:
            made = [field for one in made for field in one.split(GAP) if field]
        elif text == "" and not any(part["Type"] in ("SglQuoted", "DblQuoted") for part in parts):
            return []
        made = made if len(made) <= _MOST_WORDS else [ANY]
        for field in made:
            self.run.saw(field, self.state)
        return made

    def text(self, word: Node | None) -> str:
        """The word as one text, as an assignment or a here-document takes it."""
        if not word:
            return ""
        text = plain_braces(self._join(word.get("Parts") or [], split=False))
        self.run.saw(text, self.state)
        return text

    def document(self, word: Node | None, *, code: bool) -> str:
        """The body of a here-document; `code` = it is expanded, else it stands for itself."""
        parts: list[Node] = (word or {}).get("Parts") or []
        if code:
            return self._inside(parts, "$`\\\n")
        return "".join(part.get("Value", "") for part in parts)

    def _join(self, parts: list[Node], *, split: bool) -> str:
        made = []
        for at, part in enumerate(parts):
            kind = part["Type"]
            if kind == "Lit":
                made.append(self._bare(part["Value"], first=at == 0, last=len(parts) == at + 1))
                if not split:
                    made[-1] = made[-1].replace(STAR, "*").replace(ONE, "?")
            elif kind == "SglQuoted":
                value = part.get("Value", "")
                made.append(ansi(value) if part.get("Dollar") else value)
            elif kind == "DblQuoted":
                made.append(self._inside(part.get("Parts") or [], '$`"\\\n'))
            else:
                value = self._expand(part, quoted=not split)
                made.append(value.translate(_SPLIT) if split and not value.isalnum() else value)
        text = "".join(made)
        return text if len(text) <= _LONGEST else ANY

    def _bare(self, value: str, *, first: bool, last: bool) -> str:
        if first and value[0] == "~":
            end = value.find("/")
            name = value[1:end] if end > 0 else value[1:]
            if end > 0 or last:
                return self._home(name) + unquoted(value[end:] if end > 0 else "")
        name, sign, rest = value.partition("=~")
        if first and sign and name.isidentifier():  # bash does it in `dd of=~/f` as well
            return f"{name}=" + self._bare("~" + rest, first=True, last=last)
        return unquoted(value)

    def _home(self, name: str) -> str:
        if name == "":
            return self.state.text("HOME")
        if name == "+":
            return self.state.cwd or ANY
        old = self.state.old
        return (old[0] if name == "-" and len(old) == 1 else None) or ANY

    def _inside(self, parts: list[Node], before: str) -> str:
        """What stands between double quotes."""
        made = []
        for part in parts:
            if part["Type"] == "Lit":
                made.append(escaped(part["Value"], before))
            else:
                made.append(self._expand(part, quoted=True))
        return "".join(made)

    def _expand(self, part: Node, *, quoted: bool) -> str:
        kind = part["Type"]
        if kind == "ParamExp":
            return self._parameter(part, quoted=quoted)
        if kind == "CmdSubst":
            return self._substituted(part)
        if kind == "ProcSubst":
            self.run.walk(self.run, part.get("Stmts") or [], self.state.copy(), None)
            return "/dev/fd/63"
        self.dig(part)
        return STAR

    def _substituted(self, part: Node) -> str:
        """What a command substitution prints, where that can be said."""
        stmts = part.get("Stmts") or []
        inner = self.state.copy()
        self.run.last = None
        self.run.walk(self.run, stmts, inner, None)
        last = self.run.printer(stmts[0]) if len(stmts) == 1 else None
        printed = output(last, inner) if last is not None else None
        return ANY if printed is None else printed.rstrip("\n")

    def _parameter(self, part: Node, *, quoted: bool) -> str:
        name = part["Param"]["Value"]
        values = self._values(name, part)
        exp = part.get("Exp")
        if part.get("Length") or part.get("Width"):
            return STAR
        if exp is not None:
            values = self._default(name, values, exp)
        for key in ("Repl", "Slice"):
            if part.get(key):
                values = self._cut(key, part[key], values)
        if values is None or part.get("Excl"):
            return self._pointed(values) if part.get("Excl") else ANY
        every = literal(part.get("Index")) in ("@", "*")
        many = name == "@" or (name == "*" and not quoted) or every
        return (GAP if many else " ").join(values)

    def _values(self, name: str, part: Node) -> tuple[str, ...] | None:
        """The values of a parameter; None = not known."""
        state = self.state
        known = special(state, name)
        if known is not None:
            return known[0]
        index = part.get("Index")
        found = state.get(name)
        if index is None or found is None:
            if index is not None:
                self.dig(index)
            return None if found is None else ((found,) if isinstance(found, str) else found[:1])
        return self._element(found, index)

    def _element(self, found: str | tuple[str, ...], index: Node) -> tuple[str, ...] | None:
        every = (found,) if isinstance(found, str) else found
        self.dig(index)
        at = literal(index)
        if at in ("@", "*"):
            return every
        if at is not None and at.isdigit():
            return every[int(at) : int(at) + 1] or ("",)
        return every if len(every) == 1 else None

    def _default(
        self, name: str, values: tuple[str, ...] | None, exp: Node
    ) -> tuple[str, ...] | None:
        """`${x:-y}` and its relatives, and the cutting of prefixes and suffixes."""
        op = exp.get("Op", "")
        word = self.text(exp.get("Word"))
        if op in ("-", ":-", "=", ":="):
            if values is None or (values == ("",) and op[0] == ":"):
                if op[-1] == "=":
                    self.state.set(name, word)
                return (word,)
            return values
        if op in ("+", ":+"):
            return None if values is None else ((word,) if any(values) else ("",))
        if op in ("?", ":?") or values is None:
            return values
        if op == "@" and word == "P":
            # Expanded like a prompt: substitutions are run.
            self.run.text(f'echo "{" ".join(values)}"', self.state)
        return tuple(cut(op, value, word) for value in values)

    def _cut(self, key: str, node: Node, values: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """`${x/a/b}` and `${x:1:2}`."""
        if key == "Repl":
            old, new = self.text(node.get("Orig")), self.text(node.get("With"))
            if values is None or not old:
                return values
            return tuple(replaced(value, old, new, every=bool(node.get("All"))) for value in values)
        self.dig(node)
        first, size = literal(node.get("Offset")), literal(node.get("Length"))
        if values is None or first is None or not first.isdigit() or len(values) != 1:
            return None
        if marked(values[0]) or (size is not None and not size.isdigit()):
            return None
        end = int(first) + int(size) if size is not None else None
        return (values[0][int(first) : end],)

    def _pointed(self, values: tuple[str, ...] | None) -> str:
        """`${!x}`: the value of the variable that x names."""
        return self.state.text(values[0]) if values and len(values) == 1 else ANY

    def dig(self, node: object) -> None:
        """Walk what hides in arithmetic, subscripts and tests; what is counted becomes a number."""
        if isinstance(node, list):
            for one in node:
                self.dig(one)
        elif isinstance(node, dict):
            kind = node.get("Type", "")
            if "Parts" in node:
                self.text(node)
            elif kind in ("ParamExp", "CmdSubst", "ProcSubst"):
                self._expand(node, quoted=True)
            else:
                if node.get("Op") in ASSIGNS.get(kind, ()):
                    self._counted(node.get("X"))
                for key in node:
                    if isinstance(node[key], dict | list) and key not in PLACES:
                        self.dig(node[key])

    def _counted(self, node: Node | None) -> None:
        name = literal(node)
        if name is not None:
            self.state.set(name, STAR)


def literal(node: Node | None) -> str | None:
    """The text of a word that is one bare part."""
    parts: list[Node] = (node or {}).get("Parts") or []
    if len(parts) == 1 and parts[0]["Type"] == "Lit":
        value: str = parts[0]["Value"]
        return value
    return None
