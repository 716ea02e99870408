"""The tree of a flat text, without a parser: simple commands in lists and pipes, plainly quoted.

Most of what agents run is that flat. The tree is the one that shfmt makes, without its places in
the text; a text with anything else in it has none here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = dict[str, Any]

# Who judges reads no longer text.
_LONGEST = 16 * 1024
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# Stands for a part in quotes.
_QUOTED = "\x01"
# What may stand outside of quotes: none of it begins or ends a construct inside a word.
_PLAIN = str.maketrans(dict.fromkeys(_LETTERS + "_-./:,@%+=~^*?!{} \t\n;|&<>" + _QUOTED))
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


class Odd(Exception):
    """The text is not flat."""


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
        flat, quoted = _unquoted(text)
        if flat.translate(_PLAIN):
            return None
        found = _Parser(flat, quoted).all()
    except Odd:
        return None
    made: Node = {"Type": "File", "End": {"Offset": len(text)}}
    return {**made, "Stmts": found} if found else made


def _unquoted(text: str) -> tuple[str, list[Node]]:
    """The text with a mark for each part in quotes, and these parts."""
    if _QUOTED in text or not text.translate(_BLANKS).isprintable():
        raise Odd
    flat: list[str] = []
    quoted: list[Node] = []
    at = 0
    single, double = text.find("'"), text.find('"')
    while single >= 0 or double >= 0:
        start = single if 0 <= single < double or double < 0 else double
        end = text.find(text[start], start + 1)
        if end < 0:
            raise Odd
        flat.append(text[at:start])
        quoted.append(_part(text[start], text[start + 1 : end]))
        at = end + 1
        single = text.find("'", at) if single < at else single
        double = text.find('"', at) if double < at else double
    flat.append(text[at:])
    return _QUOTED.join(flat), quoted


_BLANKS = {ord("\t"): " ", ord("\n"): " "}


def _part(mark: str, value: str) -> Node:
    if mark == "'":
        return {"Type": "SglQuoted", "Value": value} if value else {"Type": "SglQuoted"}
    if "$" in value or "`" in value or "\\" in value:
        raise Odd
    if not value:
        return {"Type": "DblQuoted"}
    return {"Type": "DblQuoted", "Parts": [{"Type": "Lit", "Value": value}]}


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
        if _QUOTED not in piece:
            return {"Parts": [{"Type": "Lit", "Value": piece}]}
        parts: list[Node] = []
        first, *rest = piece.split(_QUOTED)
        if first:
            parts.append({"Type": "Lit", "Value": first})
        for one in rest:
            parts.append(next(self.quoted))
            if one:
                parts.append({"Type": "Lit", "Value": one})
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
        """One command: its words and its redirections."""
        args: list[Node] = []
        redirs: list[Node] = []
        while True:
            token = self._next()
            if isinstance(token, dict):
                args.append(token)
            elif token.isdigit() or token[:1] in (">", "<") or token[:2] == "&>":
                redirs.append(self._redirection(token))
            else:
                break
            self.at += 1
        if not args or _begins(args[0]):
            raise Odd
        stmt: Node = {"Cmd": {"Type": "CallExpr", "Args": args}}
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
