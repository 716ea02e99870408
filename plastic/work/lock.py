"""What every verb of the lock shares: one look, one way to write, one refusal for each state."""

from __future__ import annotations

import json
import math
import shlex
import socket
import time
from typing import TYPE_CHECKING, Any

from plastic.disk import files
from plastic.disk.lockfile import look
from plastic.disk.session import derived
from plastic.rules.lease import SETTLE
from plastic.words import Broken, Held, Lost, Refused, Stale, Usage

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView, Refusal

SESSION_MAX = 200


def path_of(intent: Intent) -> str:
    """The lock file of an intent."""
    return f"{intent.dir}/delivery.lock"


def seen(intent: Intent, now: float | None = None) -> LockView:
    """One look at an intent's lock; never raises."""
    return look(path_of(intent), now)


def write(intent: Intent, raw: dict[str, Any]) -> LockView:
    """Give the lock this content as one step (under the intent's guard) and look at it."""
    files.replace(path_of(intent), encoded(raw))
    return seen(intent)


def encoded(raw: dict[str, Any]) -> bytes:
    """A lock's object as the file holds it."""
    return (json.dumps(raw, indent=2) + "\n").encode()


def host() -> str:
    """This machine's name: information only, nothing is decided by it."""
    return socket.gethostname()


def caller_for(home: Home, intent: Intent, caller: Caller) -> Caller:
    """The caller with a session: a derived key where nothing names one.

    Refuses a session that could not stand on a line of the ledger.
    """
    if not caller.session.strip():
        return derived(home.root, intent.id)
    if len(caller.session) > SESSION_MAX or not caller.session.isprintable():
        raise Usage("session", f"this is no session id: {caller.session[:40]!r}")
    return caller


def relation(view: LockView, session: str) -> str:
    """none, corrupt, owner, delegate or foreign: what the lock is to this session."""
    if view.state == "none":
        return "none"
    if view.lock is None:
        return "corrupt"
    if session == view.lock.owner:
        return "owner"
    return "delegate" if view.lock.authorizes(session) else "foreign"


def command(verb: str, intent: Intent, *more: str) -> str:
    """A `plastic-lock` command on this intent, quoted."""
    return shlex.join(["plastic-lock", verb, intent.id, *more])


def start_command(intent: Intent, *more: str) -> str:
    """The boarding command on this intent, quoted."""
    return shlex.join(["plastic", "start", intent.id, *more])


def reclaim_command(intent: Intent, view: LockView, seconds: float = 0) -> str:
    """How a stale lock is taken over, after a pause where a quarantine runs."""
    token = view.lock.token if view.lock is not None else 0
    line = command("reclaim", intent, "--token", str(token))
    return f"sleep {math.ceil(seconds)} && {line}" if seconds > 0 else line


def acquired_at(view: LockView) -> str | None:
    """Since when the lock is held, None where it does not say."""
    since = view.lock.raw.get("acquired_at") if view.lock is not None else None
    return since if isinstance(since, str) and since else None


def not_held(intent: Intent) -> Refusal:
    """The refusal of what needs a lock where there is none."""
    return Refused("no-lock", f"nobody holds {intent.name}", run=start_command(intent))


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


def row(intent: Intent, session: str, number: int, acq: str, **more: object) -> dict[str, object]:
    """The fields of a journal row about a lock."""
    return {"intent": intent.id, "session": session, "token": number, "acq": acq, **more}


def fs_now(intent: Intent) -> float:
    """The clock that stamps the lock's heartbeats."""
    return files.fs_now(intent.dir)


def local_now() -> float:
    """This machine's clock, for display."""
    return time.time()
