"""What the fence says: code -> what is wrong -> the ONE command that resolves it."""

from __future__ import annotations

from plastic.rules.gates.refusals import quoted

# Fields: id, name, token (the lock's), presented (the caller's), what (a hook, in words); of a push
# that drops a commit of an earlier holder: commit, remote.
REFUSALS: dict[str, tuple[str, str]] = {
    "held": (
        "{what} is refused: {name} is delivered by another session, under token {token}",
        "plastic start {id} --wait",
    ),
    "stale": (
        "{what} is refused: this session does not hold {name}, and whoever does is silent",
        "plastic-lock reclaim {id} --token {token}",
    ),
    "corrupt": (
        "{what} is refused: the lock of {name} cannot be read, so its owner is unknown",
        "plastic-lock fix {id}",
    ),
    "older-token": (
        "{what} is refused: it comes under token {presented} of {name}, and the lock has {token}",
        "plastic-lock status {id}",
    ),
    "prior-work": (
        "{what} is refused: {commit} of an earlier holder of {name} would be gone from {remote}",
        "git push {remote} HEAD:refs/heads/plastic/{name}-{token}",
    ),
}
ADVICE = "{what} in the worktree of {name}, which a session delivers, is noted in the journal"
WHAT = {
    "pre-commit": "this commit",
    "pre-rebase": "this rebase",
    "pre-push": "this push",
    "reference-transaction": "this change of {ref}",
}


def said(code: str, fields: dict[str, object], who: str, since: str) -> str:
    """The lines of a refusal, as the commands print theirs."""
    sentence, command = REFUSALS[code]
    safe = {key: quoted(str(value)) for key, value in fields.items()}
    lines = [f"plastic: {sentence.format_map(fields)}"]
    if who:
        lines.append(f"held by: {who}{f' since {since}' if since else ''}")
    return "\n".join([*lines, f"run: {command.format_map(safe)}"]) + "\n"


def advised(fields: dict[str, object], who: str, since: str) -> str:
    """What a person is told, once for a command of git."""
    held = f" (held by {who}{f' since {since}' if since else ''})" if who else ""
    return f"plastic: {ADVICE.format_map(fields)}{held}\n"
