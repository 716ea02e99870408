"""Boards an intent that delivers an item: the claim first, then the lock, under one number.

The database and the lock cannot change in one step. So the claim names a number above both, and
the lock takes exactly that one; killed between the two, the same command finds its own claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.failpoints import point
from plastic.disk.files import read_text, replace
from plastic.rules.backlog.answers import Fence
from plastic.rules.intent.intentfile import item_of, with_item
from plastic.words import Refused
from plastic.work.backlog.bound import backlog_of, item_held, item_named, settle
from plastic.work.backlog.claims import claim
from plastic.work.fence import ref as fence
from plastic.work.gate.facts import LIMIT
from plastic.work.lock.acquire import Armed, arm, require_boardable, set_item, undo
from plastic.work.lock.issue import next_token
from plastic.work.lock.release import release_acquisition
from plastic.work.lock.verb import caller_for, relation, seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.rules.backlog.items import Item
    from plastic.words import Intent, LockView
    from plastic.work.backlog.place import Backlog

Provenance = dict[str, "str | None"]


class Boarded(NamedTuple):
    """The lock, and the item that it is bound to; `claimed`: by this very call."""

    armed: Armed
    item: Item | None = None
    claimed: bool = False


def board(
    home: Home,
    intent: Intent,
    caller: Caller,
    provenance: Provenance | None = None,
    item: str | None = None,
) -> Boarded:
    """Arm an intent, with the item that it delivers: named here, by its lock, or by its file.

    A refusal of the backlog comes first and leaves everything as it was. An item that is complete
    or forgotten no longer binds an intent, unless it is named here.
    """
    view = seen(intent)
    bound = _bound(intent, view, item)
    if bound is None:
        return Boarded(arm(home, intent, caller, provenance))
    who = caller_for(home, intent, caller)
    if relation(view, who.session) == "delegate":
        return Boarded(arm(home, intent, caller, provenance))
    with backlog_of(home, intent, who.session) as backlog:
        known = backlog.store.item(bound)
        if item is None and (known is None or known.state == "complete"):
            return Boarded(arm(home, intent, caller, provenance))
        known = backlog.need(bound)
        require_boardable(home, intent, view, who.session)
        return _board(home, backlog, intent, who, provenance, known)


def _bound(intent: Intent, view: LockView, item: str | None) -> str | None:
    named = item_held(view.lock) or item_named(intent)
    if item is not None and named is not None and item != named:
        raise Refused(
            "other-item",
            f"{intent.name} delivers {named}, not {item}",
            run=f"plastic show {intent.id}",
        )
    return item or named


def _board(
    home: Home,
    backlog: Backlog,
    intent: Intent,
    who: Caller,
    provenance: Provenance | None,
    item: Item,
) -> Boarded:
    view = seen(intent)
    own = view.lock if relation(view, who.session) == "owner" else None
    if own is not None and item_held(own) == item.id:
        settle(backlog, intent, item.id, own)
    above = own.token - 1 if own is not None else _highest(home, intent, view)
    token, claimed = claimed_for(backlog, item.id, above, who.session, is_armed=own is not None)
    point("item.claimed")
    try:
        if own is not None and own.token < token:
            release_acquisition(home, intent, own.acq)
        armed = arm(home, intent, who, provenance, floor=token - 1)
    except BaseException:
        if claimed:
            backlog.store.release(item.id, Fence(token), item.note, item.location)
        raise
    point("item.armed")
    armed = armed._replace(view=set_item(home, intent, armed, item.id))
    point("item.bound")
    _name(intent, item.id)
    settle(backlog, intent, item.id, armed.lock, "transfer")
    return Boarded(armed, item, claimed)


def claimed_for(
    backlog: Backlog, id: str, above: int, session: str, *, is_armed: bool = False
) -> tuple[int, bool]:
    """The token of this session's claim, above a number; True = it was made just now.

    A claim of its own is found again: made by a try that was killed, or by `plastic backlog claim`.
    """
    now = backlog.store.status(id)
    alive = now.held or (is_armed and now.state == "lapsed")
    if alive and now.owner == session and now.token is not None:
        if now.token > above:
            return now.token, False
        return backlog.store.follow(id, above + 1, session, "transfer").token or above + 1, False
    return claim(backlog, id, session, above=above).token or above + 1, True


def _highest(home: Home, intent: Intent, view: LockView) -> int:
    """The highest token of an intent that anybody can know of."""
    repo = fence.repo_of(home, intent, view)
    return next_token(home, intent, 0, fence.read(repo, intent)) - 1


def _name(intent: Intent, item: str) -> None:
    """Write the item into the intent file: it outlives the lock."""
    text = read_text(intent.file, LIMIT)
    if text is not None and item_of(text) != item:
        replace(intent.file, with_item(text, item).encode())
        point("item.named")


def unboard(home: Home, intent: Intent, boarded: Boarded) -> None:
    """Take back what this boarding made: the lock, and the claim with the words of before."""
    undo(home, intent, boarded.armed)
    item = boarded.item
    if item is not None and boarded.claimed:
        mine = boarded.armed.lock
        with backlog_of(home, intent, mine.owner) as backlog:
            backlog.store.release(item.id, Fence(mine.token), item.note, item.location)
