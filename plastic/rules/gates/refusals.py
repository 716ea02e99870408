"""Every refusal of the gates: code -> what is wrong -> the ONE command that resolves it."""

from __future__ import annotations

from plastic.words import Verdict

# Fields in braces: `id`, `name`, `dir`, `path`, and what the gate adds. Commands get them quoted.
REFUSALS: dict[str, tuple[str, str]] = {
    # protected: the verb that changes the file
    "lock-file": (
        "{file} of {name} is written by plastic's own commands only ({dir})",
        "plastic-lock fix {id}",
    ),
    "claim-file": (
        "claims of {name} are made and given back by plastic-lock only ({dir})",
        "plastic-lock status {id}",
    ),
    "ledger": (
        "{file} of {name} is written by plastic itself, as the documents land ({dir})",
        "plastic show {id}",
    ),
    "intent-dir": (
        "{dir} holds the ledger and the lock of {name}: it is not removed or moved by a tool",
        "plastic show {id}",
    ),
    "registry": (
        "{path} registers the repositories: `plastic init` writes it, a person edits it",
        "plastic init --help",
    ),
    "config": (
        "{path} is a person's to edit: it decides what the gates enforce",
        "plastic init --help",
    ),
    "home-file": (
        "{path} belongs to plastic: its commands write it, no tool does",
        "plastic --help",
    ),
    "store": (
        "{path}: a store holds intent directories only, and plastic makes them",
        "plastic new --help",
    ),
    # lock
    "held": (
        (
            "{name} is being delivered by another session: nothing in {dir} or in its worktree may "
            "be written by this one"
        ),
        "plastic start {id} --wait",
    ),
    "no-lock": (
        (
            "{name} is Active and nobody has boarded it: board it before writing in {dir} or its "
            "worktree"
        ),
        "plastic start {id}",
    ),
    "stale": (
        (
            "the lease of {name} has lapsed, last heard at {heard} ({dir}): a stale lock is taken "
            "over, never written past"
        ),
        "plastic-lock reclaim {id} --token {token}",
    ),
    "corrupt": (
        "the lock of {name} cannot be read ({dir}/delivery.lock), so its owner is unknown",
        "plastic-lock fix {id}",
    ),
    # claim
    "claimed": (
        "{artifact} of {name} is claimed by another writer ({dir})",
        "plastic-lock status {id}",
    ),
    # stage
    "too-early": (
        "{what} of {name} comes after {missing}, which is missing ({dir})",
        "plastic show {id}",
    ),
    "no-intent": (
        "{path}: the project {project} asks for an armed intent before its code is edited",
        "plastic start --project {project} --title 'Say what you are about to change'",
    ),
    # worktree
    "elsewhere": (
        "this session delivers {name} in its own worktree: write {right} instead of {path}",
        "plastic show {id}",
    ),
    # pen
    "pen-held": (
        "{holder} has the pen of {tree} (state {state}), so {path} is not this session's to write",
        "plastic pen status",
    ),
    "pen-instance": (
        "another session took the pen of {tree} as {holder}, so {path} is not this one's to write",
        "plastic pen status",
    ),
    "pen-free": (
        "this session is {me} of {tree} and has not taken the pen (state {state}): {path} waits",
        "plastic pen claim {me}",
    ),
    "pen-closed": (
        "nobody has the pen of {tree} (state {state}), so nobody writes {path}",
        "plastic pen status",
    ),
    "pen-corrupt": (
        "the block of the pen of {tree} cannot be read, so nobody knows who may write {path}",
        "plastic pen repair",
    ),
    "pen-file": (
        "{path} belongs to the pen of {tree}: `plastic pen` writes it without losing a turn",
        "plastic pen --help",
    ),
    # links, create
    "links": ("{why} ({dir})", "plastic show {id}"),
    "invalid": (
        "{path} would be no valid intent file: {why}",
        "plastic show {id}",
    ),
    "invalid-new": (
        "{path} would be no valid intent file: {why}; `plastic new` writes a complete one",
        "plastic new {title} --id {id} --slug {slug} {store}",
    ),
    # shell
    "shell-opaque": (
        (
            "nobody can tell what this command writes ({why}), and {path} belongs to {name}, which "
            "another session delivers: write the paths out, or work somewhere else"
        ),
        "plastic start {id} --wait",
    ),
    "shell-file": (
        (
            "nobody can tell what this command writes ({why}), and it names {path}, which only "
            "plastic's own commands write"
        ),
        "plastic --help",
    ),
    # after a shell command
    "taint": (
        (
            "{path} of {name} was {what} while this command ran, and nobody who may write it did: "
            "say so to whoever delivers it, the change is recorded as a taint"
        ),
        "plastic-lock status {id}",
    ),
    "taint-home": (
        (
            "{path} was {what} while this command ran, and no command of plastic did it: the "
            "change is recorded as a taint"
        ),
        "plastic log",
    ),
    "bypassed": (
        "this command was refused and ran all the same: gate bypassed, recorded as a taint",
        "plastic log",
    ),
}
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")


def quoted(text: str) -> str:
    """One word of a shell command line, as `shlex.quote` writes it, without importing `re`."""
    if text and _SAFE.issuperset(text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"


class _Quoted:
    """The fields of a command, each as one shell word; `store` holds whole words already."""

    __slots__ = ("fields",)

    def __init__(self, fields: dict[str, object]) -> None:
        self.fields = fields

    def __getitem__(self, key: str) -> str:
        text = str(self.fields[key])
        return text if key == "store" else quoted(text)


def refuse(
    gate: str, code: str, fields: dict[str, object], *, who: str = "", since: str = ""
) -> Verdict:
    """The refusal `code` of `gate`, with its fields filled in."""
    sentence, command = REFUSALS[code]
    return Verdict(
        "deny",
        gate,
        code,
        sentence.format_map(fields),
        run=command.format_map(_Quoted(fields)),
        who=who,
        since=since,
        intent=str(fields.get("name", "")),
        path=str(fields.get("path", "")),
    )
