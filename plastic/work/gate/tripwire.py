"""Looks at what nobody else may write before a shell command runs, and again when it has run.

The look is a line of numbers for each file of foreign deliveries and for plastic's own files. Whose
a difference is, is asked by work/gate/taint.py: most have an honest explanation.
"""

from __future__ import annotations

import posix
import time

from plastic.disk.files import DIRECTORY, MODE_TYPE, lstat, names
from plastic.disk.trail import BACKGROUND, keep, mark, take
from plastic.rules.intent.names import CLAIMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict
    from plastic.work.gate.sight import Sight, Written

    Stamps = dict[str, list[int]]

MOST = 2000  # files that are looked at
WHILE = 3600 * 1_000_000_000  # nanoseconds that a command in the background is looked after
DEPTH = 4  # folders below an intent's directory
# Of an intent that is held, whoever holds it. The guard is a file of every hook and says nothing.
OWN = ("delivery.lock", "delivery.token", ".end.json", "savepoint.md")
SKIPPED = ("delivery.write.lock",)
SHOWN = 300  # characters of a command that are kept


def arm(sight: Sight, written: list[Written], denial: Verdict | None) -> None:
    """Keep how things stand before the command; also which documents it is known to write."""
    use = sight.use
    documents = [one.path for one in written if one.change.op == "write" and _is_mine(sight, one)]
    theirs, rest = places(sight)
    files = stamps(sight, theirs, rest)
    if not (files or documents or denial):
        return
    raw: dict[str, Any] = {
        "at": time.time_ns(),
        "command": (use.command or "")[:SHOWN],
        "denied": denial is not None,
        "intent": denial.intent if denial is not None else "",
        "journal": _journal(sight),
        "intents": _intents(sight),
        "theirs": theirs,
        "rest": rest,
        "files": files,
        "documents": documents,
    }
    keep(sight.home, sight.session, sight.call, raw)


def _is_mine(sight: Sight, written: Written) -> bool:
    if written.intent is None or not written.rest:
        return False
    return sight.grip(written.intent).mine


def _journal(sight: Sight) -> list[int]:
    seen = lstat(sight.home.log)
    return [0, 0] if seen is None else [seen.st_ino, seen.st_size]


def _intents(sight: Sight) -> dict[str, list[Any]]:
    """Directory -> name, whom its lock admits, and what the lock says of who holds it."""
    found: dict[str, list[Any]] = {}
    for grip in sight.grips():
        lock = grip.view.lock
        who = [] if lock is None else [lock.owner, *lock.delegates]
        held = [] if lock is None else [lock.owner, lock.acq, lock.token, lock.delegates]
        found[grip.intent.dir] = [grip.intent.name, who, held]
    return found


def places(sight: Sight) -> tuple[list[str], list[str]]:
    """The directories of all held intents: those of others, freshly held, and the rest."""
    theirs: list[str] = []
    rest: list[str] = []
    for grip in sight.grips():
        fresh = grip.view.state in ("fresh", "future")
        (theirs if fresh and not grip.mine else rest).append(grip.intent.dir)
    return theirs, rest


def stamps(sight: Sight, theirs: list[str], rest: list[str]) -> Stamps:
    """Path -> inode, size, mtime and mode of what a session may not write in these places."""
    found: Stamps = {}
    for path in (sight.home.projects_yml, sight.home.config_yml):
        _add(found, path)
    for place in rest:
        for name in OWN:
            _add(found, f"{place}/{name}")
        for name in names(f"{place}/{CLAIMS}"):
            _add(found, f"{place}/{CLAIMS}/{name}")
    for place in theirs:
        _walk(found, place, DEPTH)
    return found


def _add(found: Stamps, path: str) -> int:
    """Stamp one path; its kind of file, 0 when nothing is there."""
    if len(found) >= MOST:
        return 0
    try:
        seen = posix.lstat(path)
    except OSError:
        return 0
    kind = seen.st_mode & MODE_TYPE
    if kind != DIRECTORY:
        found[path] = [seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_mode]
    return kind


def _walk(found: Stamps, folder: str, depth: int) -> None:
    try:
        inside = names(folder)
    except OSError:
        return
    for name in inside:
        if name in SKIPPED or name.startswith(".delivery."):
            continue
        if _add(found, f"{folder}/{name}") == DIRECTORY and depth:
            _walk(found, f"{folder}/{name}", depth - 1)


def spring(sight: Sight) -> tuple[list[str], list[Verdict]]:
    """The end of a shell command: the documents it was known to write, and what is to be said."""
    raw = take(sight.home, sight.session, sight.call)
    if raw is None:
        return [], []
    found = said(sight, raw)
    if raw.get("denied"):
        from plastic.work.gate.taint import bypassed

        found.insert(0, bypassed(sight, raw))
    if sight.use.background:
        leave(sight, raw)
    else:
        mark(sight.home, "end", sight.session, sight.call)
    return raw["documents"], found


def leave(sight: Sight, raw: dict[str, Any]) -> None:
    """The command goes on: look again at the next events of this session."""
    files = stamps(sight, raw["theirs"], raw["rest"])
    kept = {**raw, "files": files, "denied": False, "documents": []}
    keep(sight.home, sight.session, BACKGROUND, kept)


def look_again(sight: Sight) -> list[Verdict]:
    """What a command in the background has done since; its end is told to the next prompt."""
    raw = take(sight.home, sight.session, BACKGROUND)
    if raw is None:
        return []
    found = said(sight, raw)
    if sight.use.event != "prompt" and time.time_ns() - raw["at"] < WHILE:
        leave(sight, raw)
    return found


def said(sight: Sight, raw: dict[str, Any]) -> list[Verdict]:
    """What is to be said of the differences that nobody explains."""
    before = raw["files"]
    after = stamps(sight, raw["theirs"], raw["rest"])
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    if not changed:
        return []
    from plastic.work.gate.taint import judge

    return judge(sight, raw, sorted(changed), after)
