"""An intent that delivers an item: the item follows its lock, and is given back with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.files import read_text
from plastic.disk.journal import note
from plastic.disk.session import Caller
from plastic.rules.backlog import grants
from plastic.rules.backlog.answers import Fence, Takeover
from plastic.rules.backlog.bound import kind_of, resume, tie
from plastic.rules.intent.intentfile import item_of
from plastic.rules.intent.names import branch
from plastic.rules.intent.savepoint import parse
from plastic.words import Held, Missing, Refusal, Refused, Usage
from plastic.work.backlog.place import opened
from plastic.work.gate.facts import LIMIT, facts_of
from plastic.work.intent import ledger

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from plastic.disk.home import Home
    from plastic.words import Intent, Lock
    from plastic.work.backlog.place import Backlog

LOCK = "Lock"  # the stage of the ledger's lines about custody


def item_named(intent: Intent) -> str | None:
    """The item that an intent file names."""
    try:
        return item_of(read_text(intent.file, LIMIT) or "")
    except OSError:
        return None


def item_held(lock: Lock | None) -> str | None:
    """The item that a lock is bound to."""
    found = lock.raw.get("item") if lock is not None else None
    return found if isinstance(found, str) and found else None


def backlog_of(home: Home, intent: Intent, session: str) -> AbstractContextManager[Backlog]:
    """The backlog of the project that an intent belongs to."""
    return opened(home, Caller(session, "lock"), intent.project, home.root)


def settle(backlog: Backlog, intent: Intent, item: str, lock: Lock, kind: str = "") -> None:
    """Bring an item to the number and the owner of its lock, which changed first.

    `kind` is that of the grant where the item is behind; without it the ledger tells. Refuses a
    lock whose item was given to somebody else meanwhile.
    """
    now = backlog.store.status(item)
    if not now.exists:
        return
    how = tie(now, lock.owner, lock.token)
    if how == "behind":
        backlog.store.follow(item, lock.token, lock.owner, kind or _told(intent))
    elif how == "even":
        backlog.store.renew(item, Fence(lock.token), heard=backlog.store.now())
    elif how in ("ahead", "apart"):
        raise Held(
            "superseded",
            f"{item} was given out again under token {now.token}; the lock of {intent.name} has "
            f"{lock.token}",
            run=backlog.line("status", item),
            who=now.owner,
        )


def _told(intent: Intent) -> str:
    lines = [text for _, stage, text in parse(ledger.text(intent)) if stage == LOCK]
    return kind_of(lines[-1] if lines else "")


def follow(home: Home, intent: Intent, lock: Lock | None) -> None:
    """The item follows a lock that has changed hands, now or in a try that was killed.

    Nothing is undone when it cannot: the next command about item or lock brings it up.
    """
    item = item_held(lock)
    if item is None or lock is None:
        return
    try:
        with backlog_of(home, intent, lock.owner) as backlog:
            settle(backlog, intent, item, lock)
    except (Refusal, OSError) as error:
        note(home, "item-behind", intent=intent.id, item=item, token=lock.token, why=str(error))


def eligible(home: Home, intent: Intent, lock: Lock, session: str) -> float | None:
    """From when the item's own rule lets another take it over, seconds; None: now.

    The lease of an item runs from the last heartbeat of its lock.
    """
    item = item_held(lock)
    if item is None:
        return None
    with backlog_of(home, intent, session) as backlog:
        known = backlog.store.item(item)
        if known is None or known.grip.token != lock.token or not known.grip.claimed:
            return None
        record = Takeover(known.grip.owner, known.grip.token)
        how = grants.custody(known.grip, backlog.store.now(), session, takeover=record)
        return None if how in ("takeover", "reclaim", "work") else grants.eligible_at(known.grip)


def give_back(home: Home, intent: Intent, lock: Lock, text: str = "") -> None:
    """Release the item under the lock's token, with a resume block; the same again is one.

    `text` is what is left, where the documents do not say it. A project or an item that is no
    longer there holds nobody up.
    """
    item = item_held(lock) or item_named(intent)
    if item is None:
        return
    text = text or resume(facts_of(intent.dir, intent.name))
    tree = lock.raw.get("worktree")
    where = branch(intent.name) if isinstance(tree, dict) and tree.get("provisioned") else ""
    try:
        with backlog_of(home, intent, lock.owner) as backlog:
            settle(backlog, intent, item, lock)
            done = backlog.store.release(item, Fence(lock.token), text, where)
    except (Missing, Usage, Refused, Held) as error:
        note(home, "item-left", intent=intent.id, item=item, token=lock.token, why=error.reason)
        return
    if not done.released:
        note(home, "item-left", intent=intent.id, item=item, token=lock.token, why=done.reason)
