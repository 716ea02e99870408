"""Links that the text itself makes, copies and moves: where a write at their place really lands."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, marked, matches
from plastic.rules.shell.paths import absolute, base_name, ours, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A place that became a link ("" = a copy), what the link says, and what it is a copy of.
Made = tuple[str, str, str]

# Links of links of ...: a system gives up, too.
_MOST = 40


class Links:
    """`read` looks at the disk: what a link there says, "" when none is there.

    Links that are on the disk already are no matter of ours: who judges a path follows them.
    """

    __slots__ = ("_read", "made")

    def __init__(self, read: Callable[[str], str] | None, made: tuple[Made, ...] = ()) -> None:
        self._read = read
        self.made = made

    def point(self, place: str | None, says: str) -> None:
        """A link is made here; one to itself leaves what was there."""
        if place is not None and says and absolute(says, parent(place)) != place:
            self._add((place, says, ""))

    def copied(self, place: str | None, source: str | None) -> None:
        """The source is here now too; if it is a link, as a link."""
        if place is not None and source is not None and place != source and self._read is not None:
            self._add((place, "", source))

    def _add(self, made: Made) -> None:
        if made not in self.made[-1:] and len(self.made) < _MOST:
            self.made += (made,)

    def says(self, path: str) -> str:
        """What a link at this path says, "" when it is none."""
        places = [path]
        for place, says, source in reversed(self.made):
            for one in places:
                if says and _is(place, one):
                    return says
            if source and len(places) < _MOST:
                places += [found for one in places for found in _moved(one, place, source)]
        read = self._read
        return "" if read is None else next((one for one in map(read, places) if one), "")

    def through(self, path: str, op: str = "write") -> list[str | None]:
        """What else a write of this path reaches by those links; None = nobody can tell where."""
        found: list[str | None] = []
        todo = [path] if self.made else []
        while todo and len(found) < _MOST:
            for one in self._next(todo.pop(), op):
                if one not in found and one != path:
                    found.append(one)
                    todo += [one] if one is not None else []
        return found

    def _next(self, path: str, op: str) -> Iterator[str | None]:
        parts = path.split("/")
        for at in range(2, len(parts) + (op == "write")):
            head = "/".join(parts[:at])
            says = self.says(head)  # of the disk, too: behind it lies a place that was made
            if says:
                yield _joined(absolute(says, parent(head)), parts[at:])

    def walked(self, path: str, cwd: str | None) -> str:
        """The path without those `..` that leave the place a link leads to, not the link's own."""
        if self._read is None or ("/.." not in path and path[:2] != ".."):
            return path
        if path[:1] != "/":
            if cwd is None or path[:1] == ANY:
                return path
            path = f"{cwd}/{path}"
        path = ours(path, cwd)
        kept = ""
        for part in path.split("/"):
            if part == "..":
                kept = self._end(kept).rpartition("/")[0]
            elif part not in ("", "."):
                kept += "/" + part
        return kept or "/"

    def end(self, path: str | None) -> str | None:
        """Where a directory lies when every link on the way has been followed."""
        if path is None or self._read is None:
            return path
        kept = ""
        for part in path.split("/")[1:]:
            kept = self._end(f"{kept.rstrip('/')}/{part}")
        return kept

    def _end(self, path: str) -> str:
        """Where a path leads if it is a link."""
        for _ in range(_MOST):
            says = "" if marked(path) else self.says(path)
            full = absolute(says, parent(path)) if says else None
            if full is None:
                return path
            path = full
        return path


def _is(place: str, path: str) -> bool:
    """Whether the path may be this place; either may be a pattern."""
    return place == path or (matches(path, place) if marked(path) else matches(place, path))


def _moved(path: str, place: str, source: str) -> list[str]:
    """What a path at or below a copy was in its source."""
    parts, depth = path.split("/"), place.count("/") + 1
    head = "/".join(parts[:depth])
    if len(parts) < depth or not _is(place, head) or marked(head):
        return []
    if source.endswith("/") and len(parts) == depth:
        return []  # what lies in it is here, not the link itself
    if marked(source):
        if base_name(source) != base_name(place) or marked(parent(source)):
            return []
        source = f"{parent(source).rstrip('/')}/{parts[depth - 1]}"
    return ["/".join([source.rstrip("/"), *parts[depth:]])]


def _joined(full: str | None, rest: list[str]) -> str | None:
    return None if full is None else "/".join([full.rstrip("/"), *rest])
