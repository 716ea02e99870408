"""What the pen looks like: status, the next step of an agent, and whether it may write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.clock import now
from plastic.rules.pen.block import Pen, epoch, holder, instance, is_stale
from plastic.rules.pen.table import column
from plastic.rules.pen.turns import Journal, entry
from plastic.work.pen.bind import actor, alive, is_other
from plastic.work.pen.books import all_requests, open_tasks
from plastic.work.pen.desk import shown
from plastic.work.pen.foreign import bound

if TYPE_CHECKING:
    from plastic.work.pen.desk import Desk


class Sight(NamedTuple):
    """How the pen stands for an agent (a code of the catalogue), and what comes next."""

    why: str
    run: str

    @property
    def is_turn(self) -> bool:
        """Whether waiting is over."""
        return self.why in ("free-pen", "your-turn", "over")


def sight(desk: Desk, pen: Pen, agent: str) -> Sight:
    """How the pen stands for an agent."""
    me = "" if is_other(desk, pen, agent) else agent
    at = column(pen, me, int(now()))
    if at == 1:
        if is_stale(pen, int(now())):
            return Sight("own-expired", f"plastic pen claim {agent}")
        others = [name for name in pen.agents if name != agent]
        return Sight("at-work", f"plastic pen append {agent} --to {others[0]}")
    if at == 3 and alive(desk, pen):
        return Sight("alive-yet", f"plastic pen wait {agent}")
    return (
        Sight("free-pen", f"plastic pen claim {agent}"),
        Sight("at-work", ""),
        Sight("not-yet", f"plastic pen wait {agent}"),
        Sight("stale-pen", f"plastic pen claim {agent} --force"),
        Sight("your-turn", f"plastic pen next {agent}"),
        Sight("not-yet", f"plastic pen wait {agent}"),
        Sight("paused-yet", f"plastic pen wait {agent}"),
        Sight("over", "plastic pen init --force"),
    )[at]


def told(desk: Desk, pen: Pen, step: Sight) -> str:
    """The same in words."""
    return desk.said(step.why, holder=holder(pen), note=pen.get("note"), beat=alive(desk, pen))


def facts(desk: Desk, pen: Pen, **more: Any) -> dict[str, Any]:
    """The one object of every answer: the block, judged."""
    return {
        "ok": True,
        "file": desk.place.path,
        "state": pen.get("state"),
        "holder": pen.get("holder"),
        "agents": pen.agents,
        "turn": int(pen.get("turn")),
        "since": pen.get("since"),
        "expires": pen.get("expires"),
        "stale": is_stale(pen, int(now())),
        "note": pen.get("note") or "-",
        "lang": pen.get("lang") or "en",
        "session": pen.get("session") or None,
        "pen_id": instance(pen) or None,
        "epoch": epoch(pen),
        **more,
    }


def status(desk: Desk, agent: str | None) -> tuple[dict[str, Any], str]:
    """Everything that is to be known, as an object and for people."""
    text, pen, book = desk.look()
    own = bound(desk.place, desk.session).get("agent")
    me = actor(desk, agent) if agent or own else ""
    if me and me not in pen.agents:
        raise desk.refusal("no-agent", pen, name=me, agents=" | ".join(pen.agents))
    step = sight(desk, pen, me or _who_is_next(pen))
    asked = [one for one in all_requests(desk) if one.is_open]
    found = facts(
        desk,
        pen,
        last_turn=last_turn(text, book),
        requests=[one._asdict() for one in asked],
        tasks=[one._asdict() for one in open_tasks(desk)],
        me=me or None,
        next=step.run,
    )
    return found, _lines(desk, pen, found)


def _who_is_next(pen: Pen) -> str:
    return holder(pen) or pen.agents[0]


def last_turn(text: str, book: Journal) -> dict[str, Any] | None:
    """Number, author and recipient of the newest turn."""
    last = book.newest
    if last is None:
        return None
    newest = entry(text, last)
    return {"n": newest.n, "agent": newest.agent, "to": newest.to or None}


def _lines(desk: Desk, pen: Pen, found: dict[str, Any]) -> str:
    rows = [
        ("holder", found["holder"]),
        ("state", found["state"]),
        ("agents", ",".join(found["agents"])),
        ("turn", str(found["turn"])),
        ("since", shown(found["since"])),
        ("expires", shown(found["expires"])),
        ("note", found["note"]),
    ]
    if found["stale"]:
        why = "alive-yet" if alive(desk, pen) else "stale-pen"
        rows.append(("", told(desk, pen, Sight(why, ""))))
    newest = found["last_turn"]
    more = []
    if newest is not None:
        more.append(("last", f"{newest['n']} {newest['agent']} -> {newest['to'] or '-'}"))
    more += [
        ("request", f"#{one['id']} {one['agent']} -> {one['to']}: {one['reason']}")
        for one in found["requests"]
    ]
    more += [("task", f"#{one['id']} {one['agent']}: {one['text']}") for one in found["tasks"]]
    more.append(("next", found["next"]))
    rows += [(desk.said(f"row-{name}"), value) for name, value in more]
    return "\n".join(f"{name:<9}{value}" for name, value in rows)
