"""Reads a sed program for the commands that write or run."""

from __future__ import annotations


class Sed:
    """Reads a sed program for the commands that write or run."""

    __slots__ = ("at", "found", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: list[tuple[str, str]] = []

    def parts(self) -> list[tuple[str, str]]:
        """("w", file) and ("e", "") for each command that writes or runs."""
        while self.at < len(self.text):
            self._command()
        return self.found

    def _command(self) -> None:
        letter = self.text[self.at]
        self.at += 1
        if letter == "/":
            self._section("/")
        elif letter == "\\":
            mark = self._take()
            self._section(mark)
        elif letter in "sy":
            mark = self._take()
            self._section(mark)
            self._section(mark)
            self._flags()
        elif letter in "wW":
            self.found.append(("w", self._line().strip()))
        elif letter == "e":
            self._line()
            self.found.append(("e", ""))
        elif letter in "rRaic#":
            self._line(joined=letter in "aic")
        elif letter in "btT:":
            self._until(";\n}")

    def _take(self) -> str:
        mark = self.text[self.at : self.at + 1]
        self.at += 1
        return mark

    def _section(self, mark: str) -> None:
        """Past the next unescaped mark; in brackets it is a character."""
        while self.at < len(self.text):
            letter = self._take()
            if letter == "\\":
                self.at += 1
            elif letter == mark:
                return
            elif letter == "[":
                end = self.text.find("]", self.at + 1)
                if end > 0 and mark in self.text[self.at : end]:
                    self.at = end + 1

    def _flags(self) -> None:
        while self.at < len(self.text):
            letter = self._take()
            if letter == "w":
                self.found.append(("w", self._line().strip()))
                return
            if letter == "e":
                self.found.append(("e", ""))
            elif letter in ";\n} ":
                return

    def _line(self, *, joined: bool = False) -> str:
        start = self.at
        end = self.text.find("\n", start)
        while joined and end > 0 and self.text[end - 1] == "\\":
            end = self.text.find("\n", end + 1)
        self.at = len(self.text) if end < 0 else end + 1
        return self.text[start : self.at].rstrip("\n")

    def _until(self, marks: str) -> None:
        while self.at < len(self.text) and self.text[self.at] not in marks:
            self.at += 1
