"""Where everything of a home lies: the one place that reads PLASTIC_HOME and joins its paths."""

from __future__ import annotations

import posix

from plastic.disk.paths import is_below, real
from plastic.rules.intent.names import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Place:
    """What a real path below the home is.

    `kind` is `home` (the root or a folder that holds stores), `store`, `entry` (a direct entry of
    a store that is no intent directory), `intent` (the directory itself or something in it), or
    `own` (any other file of the home). `intent` is the directory, `name` its `<id>--<slug>`,
    `rest` the path inside it ("" for itself).
    """

    __slots__ = ("intent", "kind", "name", "project", "rest")

    def __init__(
        self, kind: str, project: str | None = None, name: str = "", rest: str = ""
    ) -> None:
        self.kind = kind
        self.project = project
        self.name = name
        self.rest = rest
        self.intent = ""


class Home:
    """One home: `root` is the directory that PLASTIC_HOME names, real and absolute."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    @property
    def held(self) -> str:
        return f"{self.root}/held"

    @property
    def run(self) -> str:
        return f"{self.root}/run"

    @property
    def log(self) -> str:
        return f"{self.root}/log/events.jsonl"

    @property
    def projects_yml(self) -> str:
        return f"{self.root}/projects.yml"

    @property
    def config_yml(self) -> str:
        return f"{self.root}/config.yml"

    @property
    def guard(self) -> str:
        return f"{self.root}/.home.guard"

    def base(self, project: str | None) -> str:
        """The folder that holds a store and its INDEX.md; None is the global one."""
        return self.root if project is None else f"{self.root}/projects/{project}"

    def store(self, project: str | None) -> str:
        return f"{self.base(project)}/store"

    def index(self, project: str | None) -> str:
        return f"{self.base(project)}/INDEX.md"

    def locate(self, path: str) -> Place | None:
        """What a REAL absolute path is in this home; None outside of it."""
        if not is_below(path, self.root):
            return None
        parts = path[len(self.root) :].split("/")[1:]
        project = None
        if parts and parts[0] == "projects":
            if len(parts) < 2:
                return Place("home")
            project = parts[1]
            parts = parts[2:]
        if not parts:
            return Place("home", project)
        if parts[0] != "store":
            return Place("own", project, rest="/".join(parts))
        if len(parts) == 1:
            return Place("store", project)
        if split(parts[1]) is None:
            return Place("entry", project, parts[1])
        place = Place("intent", project, parts[1], "/".join(parts[2:]))
        place.intent = f"{self.store(project)}/{parts[1]}"
        return place


def home_from(env: Mapping[str, str]) -> Home:
    """The home of an environment: PLASTIC_HOME, else `.plastic` in HOME.

    Raises ValueError when neither names an absolute path: a home is never guessed from the cwd.
    """
    named = env.get("PLASTIC_HOME", "").strip()
    if named.startswith("~/"):
        named = env.get("HOME", "").rstrip("/") + named[1:]
    if not named:
        user = env.get("HOME", "").strip().rstrip("/")
        named = f"{user}/.plastic" if user else ""
    if not named.startswith("/") or "\0" in named:
        raise ValueError(f"PLASTIC_HOME is not an absolute path: {named!r}")
    return Home(real(named))


def environment() -> dict[str, str]:
    """The process environment without importing `os`, which costs the hook a millisecond."""
    return {
        key.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for key, value in posix.environ.items()
    }
