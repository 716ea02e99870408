"""What the analysis of a shell command answers: writes, further texts, and what it cannot see."""

from __future__ import annotations

from plastic.rules.shell.marks import literal_part, marked, matches, matches_below, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.links import Made

# How far a write reaches. "" is the path itself; `below` the path and anything below it;
# `checkout` any tracked file of the git checkout that contains the path (not the worktrees that
# happen to lie inside it: they are checkouts of their own); `git` that checkout's index, HEAD and
# branches; `branch` the branch whose name ends the path, in the repository that contains the rest;
# `shared` what all worktrees of that repository have in common: objects, remote branches, config.
REACHES = ("", "below", "checkout", "git", "branch", "shared")


class Write:
    """One path that the command writes or removes.

    `path` is absolute and normal. It may hold marks of `marks.py` where a glob or an unknown value
    stands; `exact` = it holds none and reaches no further than itself. A removal takes along what
    is below, whatever `reach` says.
    """

    __slots__ = ("op", "path", "reach")

    def __init__(self, path: str, op: str = "write", reach: str = "") -> None:
        self.path = path
        self.op = op
        self.reach = reach

    @property
    def exact(self) -> bool:
        return not self.reach and not marked(self.path)

    @property
    def shown(self) -> str:
        """The path as a person would write it."""
        return shown(self.path)

    @property
    def base(self) -> str:
        """The path, or the deepest directory of a pattern that is certain."""
        return literal_part(self.path)

    def hits(self, path: str) -> bool:
        """Whether this absolute path may be written; reaches of git are the caller's to judge."""
        if matches(self.path, path):
            return True
        if self.reach == "below" or self.op == "remove":
            return matches(self.path.rstrip("/") + "/\ue000", path)
        return False

    def meets(self, directory: str) -> bool:
        """Whether the directory or something below it may be written."""
        return self.hits(directory) or matches_below(self.path, directory)

    def __repr__(self) -> str:
        return f"Write({self.shown!r}, {self.op!r}, {self.reach!r})"


class Text:
    """A text of shell that the command runs: to be parsed next, in this place.

    `cwd` None = unknown. Variables named "0", "1", ... are positional parameters. `links` are those
    that have been made before it runs.
    """

    __slots__ = ("command", "cwd", "links", "variables")

    def __init__(
        self,
        command: str,
        cwd: str | None,
        variables: dict[str, str],
        links: tuple[Made, ...] = (),
    ) -> None:
        self.command = command
        self.cwd = cwd
        self.variables = variables
        self.links = links

    def same(self, other: Text) -> bool:
        return (
            self.command == other.command
            and self.cwd == other.cwd
            and self.variables == other.variables
            and self.links == other.links
        )

    def __repr__(self) -> str:
        return f"Text({self.command!r}, {self.cwd!r})"


class Analysis:
    """The answer for one text.

    `writes` are certain as far as the text goes. `opaque` are reasons why more may be written than
    `writes` and `texts` say; `mentions` are then the paths that what is not seen could be about:
    absolute where that is known, `*` for an unknown part. `cut` says why the walk came to no end:
    then words are missing, too. `links` are those that have been made.
    """

    __slots__ = ("cut", "links", "mentions", "opaque", "texts", "writes")

    def __init__(self) -> None:
        self.writes: list[Write] = []
        self.texts: list[Text] = []
        self.opaque: list[str] = []
        self.mentions: list[str] = []
        self.cut = ""
        self.links: tuple[Made, ...] = ()

    def __repr__(self) -> str:
        return f"Analysis({self.writes}, {self.texts}, {self.opaque}, {self.mentions})"
