"""What a worktree, a branch or a directory is, in one word, and what may be done with it."""

from __future__ import annotations

import shlex
from typing import NamedTuple

OVER = ("Completed", "Abandoned")


class Seen(NamedTuple):
    """What was seen of one thing; `intent` is the id, None for one that plastic knows nothing of.

    `section` is where INDEX has the intent, "" where this home has no such intent. `holds` are
    reasons why something would be lost; `proof` says how its commits are known to be merged.
    """

    root: str
    path: str | None
    branch: str | None  # short
    intent: str | None
    section: str = ""
    lock: str = "none"
    registered: bool = False
    exists: bool = False
    ours: bool = False
    adopted: bool = False
    indexed: bool = False
    whole: bool = False
    linked: str | None = None  # an unregistered directory whose `.git` names a registration
    usual: bool = True
    holds: tuple[str, ...] = ()
    proof: str | None = None
    look: str = ""
    home: str = ""  # another home whose it is, though this one has an intent of that name


class Row(NamedTuple):
    """One line of `plastic worktree list`: `safe` says that prune may take it."""

    kind: str
    why: str
    run: str
    safe: bool = False


# kind -> what it means; the reference page prints this table.
KINDS = {
    "held": "the worktree of an intent that somebody holds",
    "open": "the worktree of an open intent that nobody holds",
    "waiting": "the worktree of an intent that is over; it still holds something",
    "done": "the worktree of an intent that is over; nothing in it is needed",
    "missing": "registered, but its directory is gone",
    "half-made": "registered, but nothing was ever checked out: a start was killed",
    "moved": "a directory that git still lists at another place",
    "directory": "a directory at a worktree's place that git does not know",
    "broken": "registered and there, but git does not see a worktree in it",
    "branch": "a branch of ours without a worktree",
    "foreign": "made by another tool or by hand: left alone",
    "elsewhere": "of an intent that this home does not have, or another one raised: left alone",
    "trash": "buried; deleted when it has been there for `trash_days`",
}


def judge(seen: Seen) -> Row:
    """The first line of the table that fits."""
    git = f"git -C {shlex.quote(seen.root)}"
    start = f"plastic start {seen.intent}"
    path = shlex.quote(seen.path or "")
    remove = f"plastic worktree remove {path}"
    if seen.path is None:
        return _branch(seen, git, start)
    if not seen.registered:
        return _directory(seen, git, path, start)
    if not seen.ours:
        return Row("foreign", KINDS["foreign"], f"{git} worktree list")
    if not seen.section or seen.home:
        why = f"{KINDS['elsewhere']}; its home is {seen.home}" if seen.home else KINDS["elsewhere"]
        return Row("elsewhere", why, f"{git} worktree list")
    if seen.lock != "none":
        return Row("held", _held(seen), f"plastic-lock who {seen.intent}")
    is_over = seen.section in OVER
    if not seen.exists:
        safe = is_over and seen.usual and not seen.holds
        run = ("plastic worktree prune" if safe else remove) if is_over else start
        return Row("missing", _why("missing", seen), run, safe)
    if not seen.indexed:
        return Row("half-made", KINDS["half-made"], remove if is_over else start)
    if not seen.whole:
        # Without a path: only that writes a `.git` file anew.
        return Row("broken", KINDS["broken"], f"{git} worktree repair")
    if not is_over:
        return Row("open", _why("open", seen), start)
    if seen.holds:
        return Row("waiting", _why("waiting", seen), seen.look or remove)
    if seen.proof is None and seen.section == "Completed":
        why = f"{seen.branch or 'HEAD'} is not known to be merged"
        return Row("waiting", why, seen.look)
    return Row("done", _why("done", seen), _done(seen, remove), not seen.adopted)


def _done(seen: Seen, remove: str) -> str:
    return remove if seen.adopted else "plastic worktree prune"


def _held(seen: Seen) -> str:
    lock = () if seen.lock == "fresh" else (f"the lock is {seen.lock}",)
    return _why("held", seen._replace(holds=lock + seen.holds))


def _why(kind: str, seen: Seen) -> str:
    more = "; ".join(seen.holds)
    made = " (adopted)" if seen.adopted else "" if seen.usual else " (moved)"
    return f"{KINDS[kind]}{made}" + (f": {more}" if more else "")


def _branch(seen: Seen, git: str, start: str) -> Row:
    name = shlex.quote(seen.branch or "")
    if not seen.section:
        return Row("elsewhere", KINDS["elsewhere"], f"{git} log -1 {name} --")
    if seen.section not in OVER or seen.lock != "none":
        return Row("branch", f"{KINDS['branch']}; its intent is {seen.section}", start)
    if seen.proof is None:
        why = f"{KINDS['branch']}: its commits are not known to be merged"
        return Row("branch", why, seen.look or f"{git} log {name} --")
    return Row("branch", KINDS["branch"], "plastic worktree prune", safe=True)


def _directory(seen: Seen, git: str, path: str, start: str) -> Row:
    if seen.linked is not None:
        why = f"{KINDS['moved']}: {seen.linked}"
        return Row("moved", why, f"{git} worktree repair {path}")
    aside = f"mv {path} {path}.aside"
    if seen.section and seen.section not in OVER:
        aside += f" && {start}"
    return Row("directory", KINDS["directory"], aside)
