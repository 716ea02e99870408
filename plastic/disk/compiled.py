"""The configuration as hooks read it: one JSON file, compiled from the two YAML files.

The stamps of both YAML files stand in it. When one differs, the compiler runs once as a child
process that may load what a hook may not, and the hook goes on with its result. A file that does
not pass leaves the last good values in force; without any, the defaults hold: all gates enforce.
"""

from __future__ import annotations

import posix
import sys
import time

from plastic.disk.files import lstat, make_dirs, read, replace
from plastic.disk.gitdir import common_of
from plastic.quickjson import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.disk.home import Home

FORMAT = 1
TTL = 1800  # seconds; a test compares all defaults with the table in rules/config/keys.py
QUARANTINE = 300  # seconds
PATIENCE = 2.0  # seconds that a hook waits for the compiler
GATES = ("stage", "worktree", "links", "create", "shell")
# Isolated from the cwd and from PYTHON* variables, as the hook itself is, but with site-packages.
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from plastic.work.house.compile import main; sys.exit(main(sys.argv[2]))"
)


class Project:
    """What the gates know of one registered repository; `common` is "" where there is none."""

    __slots__ = ("common", "gates", "path", "require_intent", "slug")

    def __init__(
        self, slug: str, path: str, common: str, gates: dict[str, str], *, require_intent: bool
    ) -> None:
        self.slug = slug
        self.path = path
        self.common = common
        self.gates = gates
        self.require_intent = require_intent


class Config:
    """The configuration in force.

    `observe` is the end of the observation in seconds since the epoch, 0 without one. `errors` are
    lines for people; `stale` says that a file changed and the values are those from before.
    """

    __slots__ = ("errors", "observe", "projects", "quarantine", "stale", "ttl")

    def __init__(self) -> None:
        self.ttl: float = TTL
        self.quarantine: float = QUARANTINE
        self.observe: float = 0
        self.projects: dict[str, Project] = {}
        self.errors: list[str] = []
        self.stale = False

    def mode(self, slug: str | None, gate: str, now: float) -> str:
        """enforce, advise or off: how strict a gate with a switch is in a project at a time."""
        project = self.projects.get(slug) if slug is not None else None
        mode = project.gates.get(gate, "enforce") if project is not None else "enforce"
        return "advise" if mode == "enforce" and now < self.observe else mode


def path_of(home: Home) -> str:
    """Where the compiled configuration lies."""
    return f"{home.run}/config.json"


def stamps(home: Home) -> list[list[int] | None]:
    """Size, mtime and inode of projects.yml and config.yml; None for an absent file."""
    out: list[list[int] | None] = []
    for path in (home.projects_yml, home.config_yml):
        seen = lstat(path)
        out.append(None if seen is None else [seen.st_size, seen.st_mtime_ns, seen.st_ino])
    return out


def cached(home: Home) -> dict[str, Any] | None:
    """The compiled file as it is, current or not; None when it is absent or not ours."""
    try:
        data = read(path_of(home))
        raw = None if data is None else loads(data)
    except (OSError, ValueError):
        return None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        return None
    return raw


def load(home: Home) -> Config:
    """The configuration in force; never raises."""
    try:
        return _load(home)
    except OSError as error:
        config = Config()
        config.errors.append(f"{home.root}: the configuration cannot be read ({error.strerror})")
        config.stale = True
        return config


def _load(home: Home) -> Config:
    now = stamps(home)
    raw = cached(home)
    config = _built(raw)
    if config is not None and raw is not None and raw.get("stamps") == now:
        return config
    if now == [None, None]:
        return Config()
    trouble = _compile(home)
    fresh = cached(home)
    built = _built(fresh)
    if built is not None and fresh is not None and fresh.get("stamps") == stamps(home):
        return built
    config = config or Config()
    config.stale = True
    config.errors.append(f"{home.projects_yml}: the configuration was not compiled ({trouble})")
    if trouble != _LATE:
        _remember(home, raw or {"format": FORMAT}, now, config.errors)
    return config


_LATE = "the compiler needs too long"


def _remember(
    home: Home, raw: dict[str, Any], now: list[list[int] | None], errors: list[str]
) -> None:
    """Keep a failed compilation from being tried again by every event until a file changes."""
    try:
        replace(
            path_of(home), dumps({**raw, "stamps": now, "errors": errors, "stale": True}).encode()
        )
    except OSError:
        pass


def _built(raw: dict[str, Any] | None) -> Config | None:
    """A Config of a compiled file; None when anything in it is not as the compiler writes it."""
    if raw is None:
        return None
    config = Config()
    try:
        config.ttl = float(raw.get("ttl", TTL))
        config.quarantine = float(raw.get("quarantine", QUARANTINE))
        config.observe = float(raw.get("observe", 0))
        config.stale = raw.get("stale") is True
        config.errors = [str(one) for one in raw.get("errors", ())]
        for slug, own in raw.get("projects", {}).items():
            config.projects[slug] = Project(
                slug,
                own["path"],
                # A repository that was cloned after the compilation.
                own["common"] or common_of(own["path"]) or "",
                dict(own["gates"]),
                require_intent=own["require_intent"] is True,
            )
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return None
    return config


def _compile(home: Home) -> str:
    """Run the compiler once; how it failed, "" when it says that it did not."""
    try:
        make_dirs(home.run)
        if not posix.access(home.run, posix.W_OK):
            return "run/ is not writable"
        package = __file__.rpartition("/plastic/")[0]
        argv = [sys.executable, "-E", "-P", "-c", _CODE, package, home.root]
        quiet = [
            (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
            (posix.POSIX_SPAWN_OPEN, 1, "/dev/null", posix.O_WRONLY, 0),
            (posix.POSIX_SPAWN_OPEN, 2, "/dev/null", posix.O_WRONLY, 0),
        ]
        child = posix.posix_spawn(sys.executable, argv, posix.environ, file_actions=quiet)
    except OSError as error:
        return str(error.strerror)
    return _wait(child)


def _wait(child: int) -> str:
    end = time.monotonic() + PATIENCE
    pause = 0.004
    while time.monotonic() < end:
        try:
            done, status = posix.waitpid(child, posix.WNOHANG)
        except OSError as error:
            if isinstance(error, ChildProcessError):
                return ""  # SIGCHLD is ignored here: the kernel has reaped it
            return str(error.strerror)
        if done:
            return "" if status == 0 else f"the compiler ended with status {status}"
        time.sleep(pause)
    try:
        posix.kill(child, 9)
        posix.waitpid(child, 0)
    except OSError:
        pass
    return _LATE
