"""One refusal for each state of a lock: who, since when, and the one command that resolves it."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

from plastic.disk import files
from plastic.disk.command import flagged
from plastic.rules.lock.lease import SETTLE
from plastic.words import Broken, Held, Lost, Refused, Stale
from plastic.work.lock.verb import acquired_at, path_of, relation

if TYPE_CHECKING:
    from plastic.words import Intent, LockView, Refusal


def command(verb: str, intent: Intent, *more: str) -> str:
    """A `plastic-lock` command on this intent, quoted."""
    return shlex.join(["plastic-lock", verb, intent.id, *more, *flagged()])


def start_command(intent: Intent, *more: str) -> str:
    """The boarding command on this intent, quoted."""
    return shlex.join(["plastic", "start", intent.id, *more, *flagged()])


def reclaim_command(intent: Intent, view: LockView, seconds: float = 0) -> str:
    """How a stale lock is taken over, after a pause where a quarantine runs."""
    token = view.lock.token if view.lock is not None else 0
    line = command("reclaim", intent, "--token", str(token))
    return f"sleep {math.ceil(seconds)} && {line}" if seconds > 0 else line


def not_held(intent: Intent) -> Refusal:
    """The refusal of what needs a lock where there is none."""
    return Refused("no-lock", f"nobody holds {intent.name}", run=start_command(intent))


def require_owner(intent: Intent, view: LockView, session: str, deed: str) -> None:
    """Refuse everybody but the owner; `deed` is what only the owner may."""
    kind = relation(view, session)
    if kind == "none":
        raise not_held(intent)
    if kind == "delegate":
        raise Refused(
            "not-owner",
            f"only the owner {deed}; this session is its delegate",
            run=command("status", intent),
            who=view.lock.owner if view.lock is not None else None,
        )
    if kind != "owner":
        raise refusal(intent, view)


def refusal(intent: Intent, view: LockView) -> Refusal:
    """The refusal that a lock of somebody else, or one that nobody can read, asks for."""
    if view.lock is None:
        return corrupt(intent, view)
    who = view.lock.owner
    since = acquired_at(view)
    if view.state == "future":
        return Stale(
            "future",
            f"the heartbeat of {intent.name} lies in the future: the clock was set back",
            run=command("fix", intent, "--observe"),
            who=who,
            since=since,
        )
    if view.state == "stale":
        return Stale(
            "stale",
            f"{intent.name} is held by a session that was last heard {_ago(view)} ago",
            run=reclaim_command(intent, view),
            who=who,
            since=since,
        )
    return Held(
        "held",
        f"{intent.name} is held by another session, heard {_ago(view)} ago",
        run=start_command(intent, "--wait"),
        who=who,
        since=since,
    )


def corrupt(intent: Intent, view: LockView) -> Refusal:
    """The refusal of a lock that cannot be read: held by unknown, never free."""
    path = path_of(intent)
    denied = unreadable(path)
    if denied is not None:
        quoted = shlex.quote(path)
        return Broken(
            "lock-unreadable",
            f"the lock of {intent.name} cannot be read: {files.reason(denied)}",
            run=f"chmod u+rw {quoted} && {command('fix', intent)}",
        )
    pause = SETTLE - view.age if view.age is not None and view.age <= SETTLE else 0.0
    fix = command("fix", intent)
    return Stale(
        "corrupt",
        f"the lock of {intent.name} is not a lock's JSON: held by unknown",
        run=f"sleep {math.floor(pause) + 1} && {fix}" if pause else fix,
    )


def unreadable(path: str) -> PermissionError | None:
    """The error of a lock that we may not read: it may be a valid one, so it is never healed."""
    try:
        files.read(path)
    except PermissionError as error:
        return error
    except OSError:
        pass
    return None


def _ago(view: LockView) -> str:
    age = max(0.0, view.age or 0.0)
    return f"{age:.0f} s" if age < 120 else f"{age / 60:.0f} min"


def lost(intent: Intent, view: LockView, what: str) -> Refusal:
    """The refusal of a caller whose token or acquisition is no longer the current one."""
    token = view.lock.token if view.lock is not None else 0
    who = view.lock.owner if view.lock is not None else None
    return Lost(
        "lost",
        f"{what}; the token of {intent.name} is now {token}",
        run=command("status", intent),
        who=who,
        since=acquired_at(view),
    )
