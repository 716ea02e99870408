"""The tree of a flat text, without a parser: simple commands in lists and pipes, plain variables.

Most of what agents run is that flat. The tree is the one that shfmt makes, without its places in
the text; a text with anything else in it has none here.
"""

from __future__ import annotations

from plastic.rules.shell.flatwords import LETTERS, QUOTED, Odd, assignment, parts_of, unquoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = dict[str, Any]

# Who judges reads no longer text.
_LONGEST = 16 * 1024
# What may stand outside of quotes: none of it begins or ends a construct inside a word.
_PLAIN = str.maketrans(dict.fromkeys(LETTERS + "_-./:,@%+=~^*?!{}$ \t\n;|&<>" + QUOTED))
# These do where a command begins.
_WORDS = frozenset(
    "case coproc declare do done elif else esac eval export fi for function if let local "
    "nameref readonly select then time typeset until while".split()
)
# In such a word: a variable is set, a group begins, or the end of the command is turned round.
_OPENS = frozenset("={}!")
# Operators, longer ones before those that they begin with; what follows one is seen to later.
_OPS = ("&&", "||", "&>>", "&>", ">>", ">|", ">&", ";", "|", "<", ">")
_LISTS = ("&&", "||")
_MARKS = frozenset(";|&<>")


def tree(text: str) -> Node | None:
    """The syntax tree of a flat text, None when it is not flat."""
    if _last[0] != text:
        _last[:] = text, _tree(text)
    return _last[1]  # type: ignore[return-value]


# The hook asks, and then the gate.
_last: list[object] = ["", {"Type": "File"}]


def _tree(text: str) -> Node | None:
    if len(text) > _LONGEST:
        return None
    try:
        flat, quoted = unquoted(text)
        if flat.translate(_PLAIN):
            return None
        found = _Parser(flat, quoted).all()
    except Odd:
        return None
    made: Node = {"Type": "File", "End": {"Offset": len(text)}}
    return {**made, "Stmts": found} if found else made


class _Parser:
    """Reads tokens: operators as they are, words as lists of their parts."""

    __slots__ = ("at", "quoted", "tokens")

    def __init__(self, flat: str, quoted: list[Node]) -> None:
        self.quoted = iter(quoted)
        self.tokens: list[str | Node] = []
        self.at = 0
        for line in flat.split("\n"):
            for piece in line.split():
                if _MARKS.isdisjoint(piece):
                    self.tokens.append(self._word(piece))
                else:
                    self._cut(piece)
            self.tokens.append("\n")

    def _word(self, piece: str) -> Node:
        if QUOTED not in piece and "$" not in piece:
            return {"Parts": [{"Type": "Lit", "Value": piece}]}
        first, *rest = piece.split(QUOTED)
        parts = parts_of(first)
        for one in rest:
            parts += (next(self.quoted), *parts_of(one))
        return {"Parts": parts}

    def _cut(self, piece: str) -> None:
        """A piece without blanks that has operators in it."""
        at = start = 0
        while at < len(piece):
            if piece[at] not in _MARKS:
                at += 1
                continue
            op = next((one for one in _OPS if piece.startswith(one, at)), "")
            word = piece[start:at]
            if not op or "}" in word or piece[at + len(op) : at + len(op) + 1] in _MARKS:
                raise Odd
            if word.isdigit() and op[0] in "<>":
                self.tokens.append(word)  # a descriptor
            elif word:
                self.tokens.append(self._word(word))
            self.tokens.append(op)
            at = start = at + len(op)
        if start < at:
            self.tokens.append(self._word(piece[start:]))

    def _next(self) -> str | Node:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _is(self, *marks: str) -> bool:
        found = self._next()
        return isinstance(found, str) and found in marks

    def _lines(self) -> None:
        while self._is("\n"):
            self.at += 1

    def all(self) -> list[Node]:
        """Every statement."""
        found = []
        self._lines()
        while self.at < len(self.tokens):
            found.append(self._list())
            if not self._is(";", "\n"):
                raise Odd
            self.at += 1
            self._lines()
        return found

    def _list(self) -> Node:
        """Pipes with `&&` and `||` between them."""
        left = self._pipe()
        while self._is(*_LISTS):
            left = self._binary(left, self._pipe)
        return left

    def _pipe(self) -> Node:
        left = self._simple()
        while self._is("|"):
            left = self._binary(left, self._simple)
        return left

    def _binary(self, left: Node, right: Any) -> Node:
        op = self._next()
        self.at += 1
        self._lines()
        return {"Cmd": {"Type": "BinaryCmd", "Op": op, "X": left, "Y": right()}}

    def _simple(self) -> Node:
        """One command: its variables, its words and its redirections."""
        sets: list[Node] = []
        args: list[Node] = []
        redirs: list[Node] = []
        while True:
            token = self._next()
            if isinstance(token, dict):
                one = None if args or redirs else assignment(token)
                if one is None:
                    args.append(token)
                else:
                    sets.append(one)
            elif token.isdigit() or token[:1] in (">", "<") or token[:2] == "&>":
                redirs.append(self._redirection(token))
            else:
                break
            self.at += 1
        if (args and _begins(args[0])) or not (args or sets):
            raise Odd
        call: Node = {"Type": "CallExpr"}
        if sets:
            call["Assigns"] = sets
        if args:
            call["Args"] = args
        stmt: Node = {"Cmd": call}
        if redirs:
            stmt["Redirs"] = redirs
        return stmt

    def _redirection(self, token: str) -> Node:
        found: Node = {}
        if token.isdigit():
            found["N"] = {"Value": token}
            self.at += 1
            token = str(self._next())
        self.at += 1
        word = self._next()
        if not isinstance(word, dict):
            raise Odd
        return {"Op": token, **found, "Word": word}


def _begins(word: Node) -> bool:
    """Whether a command that begins with this word is no simple one, or begins with a variable."""
    first = word["Parts"][0]
    if first["Type"] != "Lit":
        return False
    value: str = first["Value"]
    return value in _WORDS or not _OPENS.isdisjoint(value)
