"""The session bridge: what a display needs to know of a boarded intent, never what a rule reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from plastic.disk import bridges, files
from plastic.disk.clock import iso
from plastic.rules.intent.index import where
from plastic.rules.intent.names import split
from plastic.work.lock.verb import seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.words import Intent, LockView

LIMIT = 64 << 20  # bytes of an INDEX.md


def path_of(intent: Intent, session: str) -> str:
    """The bridge of one session to one intent."""
    folder = bridges.directory(os.environ)
    return f"{folder}/{bridges.file_name(session, intent.id)}"


def write_bridge(home: Home, intent: Intent, session: str) -> bool:
    """Record what this session has boarded, and drop what is over; False is no failure."""
    if not session.strip():
        return False
    view = seen(intent)
    raw = view.lock.raw if view.lock is not None else {}
    value = {
        "session": session,
        "home": home.root,
        "intent": {
            "id": intent.id,
            "name": intent.name,
            "dir": intent.dir,
            "project": intent.project,
        },
        "lock": {key: raw.get(key) for key in ("owner_session", "token", "acq", "run_mode")},
        "worktree": raw.get("worktree"),
        "updated_at": iso(),
    }
    folder, _, name = path_of(intent, session).rpartition("/")
    saved = bridges.save(folder, name, value)
    purge(home, session)
    return saved


def look(intent: Intent, session: str, view: LockView) -> dict[str, bool]:
    """Whether this session's bridge is there, and says what the lock says; the lock is right."""
    value = bridges.load(path_of(intent, session)) if session else None
    if value is None:
        return {"present": False, "agrees": False}
    known = value.get("lock") if isinstance(value.get("lock"), dict) else {}
    lock = view.lock
    agrees = (
        lock is not None
        and isinstance(known, dict)
        and (
            known.get("owner_session"),
            known.get("token"),
            known.get("acq"),
        )
        == (lock.owner, lock.token, lock.acq)
    )
    return {"present": True, "agrees": agrees}


def forget(intent: Intent, session: str) -> bool:
    """Drop one bridge after End: only this session's, only this intent's."""
    return bridges.drop(path_of(intent, session)) if session else False


def purge(home: Home, session: str) -> list[str]:
    """Drop the bridges whose intent is over, and those that say nothing; what went.

    By state, never by age. Kept: this session's own, any whose intent has a lock file, and any
    whose INDEX cannot be read: unknown is not over.
    """
    return [path for path in over(home, session) if bridges.drop(path)]


def over(home: Home, session: str = "") -> list[str]:
    """The bridges that `purge` would drop."""
    listed = bridges.listed(bridges.directory(os.environ))
    return [path for path in listed if _is_over(home, bridges.load(path), session)]


def _is_over(home: Home, value: dict[str, Any] | None, session: str) -> bool:
    known = value.get("intent") if value is not None else None
    owner = value.get("session") if value is not None else None
    if not isinstance(known, dict) or not isinstance(owner, str) or not owner.strip():
        return True
    if owner == session:
        return False
    root, place = value.get("home") if value is not None else None, known.get("dir")
    if not isinstance(root, str) or not isinstance(place, str):
        return True
    if root != home.root:
        return not files.is_dir(place)
    return _intent_is_over(home, place)


def _intent_is_over(home: Home, place: str) -> bool:
    found = home.locate(place)
    name = split(found.name) if found is not None and found.kind == "intent" else None
    if found is None or name is None or not files.is_dir(place):
        return True
    if files.exists(f"{place}/delivery.lock"):
        return False
    try:
        text = files.read_text(home.index(found.project), LIMIT)
    except OSError:
        return False
    return text is not None and where(text, name[0]) != "Active"
