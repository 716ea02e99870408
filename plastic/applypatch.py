"""The text of `apply_patch`: which files it adds, changes, deletes and moves."""

from __future__ import annotations

_ADD, _DELETE, _UPDATE, _MOVE = (
    "*** Add File:",
    "*** Delete File:",
    "*** Update File:",
    "*** Move to:",
)


class Part:
    """One path of a patch: `op` is write or remove; `content` is the whole of a new file, `edits`
    are (old, new, all) replacements. Both empty = the result cannot be known beforehand.
    """

    __slots__ = ("content", "edits", "op", "path")

    def __init__(
        self, path: str, op: str, content: str | None, edits: list[tuple[str, str, bool]]
    ) -> None:
        self.path = path
        self.op = op
        self.content = content
        self.edits = edits


def changes(text: str) -> list[Part]:
    """Every path of the patch as it is written there, a moved one with both its places.

    What a file says afterwards is told where it is certain: a file that is added, and replacements
    that do not depend on an anchor. Lines that belong to nothing are passed over.
    """
    reader = _Reader()
    for line in text.split("\n"):
        reader.line(line.rstrip("\r"))
    reader.end()
    return reader.found


class _Reader:
    """Reads line by line; `state` is the kind of section that is open, "" for none."""

    def __init__(self) -> None:
        self.found: list[Part] = []
        self.state = ""
        self.path = ""
        self.target = ""
        self.added: list[str] = []
        self.edits: list[tuple[str, str, bool]] = []
        self.old: list[str] = []
        self.new: list[str] = []
        self.known = True

    def line(self, line: str) -> None:
        # Lines of a hunk begin with a blank; elsewhere blanks before a header count for nothing.
        head = line if self.state == _UPDATE else line.lstrip()
        if head.startswith("***"):
            self._header(head)
        elif self.state == _ADD and line.startswith("+"):
            self.added.append(line[1:])
        elif self.state == _UPDATE:
            self._body(line)

    def _header(self, head: str) -> None:
        for kind in (_ADD, _DELETE, _UPDATE):
            if head.startswith(kind):
                self.end()
                self.state = kind
                self.path = head[len(kind) :]
                return
        if head.startswith(_MOVE) and self.state == _UPDATE:
            self.target = head[len(_MOVE) :]
        elif head.startswith("*** End of File"):
            self._hunk()
        elif head.startswith("*** End Patch"):
            self.end()

    def _body(self, line: str) -> None:
        if line.startswith("@@"):
            self._hunk()
            # An anchor says which of several equal places is meant: not ours to find.
            self.known = self.known and not line[2:].strip()
        elif line[:1] in (" ", ""):
            self.old.append(line[1:])
            self.new.append(line[1:])
        elif line[0] == "-":
            self.old.append(line[1:])
        elif line[0] == "+":
            self.new.append(line[1:])
        else:
            self.known = False

    def _hunk(self) -> None:
        """Close the hunk: whole lines, so that no part of a longer line is taken for one."""
        while self.old and self.new and self.old[-1] == self.new[-1] == "":
            del self.old[-1], self.new[-1]  # blank lines between sections
        if self.old != self.new:
            self.known = self.known and bool(self.old)
            ends = "\n" if self.new else ""
            self.edits.append(("\n".join(self.old) + "\n", "\n".join(self.new) + ends, False))
        self.old, self.new = [], []

    def end(self) -> None:
        """Close the section."""
        if self.state == _UPDATE:
            self._hunk()
        content = "".join(f"{line}\n" for line in self.added) if self.state == _ADD else None
        for path in _names(self.path) if self.state else ():
            moved = self.state == _UPDATE and self.target
            op = "remove" if moved or self.state == _DELETE else "write"
            edits = self.edits if self.known and not moved and self.state == _UPDATE else []
            self.found.append(Part(path, op, content, list(edits)))
        for path in _names(self.target) if self.state == _UPDATE else ():
            self.found.append(Part(path, "write", None, []))
        self.state = self.path = self.target = ""
        self.added, self.edits, self.known = [], [], True


def _names(text: str) -> list[str]:
    """The path behind a header. One in quotes may be meant with or without them: both count."""
    path = text.strip()
    found = [path] if path else []
    if len(path) > 2 and path[0] == path[-1] and path[0] in "\"'":
        found.append(path[1:-1])
    return found
