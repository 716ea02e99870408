"""Whether a `cd` can succeed: what was looked at, and what the text itself has made since."""

from __future__ import annotations

from plastic.rules.shell.marks import ONE, STAR, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.answer import Analysis


class Folders:
    """`is_dir` looks at the disk (None = nothing is there); without it every directory is there."""

    __slots__ = ("_is_dir", "_known", "_looked", "_out", "made")

    def __init__(self, out: Analysis, is_dir: Callable[[str], bool | None] | None) -> None:
        self._out = out
        self._is_dir = is_dir
        self._looked: dict[str, bool | None] = {}
        self.made: set[int] = set()  # which of the writes are directories
        # Path -> whether it is there, and how many of the writes that takes into account.
        self._known: dict[str, tuple[bool, int]] = {}

    def has(self, path: str | None) -> bool:
        """Whether this is a directory for certain; of a path that is not known nothing is said."""
        if self._is_dir is None or path is None or marked(path):
            return True
        found, at = self._known.get(path) or (bool(self._look(path)), 0)
        writes = self._out.writes
        for one in writes[at:]:
            if one.op == "remove":
                found = found and not one.hits(path)
            elif not found:
                found = one.meets(path)
        self._known[path] = found, len(writes)
        return found

    def surely(self, path: str | None) -> bool:
        """As `has`, of a place that might as well have become a file."""
        if self._is_dir is None or path is None:
            return True
        found = bool(self._look(path))
        for at, one in enumerate(self._out.writes):
            if one.op == "remove":
                found = found and not one.hits(path)
            elif at in self.made:
                found = found or one.meets(path)
        return found

    def can_be_made(self, path: str | None) -> bool:
        """Whether `mkdir -p` succeeds: no file stands there or above, as far as can be known."""
        if self._is_dir is None or path is None:
            return True
        if marked(path):  # a glob names what is there already, files too
            return STAR not in path and ONE not in path
        parts = path.split("/")
        above = ["/".join(parts[:at]) for at in range(2, len(parts) + 1)]
        if False in map(self._look, above):
            return False
        files = [one for at, one in enumerate(self._out.writes) if at not in self.made]
        return not any(one.op != "remove" and one.hits(path) for one in files)

    def _look(self, path: str) -> bool | None:
        """What stands on the disk there, looked at once."""
        if path not in self._looked and self._is_dir is not None:
            self._looked[path] = self._is_dir(path)
        return self._looked.get(path)
