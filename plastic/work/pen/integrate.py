"""`plastic pen integrate`: take the pen, end the intent as `plastic end` does, hand the pen over.

While the merge runs the block says `integrating: ID@COMMIT`, which keeps every other move away; no
lock of the pen is held, so what a user's hooks do blocks nobody. Killed anywhere, the same command
goes on: End merges once, and the hand-over says that it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.clock import iso
from plastic.disk.failpoints import point
from plastic.disk.git import Git, oid
from plastic.disk.penplace import place_of
from plastic.rules.end.facts import DELIVERED, Flags
from plastic.rules.end.proof import obstacles, short
from plastic.rules.pen.block import holder
from plastic.rules.pen.turns import NOTHING, Entry, added, entry
from plastic.words import Refusal
from plastic.work.end.obstacles import gather
from plastic.work.end.over import is_over
from plastic.work.end.refusal import raise_for
from plastic.work.end.run import Wish as EndWish
from plastic.work.end.run import end
from plastic.work.end.subject import subject_of
from plastic.work.pen.desk import Wish
from plastic.work.pen.move import Moved, move
from plastic.work.tree.base import HEADS

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.rules.pen.block import Pen
    from plastic.words import Intent
    from plastic.work.end.subject import Subject
    from plastic.work.pen.desk import Desk

# Found before the pen is taken, and still worth a hand-over: somebody has to resolve it.
HANDED = ("conflict",)


class Merge(NamedTuple):
    """What is asked for: whose intent, into which branch, and who is next."""

    intent: Intent
    into: str
    to: str


class Done(NamedTuple):
    """The pen afterwards, and what End said; None when this was done before."""

    pen: Pen
    ended: dict[str, Any] | None


def integrate(
    desk: Desk, home: Home, caller: Caller, wish: Merge, say: Callable[[str], None]
) -> Done:
    """Merge once and hand over; what keeps the merge from coming about is handed over as well."""
    subject = subject_of(home, wish.intent, caller)
    root = _root(desk, subject)
    base = f"{HEADS}{wish.into.removeprefix(HEADS)}"
    tip = oid(Git(root), base)
    if tip is None or (subject.place is not None and subject.place.base != base):
        is_known = subject.place is not None
        real = short(subject.place.base) if subject.place is not None and is_known else "-"
        raise desk.refusal("other-base", into=wish.into, base=real, intent=wish.intent.id)
    desk.place = place_of(root, desk.env)
    _, pen, _ = desk.look()
    if _is_handed(desk, wish):
        return Done(pen, None)
    merge = pen.get("integrating")
    if merge and not merge.startswith(f"{wish.intent.id}@"):
        raise desk.refusal("integrating", pen, merge=merge)
    flags = Flags(DELIVERED, agent=desk.me)
    if not is_over(subject):
        facts = gather(subject, flags)
        if any(one.name not in (*HANDED, "pen") for one in obstacles(facts, flags)):
            raise_for(subject, facts, flags)
    move(desk, "claim", Wish(to=wish.to), _begun(f"{wish.intent.id}@{tip}"))
    point("pen.integrating")
    try:
        ended = end(home, wish.intent, caller, EndWish(flags), say)
    except Refusal as refused:
        _over(desk, wish, {"blocked_on": f"{refused.code}:{wish.intent.id}"}, refused.reason)
        raise
    point("pen.integrated")
    mark = {"integrated": f"{wish.intent.id}:{short(base)}"}
    moved = _over(desk, wish, mark, f"{wish.intent.name} is in {short(base)}")
    return Done(moved.pen, ended)


def _root(desk: Desk, subject: Subject) -> str:
    """The repository of the intent: its main checkout has the pen."""
    if subject.place is not None:
        return subject.place.site.root
    if subject.project is None:
        raise desk.refusal("other-base", into="-", base="-", intent=subject.intent.id)
    return subject.project.path


def _begun(sentinel: str) -> Callable[[str, Pen], str]:
    """The block says which merge is under way; one that was begun keeps the base it began with."""

    def edit(_: str, pen: Pen) -> str:
        if not pen.get("integrating"):
            pen.change("integrating", sentinel)
        return pen.text()

    return edit


def _over(desk: Desk, wish: Merge, mark: dict[str, str], done: str) -> Moved:
    """The turn that says how it went, and the hand-over, as one step."""
    to = wish.to.strip().lower()
    said = " ".join("".join(one if one.isprintable() else " " for one in done).split())
    header = {"from": desk.me, "to": to, "ask": NOTHING, "done": said, "files": NOTHING}
    header |= {"handoff": to, "at": iso(), **mark}

    def edit(_: str, pen: Pen) -> str:
        pen.change("integrating", None)
        turn = Entry(int(pen.get("turn")), desk.me, header, "")
        return added(pen.text(), turn, desk.place.form)

    return move(desk, "integrate", Wish(to=to), edit)


def _is_handed(desk: Desk, wish: Merge) -> bool:
    """Whether the newest turn is this very hand-over: the command was killed behind it."""
    text, pen, book = desk.look()
    newest = max(book.turns, key=lambda one: one.n, default=None)
    if newest is None or newest.agent != desk.me or holder(pen) != wish.to.strip().lower():
        return False
    wanted = f"{wish.intent.id}:{wish.into.removeprefix(HEADS)}"
    return pen.kind == "AWAITING" and entry(text, newest).header.get("integrated") == wanted
