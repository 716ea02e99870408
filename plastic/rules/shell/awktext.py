"""Reads an awk program for what it writes to and runs."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY

# Behind one of these a `/` begins a pattern.
_BEFORE_PATTERN = "({[,;!~&|=<>+-*%?:\n"


class Awk:
    """Reads an awk program for what it writes to and runs."""

    __slots__ = ("at", "found", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.tokens: list[tuple[str, str]] = []
        self.found: list[tuple[str, str]] = []

    def parts(self) -> list[tuple[str, str]]:
        """("w", file) and ("x", text), with a mark for what is not literal."""
        self._scan()
        printing = 0
        depth = 0
        for at, (kind, value) in enumerate(self.tokens):
            if kind == "name":
                if value in ("print", "printf"):
                    printing, depth = 1, 0
                elif value == "system":
                    self.found.append(("x", self._text(at + 2)))
                elif value == "getline" and self._is(at - 1, "|"):
                    self.found.append(("x", self._text(at - 2)))
            elif kind == "mark":
                depth += (value == "(") - (value == ")")
                if value in (";", "{", "}", "\n"):
                    printing = 0
                elif printing and depth <= 0 and value in (">", ">>"):
                    self.found.append(("w", self._text(at + 1)))
                elif printing and depth <= 0 and value == "|":
                    self.found.append(("x", self._text(at + 1)))
        return self.found

    def _is(self, at: int, mark: str) -> bool:
        return at >= 0 and self.tokens[at] == ("mark", mark)

    def _text(self, at: int) -> str:
        """A literal text; what is joined to it is not known."""
        if at < 0 or at >= len(self.tokens) or self.tokens[at][0] != "text":
            return ANY
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else ("mark", ";")
        return self.tokens[at][1] + ("" if after[0] == "mark" else ANY)

    def _scan(self) -> None:
        text = self.text
        while self.at < len(text):
            letter = text[self.at]
            start = self.at
            self.at += 1
            if letter == '"':
                self.tokens.append(("text", self._quoted('"')))
            elif letter == "#":
                self.at = end if (end := text.find("\n", start)) >= 0 else len(text)
            elif letter == "/" and self._begins_pattern():
                self._quoted("/")
                self.tokens.append(("pattern", ""))
            elif letter.isalnum() or letter in "_$":
                while self.at < len(text) and (text[self.at].isalnum() or text[self.at] == "_"):
                    self.at += 1
                self.tokens.append(("name", text[start : self.at]))
            elif letter == ">" and text[self.at : self.at + 1] in (">", "="):
                self.at += 1
                self.tokens.append(("mark", text[start : self.at]))
            elif letter in "|&" and text[self.at : self.at + 1] == letter:
                self.at += 1
                self.tokens.append(("mark", letter * 2))
            elif letter not in " \t\r":
                self.tokens.append(("mark", letter))

    def _begins_pattern(self) -> bool:
        return not self.tokens or (
            self.tokens[-1][0] == "mark" and self.tokens[-1][1][-1] in _BEFORE_PATTERN
        )

    def _quoted(self, mark: str) -> str:
        kept = []
        while self.at < len(self.text):
            letter = self.text[self.at]
            self.at += 1
            if letter == mark:
                break
            if letter == "\\":
                letter = self.text[self.at : self.at + 1]
                self.at += 1
            kept.append(letter)
        return "".join(kept)
