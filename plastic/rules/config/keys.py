"""Every key that projects.yml and config.yml know: one table, from which pages are printed."""

from __future__ import annotations

from typing import Any, NamedTuple

GATES = ("stage", "worktree", "links", "create", "shell")


class Key(NamedTuple):
    """One key: where it stands (`*` = a project's slug), how its text is read, what it means."""

    file: str
    path: str
    kind: str
    default: Any
    meaning: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """The bounds as people read them."""
        if self.choices:
            return " \\| ".join(self.choices)
        return f"{self.low}..{self.high}" if self.high else ""


def _gate(name: str, meaning: str) -> Key:
    modes = ("enforce", "advise", "off")
    return Key(
        "projects.yml", f"projects.*.gates.{name}", "choice", "enforce", meaning, 0, 0, modes
    )


KEYS: tuple[Key, ...] = (
    Key("projects.yml", "version", "version", 1, "format of the file"),
    Key("projects.yml", "projects", "map", {}, "the registered repositories, each under its slug"),
    Key("projects.yml", "projects.*.path", "path", None, "main checkout; may start with `~/`"),
    Key(
        "projects.yml",
        "projects.*.base",
        "branch",
        None,
        "branch that intents start from and are merged into; else the remote's default branch, "
        "else the main checkout's branch",
    ),
    Key("projects.yml", "projects.*.remote", "word", "origin", "remote of that base"),
    Key(
        "projects.yml",
        "projects.*.merge",
        "choice",
        "merge",
        "how End brings the work into the base",
        choices=("merge", "squash", "pr"),
    ),
    Key(
        "projects.yml",
        "projects.*.verify",
        "commands",
        [],
        "run on the merged tree before End merges",
    ),
    Key("projects.yml", "projects.*.setup", "commands", [], "run in a new worktree"),
    Key("projects.yml", "projects.*.copy", "files", [], "ignored files copied into a new worktree"),
    Key("projects.yml", "projects.*.on_done", "commands", [], "the last step of End"),
    Key(
        "projects.yml",
        "projects.*.require_intent",
        kind="bool",
        default=False,
        meaning="refuse code edits by sessions without an armed intent",
    ),
    Key("projects.yml", "projects.*.gates", "map", {}, "how strict each gate that has a switch is"),
    _gate("stage", "no artifact and no code before the stage that allows it"),
    _gate("worktree", "code only in the intent's own worktree"),
    _gate("links", "the Links section follows the front matter"),
    _gate("create", "an intent file stays valid"),
    _gate("shell", "shell commands are judged like the writes they make"),
    Key("projects.yml", "projects.*.backlog", "map", {}, "where the project's items are mirrored"),
    Key(
        "projects.yml",
        "projects.*.backlog.mirror",
        "choice",
        "files",
        "files in the home, or issues on GitHub",
        choices=("files", "github"),
    ),
    Key("projects.yml", "projects.*.backlog.region", "word", "local", "region of new items"),
    Key("projects.yml", "projects.*.backlog.base_branch", "branch", None, "base of new items"),
    Key("projects.yml", "projects.*.backlog.repo", "repo", None, "owner/name; needed by `github`"),
    Key(
        "projects.yml",
        "projects.*.backlog.account",
        "word",
        None,
        "account that writes; needed by `github`",
    ),
    Key("config.yml", "version", "version", 1, "format of the file"),
    Key(
        "config.yml",
        "ttl",
        "seconds",
        1800,
        "lease of an intent after its last heartbeat",
        60,
        86400,
    ),
    Key(
        "config.yml",
        "quarantine",
        "seconds",
        300,
        "wait between the last evidence of work and a takeover",
        0,
        86400,
    ),
    Key("config.yml", "lease", "map", {}, "leases of backlog items"),
    Key(
        "config.yml",
        "lease.default",
        "seconds",
        1800,
        "lease of a claim that names none",
        60,
        86400,
    ),
    Key(
        "config.yml",
        "lease.ceiling",
        "seconds",
        7200,
        "longest lease that a claim may name",
        60,
        604800,
    ),
    Key(
        "config.yml",
        "engine",
        "engine",
        "sqlite",
        "of the backlog: `sqlite`, or a `postgresql://` address that several machines share",
    ),
    Key(
        "config.yml",
        "durability",
        "choice",
        "full",
        "of sqlite: `relaxed` is faster, and may give a token out again after a power loss",
        choices=("full", "relaxed"),
    ),
    Key("config.yml", "relay", "map", {}, "whom a relay calls"),
    Key(
        "config.yml",
        "relay.on_attention",
        "commands",
        [],
        "run when a relay asks, stops or needs somebody; its status is JSON on stdin",
    ),
    Key("config.yml", "relay.on_done", "commands", [], "the same when its work is done"),
    Key("config.yml", "trash_days", "days", 14, "days that removed worktrees are kept", 0, 3650),
    Key(
        "config.yml",
        "observe_until",
        "date",
        None,
        "until the end of this day, at most 14 ahead, the gates under `gates` only advise",
    ),
)


def keys_of(file: str) -> dict[str, Key]:
    """The keys of one file by their path."""
    return {key.path: key for key in KEYS if key.file == file}
