"""One row of the command table: how a command's words are told apart.

A row is a text: first the MODE, what its operands are (`modes.py`), then its options:

    -o,--output=ROLE   takes a value, which is ROLE: `write`, `into`, `cd`, `code` ... or nothing
    -i?ROLE            takes a value only when it is joined to it (`-i.bak`, `--in-place=.bak`)
    -n,--dry-run!MODE  makes the operands something else
    =verb!MODE         the same, when the first operand is this word
    @dash              long options begin with one dash (`-out FILE`)
    @first             options end at the first operand: what follows is another command
"""

from __future__ import annotations

from plastic.rules.shell.marks import ANY


class Row:
    """A row, taken apart."""

    __slots__ = ("dash", "first", "flags", "joined", "mode", "values")

    def __init__(self, text: str) -> None:
        self.mode, *rest = text.split()
        self.values: dict[str, str] = {}
        self.joined: dict[str, str] = {}
        self.flags: dict[str, str] = {}
        self.dash = "@dash" in rest
        self.first = "@first" in rest
        for token in rest:
            head, sign, tail = _cut(token)
            into = {"=": self.values, "?": self.joined, "!": self.flags}.get(sign)
            if into is not None:
                for name in head.split(","):
                    into[name] = tail


def _cut(token: str) -> tuple[str, str, str]:
    """Names, sign and what they mean; `=verb!MODE` begins with the sign of a verb."""
    for at in range(1, len(token)):
        if token[at] in "=?!":
            return token[:at], token[at], token[at + 1 :]
    return token, "", ""


class Seen:
    """The words of one call, told apart by a row: (role, value) pairs, operands, options."""

    __slots__ = ("asks", "mode", "operands", "options", "values")

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.asks = False
        self.operands: list[str] = []
        self.values: list[tuple[str, str]] = []
        self.options: list[str] = []

    def of(self, role: str) -> list[str]:
        """The values of this role."""
        return [value for one, value in self.values if one == role]

    def last(self, role: str) -> str | None:
        found = self.of(role)
        return found[-1] if found else None


class Reader:
    """Reads the words of a call by a row."""

    __slots__ = ("at", "first", "row", "seen", "words")

    def __init__(self, row: Row, words: list[str], *, first: bool = False) -> None:
        self.row = row
        self.first = first or row.first
        self.words = words
        self.at = 0
        self.seen = Seen(row.mode)

    def read(self) -> Seen:
        seen, words = self.seen, self.words
        while self.at < len(words):
            word = words[self.at]
            self.at += 1
            if word == "--":
                seen.operands += words[self.at :]
                break
            if len(word) < 2 or word[0] != "-":
                seen.operands.append(word)
                if self.first:
                    seen.operands += words[self.at :]
                    break
            elif word[1] == "-" or self.row.dash:
                self._long(word)
            else:
                self._short(word)
        if seen.operands and (mode := self.row.flags.get("=" + seen.operands[0])):
            self._mode(mode)
        return seen

    def _long(self, word: str) -> None:
        name, sign, value = word.partition("=")
        name = self._whole(name)
        self.seen.options.append(name)
        if name in self.row.flags:
            self._mode(self.row.flags[name])
        if name in self.row.values:
            self._value(self.row.values[name], value if sign else None)
        elif sign and name in self.row.joined:
            self.seen.values.append((self.row.joined[name], value))

    def _mode(self, mode: str) -> None:
        """An option that only asks outdoes all others, a later one an earlier one."""
        if not self.seen.asks:
            self.seen.mode = mode
            self.seen.asks = mode == "read"

    def _whole(self, name: str) -> str:
        """The option that an abbreviation means, when it means one."""
        row = self.row
        if name in row.values or name in row.flags or name in row.joined:
            return name
        every = [one for table in (row.values, row.flags, row.joined) for one in table]
        found = [one for one in every if one.startswith(name)] if len(name) > 3 else []
        return found[0] if len(found) == 1 else name

    def _short(self, word: str) -> None:
        """Letters in one word; the first that takes a value takes the rest.

        What an option that is not known takes (`-I/usr/lib`) is not read as letters.
        """
        row = self.row
        letters = word[1:].isalnum()
        for at in range(1, len(word)):
            name = "-" + word[at]
            if at > 1 and not word[at].isalnum():
                return
            self.seen.options.append(name)
            if name in row.flags and (letters or at == 1):
                self._mode(row.flags[name])
            if name in row.values:
                self._value(row.values[name], word[at + 1 :] or None)
                return
            if name in row.joined:
                if word[at + 1 :]:
                    self.seen.values.append((row.joined[name], word[at + 1 :]))
                return

    def _value(self, role: str, value: str | None) -> None:
        if value is None:
            value = self.words[self.at] if self.at < len(self.words) else ""
            self.at += 1
        self.seen.values.append((role, value))


def unknown_word(word: str) -> bool:
    """Whether nothing is known of a word, not even whether it is one."""
    return word.strip(ANY) == ""
