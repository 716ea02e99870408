"""The worktrees of a repository as git knows them: list, add, remove one, and our note beside each.

Git's own lock reason, `plastic <id> <token>`, says whose a registration is: other tools' sweeps
leave a locked worktree alone, and nothing is removed here before the reason was read back.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import (
    MODE_TYPE,
    SYMLINK,
    append,
    exists,
    lstat,
    make_dirs,
    names,
    read_text,
    replace,
)
from plastic.disk.files import remove as remove_name
from plastic.disk.paths import real
from plastic.quickjson import dumps, loads
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.disk.git import Git

WORKTREES = "/.claude/worktrees/"  # as a pattern: anchored at the root of each work tree
NOTE = "plastic.json"
ADD_TIMEOUT = 120.0


class Entry(NamedTuple):
    """One registered worktree; `branch` is a full ref, `locked` and `prunable` the reason given."""

    path: str
    head: str | None
    branch: str | None
    locked: str | None
    prunable: str | None
    bare: bool
    detached: bool


class Note(NamedTuple):
    """What plastic keeps in git's directory of one worktree; it goes away together with it.

    `prepared` becomes true when copies and setup are through: a start killed before that is
    finished by the next one. `adopted` = somebody else made this worktree.
    """

    intent: str  # <id>--<slug>
    base: str  # full ref
    base_commit: str
    prepared: bool
    adopted: bool
    home: str = ""  # the real path of the home that made it; "" in notes of older versions
    dir: str = ""  # the intent's directory there


def lock_reason(id: str, token: int) -> str:
    """The reason that a worktree of ours is locked with."""
    return f"plastic {id} {token}"


def owner_of(reason: str | None) -> str | None:
    """The intent id in a lock reason; None when it is not ours."""
    words = (reason or "").split(" ")
    return words[1] if len(words) == 3 and words[0] == "plastic" and words[2].isdigit() else None


def listed(git: Git) -> list[Entry]:
    """Every registered worktree, the main one (or the bare repository) first."""
    text = git.raw("worktree", "list", "--porcelain", "-z").decode("utf-8", "surrogateescape")
    return [_entry(block) for block in text.split("\0\0") if block.strip("\0")]


def _entry(block: str) -> Entry:
    said: dict[str, str] = {}
    for line in block.strip("\0").split("\0"):
        key, _, value = line.partition(" ")
        said[key] = value
    return Entry(
        said.get("worktree", ""),
        said.get("HEAD"),
        said.get("branch"),
        said.get("locked"),
        said.get("prunable"),
        "bare" in said,
        "detached" in said,
    )


def entry_at(git: Git, path: str) -> Entry | None:
    """The registration of one real path; names in git's directory say nothing, they get numbers."""
    return next((entry for entry in listed(git) if real(entry.path) == path), None)


def admin_dir(common: str, path: str) -> str | None:
    """Git's directory for the linked worktree at `path`, also when the worktree is missing."""
    for name in names(f"{common}/worktrees"):
        directory = f"{common}/worktrees/{name}"
        try:
            dot = read_text(f"{directory}/gitdir", 64 * 1024)
        except OSError:
            continue
        if dot is not None and real(dot.rstrip("\n")) == f"{path}/.git":
            return directory
    return None


def add(git: Git, path: str, branch: str, reason: str, *, registered: bool) -> None:
    """Register a worktree for an existing branch, locked, with nothing checked out yet.

    An existing branch gets no upstream written; creating it here would race for the config lock.
    `registered` = the path is missing but still ours: git replaces that one registration.
    """
    again = ("-f", "-f") if registered else ()
    words = ("--no-checkout", "--lock", "--reason", reason, "--", path, branch)
    git.run("worktree", "add", *again, *words, timeout=ADD_TIMEOUT)


def remove(git: Git, path: str, reason: str) -> bool:
    """Remove ONE worktree and its files; False when it is gone. Broken when it is not ours."""
    entry = entry_at(git, path)
    if entry is None:
        return False
    if entry.locked != reason:
        raise Broken(
            "worktree-foreign",
            f"{path} is not locked with `{reason}`, so it is left alone",
            run=shlex.join(("git", "-C", git.cwd, "worktree", "list")),
        )
    git.run("worktree", "remove", "-f", "-f", "--", path, timeout=ADD_TIMEOUT)
    return True


def unregister(git: Git, path: str, id: str) -> bool:
    """Drop the registration of ONE missing worktree of this intent; False when there is none.

    Never `git worktree prune`: it takes every missing worktree, also those of an unmounted disk.
    """
    entry = entry_at(git, path)
    if entry is None:
        return False
    if owner_of(entry.locked) != id or exists(path):
        why = "is there again" if exists(path) else f"is not locked for intent {id}"
        raise Broken(
            "worktree-foreign",
            f"{path} {why}, so its registration is left alone",
            run=shlex.join(("git", "-C", git.cwd, "worktree", "list")),
        )
    seen = lstat(entry.path)
    if seen is not None and seen.st_mode & MODE_TYPE == SYMLINK:
        remove_name(entry.path)  # it leads to nothing by now, and git keeps what still has a name
    git.run("worktree", "remove", "-f", "-f", "--", entry.path, timeout=ADD_TIMEOUT)
    return True


def has_index(admin: str) -> bool:
    """Whether anything was ever checked out there; without, a commit would empty the tree."""
    return exists(f"{admin}/index")


def recall(admin: str | None) -> Note | None:
    """Our note about a worktree; None when there is none or it cannot be read."""
    if admin is None:
        return None
    try:
        raw = loads((read_text(f"{admin}/{NOTE}") or "").encode())
    except (OSError, ValueError):
        return None
    if not isinstance(raw, dict):
        return None
    texts = [raw.get(key) for key in ("intent", "base", "base_commit")]
    if not all(isinstance(text, str) and text for text in texts):
        return None
    intent, base, commit = (str(text) for text in texts)
    home, place = (text if isinstance(text, str) else "" for text in map(raw.get, ("home", "dir")))
    flags = raw.get("prepared") is True, raw.get("adopted") is True
    return Note(intent, base, commit, *flags, home, place)


def remember(admin: str, note: Note) -> None:
    """Write our note; it is complete or absent."""
    replace(f"{admin}/{NOTE}", (dumps(note._asdict()) + "\n").encode())


def notes(common: str) -> Iterator[tuple[str, Note]]:
    """Every note of ours in a repository, with the path of its worktree."""
    for name in names(f"{common}/worktrees"):
        admin = f"{common}/worktrees/{name}"
        note = recall(admin)
        if note is not None:
            dot = read_text(f"{admin}/gitdir", 64 * 1024) or ""
            yield real(os.path.dirname(dot.rstrip("\n"))), note


def noted_for(common: str, intent: str) -> str | None:
    """The path of a worktree whose note names this intent, wherever it was moved or adopted."""
    return next((path for path, note in notes(common) if note.intent == intent), None)


def exclude(common: str) -> bool:
    """Keep our worktrees out of `git status` and `add -A`, without touching a tracked file."""
    path = real(f"{common}/info/exclude")
    known = (read_text(path) or "").splitlines()
    if WORKTREES in (line.strip() for line in known):
        return False
    make_dirs(os.path.dirname(path))
    append(path, f"{WORKTREES}\n")
    return True
