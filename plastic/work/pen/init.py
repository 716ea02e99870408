"""`init`: a pen where there is none; with force a new session on the same journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso
from plastic.disk.failpoints import point
from plastic.disk.files import publish
from plastic.disk.penfile import Unreadable, exclude, load_bytes, save
from plastic.disk.penlock import Busy, hold
from plastic.rules.pen.block import LANGS, PAIR, holder, is_name, roster, split
from plastic.rules.pen.turns import NOTHING, Entry, render
from plastic.work.pen.books import new_session
from plastic.work.pen.desk import Wish
from plastic.work.pen.move import move
from plastic.work.pen.turn import check
from plastic.work.pen.view import facts, sight

if TYPE_CHECKING:
    from plastic.work.pen.desk import Desk


def init(
    desk: Desk, name: str, agents: str, lang: str, *, force: bool
) -> tuple[dict[str, Any], str]:
    """Make the pen; on one that is there: the same roster is fine, another one needs force."""
    desk.alone()
    wanted = roster(agents) if agents.strip() else []
    given = agents if agents.strip() else ",".join(PAIR)
    if agents.strip() and (len(wanted) < 2 or not all(is_name(one) for one in wanted)):
        raise desk.refusal("bad-roster", given=given)
    check(desk, "name", name)
    if lang and lang.lower() not in LANGS:
        raise desk.refusal("bad-lang", given=lang)
    if not (load_bytes_or_refuse(desk) or b"").strip():
        _make(desk, name, wanted or list(PAIR), lang.lower() or _usual(desk))
        code = "init"
    else:
        code = _again(desk, wanted, lang.lower(), force=force)
    exclude(desk.place)
    _, pen, _ = desk.look()
    step = sight(desk, pen, holder(pen) or pen.agents[0])
    said = desk.said(code, agents=",".join(pen.agents), file=desk.place.path)
    said += "\n" + desk.said("next-step", run=step.run)
    return facts(desk, pen, made=code != "init-again", next=step.run), said


def _usual(desk: Desk) -> str:
    """The language that the environment names, where it names one."""
    named = desk.env.get("M8SHIFT_LANG", "").strip().lower()
    return named if named in LANGS else "en"


def load_bytes_or_refuse(desk: Desk) -> bytes | None:
    """What is there, whatever it says; what is no file is refused."""
    try:
        return load_bytes(desk.place.file)
    except Unreadable as error:
        raise desk.unreadable(error, desk.place.path) from None


def _make(desk: Desk, name: str, agents: list[str], lang: str) -> None:
    text = _fresh(desk, name or desk.place.folder.rpartition("/")[2] or "/", agents, lang)
    try:
        with hold(desk.place):
            if not publish(desk.place.file, text.encode("utf-8", "replace")):
                if (load_bytes_or_refuse(desk) or b"").strip():
                    return  # somebody was faster; what is there is judged next
                save(desk.place.file, text)
            point("pen.made")
    except Busy as busy:
        raise desk.refusal("busy", who=str(busy)) from None


def _again(desk: Desk, wanted: list[str], lang: str, *, force: bool) -> str:
    _, pen, _ = desk.look()
    if wanted and wanted != pen.agents and not force:
        raise desk.refusal("other-roster", pen, agents=",".join(pen.agents))
    if not force:
        return "init-again"

    def edit(text: str, _: object) -> str:
        fresh = split(text, desk.place.form)
        assert fresh is not None
        if wanted:
            fresh.change("agents", ",".join(wanted))
        if lang:
            fresh.change("lang", lang)
        return fresh.text()

    move(desk, "init --force", Wish(), edit)
    return "init"


def _fresh(desk: Desk, name: str, agents: list[str], lang: str) -> str:
    form, desk.lang = desk.place.form, lang
    rows = {
        "holder": "none",
        "state": "IDLE",
        "agents": ",".join(agents),
        "lang": lang,
        "session": new_session(),
        "turn": "0",
        "since": iso(),
        "expires": "-",
        "note": "-",
    }
    block = "".join(f"{key + ':':<10}{value}\n" for key, value in rows.items())
    header = {"from": "system", "to": "none", "ask": NOTHING, "done": desk.said("begins")}
    header |= {"files": form.name, "handoff": "none", "at": iso()}
    zero = render(Entry(0, "system", header, ""), form)
    return (
        f"# {form.brand} · {name}\n\n"
        f"> {desk.said('one-at-a-time')}\n\n"
        f"{form.begin}\n{block}{form.end}\n\n---\n\n## Turn log\n\n"
        f"<!-- {desk.said('closed-turn')} -->\n\n"
        f"{zero}"
    )
