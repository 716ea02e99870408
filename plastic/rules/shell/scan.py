"""Takes a program of another language apart, enough to find the calls that write."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY

# A longer program is not read.
LONGEST = 65536


class Token:
    """A dotted `name`, a `text` (its value, with a mark where it is computed), or a `mark`."""

    __slots__ = ("kind", "value")

    def __init__(self, kind: str, value: str) -> None:
        self.kind = kind
        self.value = value

    def is_mark(self, value: str) -> bool:
        return self.kind == "mark" and self.value == value


class Scanner:
    """One pass over a program."""

    __slots__ = ("at", "language", "text", "tokens")

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = language
        self.at = 0
        self.tokens: list[Token] = []

    def scan(self) -> list[Token]:
        text = self.text
        while self.at < len(text):
            letter = text[self.at]
            if letter.isalnum() or letter in "_$@":
                self._name()
            elif letter in "'\"`":
                self._quoted("")
            elif self._comment(letter):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            else:
                self.at += 1
                if letter not in " \t\r":
                    self.tokens.append(Token("mark", letter))
        return self.tokens

    def _comment(self, letter: str) -> bool:
        if self.language == "node":
            return self.text.startswith("//", self.at)
        return letter == "#"

    def _name(self) -> None:
        start = self.at
        text = self.text
        while self.at < len(text) and (text[self.at].isalnum() or text[self.at] in "_.:$@!?"):
            # `a::b` is one name, `a:b` and `a?b` are not.
            lone = text[self.at] in ":!?" and text[self.at : self.at + 2] != "::"
            if lone and (self.at == start or text[self.at - 1] != ":"):
                break
            self.at += 1
        name = text[start : self.at].rstrip(".")
        self.at = start + len(name) or self.at + 1
        if self.at < len(text) and text[self.at] in "'\"" and name.lower() in _PREFIXES:
            self._quoted(name.lower())
        else:
            self.tokens.append(Token("name", name.replace("::", ".")))

    def _quoted(self, prefix: str) -> None:
        text = self.text
        mark = text[self.at]
        if text.startswith(mark * 3, self.at) and self.language == "python":
            mark *= 3
        self.at += len(mark)
        kept = []
        while self.at < len(text) and not text.startswith(mark, self.at):
            letter = text[self.at]
            if letter == "\\" and "r" not in prefix:
                self.at += 1
                letter = _ESCAPES.get(text[self.at : self.at + 1], text[self.at : self.at + 1])
            kept.append(letter)
            self.at += 1
        self.at += len(mark)
        value = "".join(kept)
        computed = self._computed(mark, prefix, value)
        kind = "run" if mark == "`" and self.language in ("perl", "ruby") else "text"
        self.tokens.append(Token(kind, _literal_start(value) + ANY if computed else value))

    def _computed(self, mark: str, prefix: str, value: str) -> bool:
        if self.language == "python":
            return "f" in prefix and "{" in value
        if self.language == "node":
            return mark == "`" and "${" in value
        if self.language == "ruby":
            return mark != "'" and "#{" in value
        return mark != "'" and any(
            value[at] in "$@" and (value[at + 1].isalpha() or value[at + 1] in "_{")
            for at in range(len(value) - 1)
        )


_PREFIXES = ("r", "b", "f", "u", "rb", "br", "fr", "rf")
_ESCAPES = {"n": "\n", "t": "\t"}


def _literal_start(value: str) -> str:
    """What stands before the first part that is computed."""
    places = [value.find(mark) for mark in ("{", "$", "#{", "@") if mark in value]
    return value[: min(places)] if places else ""


def calls(tokens: list[Token]) -> list[tuple[int, str, list[list[Token]]]]:
    """Every call: where its name stands, the name, and its arguments."""
    found = []
    for at, token in enumerate(tokens):
        if token.kind == "name":
            after = at + 1
            if after < len(tokens) and tokens[after].is_mark("("):
                found.append((at, token.value, arguments(tokens, after + 1)))
            elif after < len(tokens) and tokens[after].kind in ("text", "name"):
                found.append((at, token.value, arguments(tokens, after)))
    return found


# An argument list is not followed further than this.
_MOST_TOKENS = 200


def arguments(tokens: list[Token], at: int) -> list[list[Token]]:
    """The arguments from here on, to the bracket that closes them or the end of the line."""
    made: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[at : at + _MOST_TOKENS]:
        if token.kind == "mark":
            if token.value in "([{":
                depth += 1
            elif token.value in ")]}":
                depth -= 1
                if depth < 0:
                    break
            elif depth == 0 and token.value in ";\n":
                break
            elif depth == 0 and token.value == ",":
                made.append([])
                continue
        made[-1].append(token)
    return [one for one in made if one]
