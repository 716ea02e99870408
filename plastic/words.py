"""The values that cross every border of the package, and the errors a caller may meet."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Exit codes of every command except `plastic pen` (references/commands.md).
EXIT_OK = 0
EXIT_REFUSED = 1
EXIT_USAGE = 2
EXIT_HELD = 3
EXIT_STALE = 4
EXIT_BROKEN = 5
EXIT_MISSING = 6


class Refusal(Exception):
    """A reason to stop: what is wrong, who and since when, and ONE command that resolves it.

    `code` is a stable lower-case word with hyphens, `run` a command that works when pasted,
    `facts` further keys for `--json`.
    """

    exit = EXIT_REFUSED

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        run: str = "",
        who: str | None = None,
        since: str | None = None,
        facts: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.run = run
        self.who = who
        self.since = since
        self.facts = facts or {}


class Refused(Refusal):
    """Refused by state or right."""


class Usage(Refusal):
    """The arguments are wrong."""

    exit = EXIT_USAGE


class Held(Refusal):
    """A fresh foreign lock or claim is the reason."""

    exit = EXIT_HELD


class Stale(Refusal):
    """Only `plastic-lock reclaim` or `fix` helps: stale, corrupt, or a quarantine is running."""

    exit = EXIT_STALE


class Lost(Refusal):
    """The caller's token or acquisition is no longer the current one."""

    exit = EXIT_STALE


class Broken(Refusal):
    """The environment failed (git, disk, database, guard); the same command goes on from there."""

    exit = EXIT_BROKEN


class Missing(Refusal):
    """What was named does not exist."""

    exit = EXIT_MISSING


class Intent:
    """Where one intent lives: `dir` is absolute, `project` is None for the global store."""

    __slots__ = ("dir", "id", "project", "slug")

    def __init__(self, id: str, slug: str, dir: str, project: str | None) -> None:
        self.id = id
        self.slug = slug
        self.dir = dir
        self.project = project

    @property
    def name(self) -> str:
        """The directory's and the worktree's name, `<id>--<slug>`."""
        return f"{self.id}--{self.slug}"

    @property
    def file(self) -> str:
        """The intent file, absolute."""
        return f"{self.dir}/{self.name}.md"


class Lock:
    """The content of one delivery.lock; `raw` keeps every key of the file, known or not.

    Only `owner`, `delegates`, `token`, `acq` and `ttl` decide anything. A legacy lock reads as
    token 0, acq "", ttl 1800 (seconds).
    """

    __slots__ = ("acq", "delegates", "owner", "raw", "token", "ttl")

    def __init__(
        self,
        owner: str,
        delegates: list[str],
        token: int,
        acq: str,
        ttl: float,
        raw: dict[str, Any],
    ) -> None:
        self.owner = owner
        self.delegates = delegates
        self.token = token
        self.acq = acq
        self.ttl = ttl
        self.raw = raw

    def authorizes(self, session: str) -> bool:
        """Whether this session may write: the owner or a registered delegate, fresh or not."""
        return session != "" and (session == self.owner or session in self.delegates)


class LockView:
    """One look at a lock file.

    `state` is none, fresh, stale, corrupt or future; `lock` is None unless it could be read;
    `heartbeat` is the file's mtime in seconds and `age` the seconds since then (None: no file).
    """

    __slots__ = ("age", "heartbeat", "lock", "path", "state")

    def __init__(
        self, path: str, state: str, lock: Lock | None, heartbeat: float | None, age: float | None
    ) -> None:
        self.path = path
        self.state = state
        self.lock = lock
        self.heartbeat = heartbeat
        self.age = age


class Claim:
    """One `.claims/<artifact>.claim`; `state` is fresh, stale or corrupt."""

    __slots__ = ("acquired_at", "artifact", "delegate", "owner", "state")

    def __init__(
        self, artifact: str, owner: str, delegate: str | None, acquired_at: str, state: str
    ) -> None:
        self.artifact = artifact
        self.owner = owner
        self.delegate = delegate
        self.acquired_at = acquired_at
        self.state = state


class Change:
    """One path that a tool is about to write.

    `op` is `write`, `remove` (removal, rename away, recursive write: everything below goes too),
    `below` (something below the path, names unknown), `checkout` (what git tracks there) or `git`
    (the index and branches of that checkout, none of its files).
    `content` is the whole new content where the tool names it; `edits` are (old, new, all)
    replacements on what is there. Both empty = the result cannot be known beforehand.
    """

    __slots__ = ("content", "edits", "op", "path")

    def __init__(
        self,
        path: str,
        op: str = "write",
        content: str | None = None,
        edits: list[tuple[str, str, bool]] | None = None,
    ) -> None:
        self.path = path
        self.op = op
        self.content = content
        self.edits = edits or []


class ToolUse:
    """One event of a harness, in one shape for all harnesses.

    `event` is pre, post, failed (after a tool that failed), prompt, start, stop, end (of the
    session), agent (a sub-agent starts), compact or other; `session` is the ROOT session ("" when
    the payload has none); `agent` is the harness's agent id or `main`; `source` is why a session
    starts or ends, in the harness's word, or `again` at a stop that a stop hook has caused;
    `changes` are the paths it writes; `command` is shell text or None; `reads` says that the tool
    is known to write nothing; `timeout` is a stated tool timeout in seconds or None; `background`
    says that the command goes on after its call; `fits` says that the payload has the shape of the
    harness it was announced as.
    """

    __slots__ = (
        "agent",
        "background",
        "call",
        "changes",
        "command",
        "cwd",
        "event",
        "fits",
        "harness",
        "reads",
        "session",
        "source",
        "timeout",
        "tool",
    )

    def __init__(self, harness: str, event: str, session: str, cwd: str, tool: str) -> None:
        self.harness = harness
        self.event = event
        self.session = session
        self.cwd = cwd
        self.tool = tool
        self.agent = "main"
        self.call = ""
        self.source = ""
        self.changes: list[Change] = []
        self.command: str | None = None
        self.reads = False
        self.timeout: float | None = None
        self.background = False
        self.fits = True


class Verdict:
    """What a gate says about one tool use: `kind` is allow, advise or deny.

    A deny carries who and since when, and `run`: one command that resolves it when pasted.
    `notes` are for the person at the harness: what of ours is broken and was therefore not judged.
    `context` is for the agent and decides nothing: what it holds, what is wrong, what comes next.
    """

    __slots__ = (
        "code",
        "context",
        "gate",
        "intent",
        "kind",
        "notes",
        "path",
        "reason",
        "run",
        "since",
        "who",
    )

    def __init__(
        self,
        kind: str,
        gate: str = "",
        code: str = "",
        reason: str = "",
        *,
        run: str = "",
        who: str = "",
        since: str = "",
        intent: str = "",
        path: str = "",
        notes: tuple[str, ...] = (),
        context: str = "",
    ) -> None:
        self.kind = kind
        self.notes = notes
        self.context = context
        self.gate = gate
        self.code = code
        self.reason = reason
        self.run = run
        self.who = who
        self.since = since
        self.intent = intent
        self.path = path

    def text(self) -> str:
        """The whole answer as a harness shows it: what, who and since when, the command."""
        lines = [self.reason]
        if self.who:
            since = f" since {one_line(self.since)}" if self.since else ""
            lines.append(f"held by: {one_line(self.who)}{since}")
        if self.run:
            lines.append(f"run: {self.run}")
        return "\n".join(lines)


ALLOW = Verdict("allow")


def one_line(text: str, most: int = 200) -> str:
    """A text from a file as a part of one line: no session id writes a line `run:` of its own."""
    if len(text) > most:
        text = text[:most] + "\u2026"
    return "".join(one if one.isprintable() else "?" for one in text)
