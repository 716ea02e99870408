"""What every verb of the lock shares: one look, one way to write, one refusal for each state."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any

from plastic.disk import files
from plastic.disk.command import again
from plastic.disk.lockfile import look
from plastic.disk.session import derived
from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent, LockView

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
        better = "".join(one for one in caller.session if one.isprintable())[:SESSION_MAX]
        raise Usage(
            "session",
            f"this is no session id: {caller.session[:40]!r}",
            run=again("--session", better or "me"),
        )
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


def acquired_at(view: LockView) -> str | None:
    """Since when the lock is held, None where it does not say."""
    since = view.lock.raw.get("acquired_at") if view.lock is not None else None
    return since if isinstance(since, str) and since else None


def row(intent: Intent, session: str, number: int, acq: str, **more: object) -> dict[str, object]:
    """The fields of a journal row about a lock."""
    return {"intent": intent.id, "session": session, "token": number, "acq": acq, **more}


def fs_now(intent: Intent) -> float:
    """The clock that stamps the lock's heartbeats."""
    return files.fs_now(intent.dir)


def local_now() -> float:
    """This machine's clock, for display."""
    return time.time()
