"""Explains what changed while a shell command ran; what nobody explains is a taint.

Attribution comes before accusation: plastic's own commands, beats, and the allowed writes and
unreadable commands of sessions that may write there explain a change. The rest is recorded.
"""

from __future__ import annotations

import posix

from plastic.disk.files import lstat, open_regular, read_fd
from plastic.disk.journal import note
from plastic.disk.lockfile import look
from plastic.disk.paths import is_below
from plastic.disk.seen import first
from plastic.disk.trail import lines
from plastic.quickjson import loads
from plastic.rules.gates.refusals import refuse
from plastic.rules.intent.names import CLAIMS, PROTECTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import Verdict
    from plastic.work.gate.sight import Sight

SLACK = 20_000_000  # nanoseconds that the clock of a file system may be behind
OPEN_FOR = 4 * 3600 * 1_000_000_000  # nanoseconds; a call without an end explains no longer
KILLED = 60 * 1_000_000_000  # nanoseconds that a command may have worked that left no end
JOURNAL = 1 << 20  # bytes of the journal since the command began that are read
SHOWN = 12  # changes that one answer names


class Doing:
    """A stretch of time in which a session, or a command of plastic, may have written.

    `kind` is command (of plastic), shell (nobody can tell what it writes) or write (this path).
    """

    __slots__ = ("call", "end", "kind", "path", "session", "start")

    def __init__(self, kind: str, session: str, call: str, path: str, start: int) -> None:
        self.kind = kind
        self.call = call
        self.session = session
        self.path = path
        self.start = start
        self.end = start + OPEN_FOR

    @property
    def is_alive(self) -> bool:
        """Whether the process of a command is there; its number is its call."""
        try:
            posix.kill(int(self.call), 0)
        except (OSError, ValueError):
            return False
        return True

    def covers(self, when: int | None, since: int) -> bool:
        """Whether a change at `when` (None: it left no time) may be its work."""
        if when is None:
            return self.end >= since - SLACK
        return self.start - SLACK <= when <= self.end


def doings(rows: list[list[Any]]) -> list[Doing]:
    """The trail as stretches: what began, with its end where that came."""
    found: list[Doing] = []
    running: dict[tuple[str, str], list[Doing]] = {}
    for kind, when, session, call, path in rows:
        if kind == "end":
            for one in running.pop((session, call), []):
                one.end = when
            continue
        one = Doing(kind, session, call, path, when)
        found.append(one)
        running.setdefault((session, call), []).append(one)
    for one in found:
        if one.kind == "command" and one.end == one.start + OPEN_FOR and not one.is_alive:
            one.end = one.start + KILLED
    return found


class Case:
    """What is known about one stretch of one command: who was at work, what the commands noted."""

    __slots__ = ("commanded", "doings", "intents", "since")

    def __init__(self, sight: Sight, raw: dict[str, Any]) -> None:
        self.since: int = raw["at"]
        self.intents: dict[str, list[Any]] = raw["intents"]
        every = doings(lines(sight.home))
        self.doings = [one for one in every if one.end >= self.since - SLACK]
        self.commanded = _commanded(sight, raw["journal"])

    def explains(self, path: str, when: int | None) -> bool:
        """Whether somebody who may write this path did, or may have done, so."""
        for one in self.doings:
            if one.kind == "command" and one.covers(when, self.since):
                return True
        place = next((one for one in self.intents if is_below(path, one)), None)
        if place is None:
            return "" in self.commanded
        name, before, held = self.intents[place]
        if name in self.commanded or name.partition("--")[0] in self.commanded:
            return True
        view = look(f"{place}/delivery.lock")
        rest = path[len(place) + 1 :]
        if rest == "delivery.lock":
            now = view.lock
            # Only the heartbeat or the ttl moved: hooks do that.
            return now is not None and [now.owner, now.acq, now.token, now.delegates] == held
        admitted = set(before)
        if view.lock is not None:
            admitted |= {view.lock.owner, *view.lock.delegates}
        there = [one for one in self.doings if one.session in admitted]
        if rest.partition("/")[0] in (*PROTECTED, CLAIMS):
            # The ledger grows as documents land; of the others only commands change anything.
            landed = [one for one in there if one.kind == "write" and is_below(one.path, place)]
            return rest == "savepoint.md" and any(one.covers(when, self.since) for one in landed)
        return any(
            (one.kind == "shell" or (one.kind == "write" and is_below(path, one.path)))
            and one.covers(when, self.since)
            for one in there
        )


def _commanded(sight: Sight, mark: list[int]) -> set[str]:
    """The intents that commands of plastic have noted something about since; "" for the home."""
    found: set[str] = set()
    try:
        opened = open_regular(sight.home.log)
        if opened is None:
            return found
        fd, seen = opened
        try:
            posix.lseek(fd, mark[1] if seen.st_ino == mark[0] else 0, 0)
            data = read_fd(fd, JOURNAL)
        finally:
            posix.close(fd)
    except OSError:
        return found
    for line in data.split(b"\n"):
        try:
            row = loads(line) if line else None
        except ValueError:
            continue
        if isinstance(row, dict) and "hook" not in row:
            found.add(str(row.get("intent", "")))
    return found


def judge(
    sight: Sight, raw: dict[str, Any], changed: list[str], after: dict[str, list[int]]
) -> list[Verdict]:
    """Record each change that has no explanation, once, and say it."""
    case = Case(sight, raw)
    found = []
    for path in changed:
        old, new = raw["files"].get(path), after.get(path)
        if old is not None and new is not None and _only_beat(path, old, new):
            continue
        seen = lstat(path) if new is not None else None
        if case.explains(path, None if seen is None else seen.st_ctime_ns):
            continue
        if first(sight.home, f"taint\0{path}\0{new}"):
            what = "removed" if new is None else "made" if old is None else "changed"
            found.append(_record(sight, raw, path, what))
    return found[:SHOWN]


def _only_beat(path: str, old: list[int], new: list[int]) -> bool:
    """Whether only the time of a lock or claim has moved, as its heartbeat moves it."""
    name = path.rpartition("/")[2]
    beats = name == "delivery.lock" or f"/{CLAIMS}/" in path
    return beats and [old[0], old[1], old[3]] == [new[0], new[1], new[3]]


def _record(sight: Sight, raw: dict[str, Any], path: str, what: str) -> Verdict:
    place = next((one for one in raw["intents"] if is_below(path, one)), None)
    name = raw["intents"][place][0] if place is not None else ""
    _note(sight, raw, what=what, intent=name, path=path)
    fields: dict[str, object] = {"path": path, "what": what}
    if place is None:
        return refuse("shell", "taint-home", fields)
    return refuse("shell", "taint", {**fields, "name": name, "id": name.partition("--")[0]})


def _note(sight: Sight, raw: dict[str, Any], **fields: object) -> None:
    use = sight.use
    note(
        sight.home,
        "taint",
        hook=use.harness,
        session=sight.session,
        agent=use.agent,
        call=use.call,
        command=raw["command"],
        since=raw["at"] // 1_000_000_000,
        **fields,
    )


def bypassed(sight: Sight, raw: dict[str, Any]) -> Verdict:
    """A refused command has run: the harness does not honour the gates."""
    name = raw.get("intent") or ""
    _note(sight, raw, what="gate bypassed", intent=name)
    return refuse("shell", "bypassed", {"name": name})
