"""Every move of the pen: look, ask the table, and under the locks look again, write, and tell.

    result = move(desk, "release", Wish(to="bo"))

Nothing that a user wrote runs while the locks are held. The file is replaced as one step, so that
block and turn cannot disagree after a kill; the ledger of sessions follows, as well as it can.
"""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.clock import now
from plastic.disk.failpoints import point
from plastic.disk.penlock import Busy, hold
from plastic.disk.person import require_person, why_no_person
from plastic.rules.pen.ask import Ask, Move, No
from plastic.rules.pen.block import Pen, holder, instance
from plastic.rules.pen.guards import identity
from plastic.rules.pen.table import decide
from plastic.work.pen import bind, books

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.pen.turns import Journal
    from plastic.work.pen.desk import Desk, Wish

    # What else the file gets: (text after the block was changed, pen) -> text
    Edit = Callable[[str, Pen], str]

PERSONAL = ("person", "alive", "no-scope", "cooldown", "cooldown-of")


class Moved(NamedTuple):
    """What happened: the block before and after, and how."""

    before: dict[str, str]
    pen: Pen
    move: Move
    text: str


def move(desk: Desk, verb: str, wish: Wish, edit: Edit | None = None, check: Any = None) -> Moved:
    """Do it, or refuse. `check` runs between the two looks, outside of the locks."""
    desk.alone()
    first = desk.look()
    seen = identity(first[1])
    ask = asked(desk, verb, wish, first)
    found = decide(first[1], ask)
    if isinstance(found, No) and found.code in PERSONAL and _person_is_here(desk):
        require_person(desk.env, holder(first[1]) or desk.me, f"pen {verb}")
        ask = ask._replace(is_person=True)
        found = decide(first[1], ask)
    if isinstance(found, No):
        raise refused(desk, first[1], found, ask)
    if check is not None:
        check()
    try:
        with hold(desk.place) as ours:
            return _locked(desk, ask, wish, edit, seen, ours)
    except Busy as busy:
        raise desk.refusal("busy", who=str(busy)) from None


def _locked(
    desk: Desk,
    ask: Ask,
    wish: Wish,
    edit: Edit | None,
    seen: tuple[str, ...],
    ours: Callable[[], None],
) -> Moved:
    again = desk.look()
    fresh = asked(desk, ask.verb, wish, again)
    ask = fresh._replace(is_person=ask.is_person, seen=seen)
    text, pen, _ = again
    found = decide(pen, ask)
    if isinstance(found, No):
        raise refused(desk, pen, found, ask)
    before = dict(pen.fields)
    for key, value in found.changes.items():
        pen.change(key, value)
    new = pen.text() if edit is None else edit(pen.text(), pen)
    if new != text:
        desk.save(new, ours)
        point("pen.written")
    if found.before != found.state or found.event:
        books.record(desk, pen, found, ask)
    point("pen.recorded")
    if pen.kind == "WORKING" and holder(pen) == desk.me:
        bind.opened(desk, pen, desk.me)
    return Moved(before, pen, found, new)


def asked(desk: Desk, verb: str, wish: Wish, look: tuple[str, Pen, Journal]) -> Ask:
    text, pen, book = look
    other = bind.is_other(desk, pen, desk.me, wish.pen_id)
    return Ask(
        verb,
        desk.me,
        int(now()),
        to=wish.to.strip().lower(),
        reason=wish.reason or wish.scope,
        pen_id=wish.pen_id,
        epoch=wish.epoch,
        nonce=secrets.token_hex(4),
        session=books.new_session() if verb.startswith("init") else "",
        alive=bind.alive(desk, pen),
        unread=books.unread_newest(desk, text, book),
        task=next((one.id for one in books.open_tasks(desk) if one.agent == desk.me), 0),
        request=books.request_state(desk, verb, wish),
        is_forced=wish.force,
        is_other=other,
        scope=wish.scope,
        until=wish.until,
        whom=wish.whom.strip().lower(),
        name=wish.name.strip().lower(),
    )


def _person_is_here(desk: Desk) -> bool:
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return why_no_person(desk.env, terminal=at_terminal) is None


def refused(desk: Desk, pen: Pen, no: No, ask: Ask) -> Exception:
    facts = {"reason": ask.reason or "go on", **no.facts}
    if ask.is_other and no.code in ("held", "stale", "live", "no-window"):
        return desk.refusal("other-instance", pen, current=instance(pen))
    return desk.refusal(no.code, pen, **facts)
