"""`archive` and `repair`: turns move or get their frame back, and none is lost on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.clock import iso, now
from plastic.disk.failpoints import point
from plastic.disk.files import replace
from plastic.disk.penfile import Unreadable, save
from plastic.disk.penlock import Busy, hold
from plastic.rules.pen.block import Pen, split
from plastic.rules.pen.repair import repaired
from plastic.rules.pen.texts import listed
from plastic.rules.pen.turns import Journal, entry, unread
from plastic.work.pen.bind import receipt
from plastic.work.pen.init import load_bytes_or_refuse
from plastic.work.pen.view import facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.pen.block import Fault
    from plastic.work.pen.desk import Desk


def archive(desk: Desk, keep: int) -> tuple[dict[str, Any], str]:
    """Move all but the newest turns; turn 0 and what somebody has not read stay."""
    desk.alone()
    desk.look()
    try:
        with hold(desk.place) as ours:
            text, pen, book = desk.look()
            stay = _staying(desk, text, pen, book, max(keep, 1))
            going = [turn for turn in book.turns if turn.n not in stay]
            if going:
                _move_away(desk, text, [(turn.start, turn.end) for turn in going], ours)
    except Busy as busy:
        raise desk.refusal("busy", who=str(busy)) from None
    _, pen, _ = desk.look()
    path = desk.place.sibling("archive")
    kept = len(book.turns) - len(going)
    code = "archive" if going else "archive-none"
    said = desk.said(code, count=len(going), file=path, kept=kept)
    return facts(desk, pen, archived=[turn.n for turn in going], archive=path), said


def _staying(desk: Desk, text: str, pen: Pen, book: Journal, keep: int) -> set[int]:
    entries = [entry(text, turn) for turn in book.turns]
    stay = {0} | {one.n for one in entries[-keep:]}
    for agent in pen.agents:
        stay |= set(unread(entries, agent, receipt(desk.place, agent)))
    return stay


def _move_away(
    desk: Desk, text: str, spans: list[tuple[int, int]], ours: Callable[[], None]
) -> None:
    """The archive is safe before the file is cut; a kill between leaves turns in both."""
    path = desk.place.sibling("archive")
    old = desk.archive_text() or f"# {desk.place.form.brand} · turn archive\n"
    moved = [text[start:end].replace("\r\n", "\n") for start, end in spans]
    new = [one for one in moved if one not in old.replace("\r\n", "\n")]
    whole = "\n\n".join([old.rstrip("\n"), *(one.rstrip("\n") for one in new)]) + "\n"
    replace(path, whole.encode("utf-8", "surrogateescape"))
    point("pen.archived")
    for start, end in reversed(spans):
        text = text[:start] + text[end:].lstrip("\r\n")
    desk.save(text if text.endswith("\n") else text + "\n", ours)


def repair(desk: Desk, *, dry_run: bool) -> tuple[dict[str, Any], str]:
    """Give the file a block that holds; what was there is kept beside it."""
    desk.alone()
    data = load_bytes_or_refuse(desk)
    if data is None:
        raise desk.refusal("no-pen", place=desk.place.folder)
    if desk.place.is_link and f"{desk.place.form.brand}:".encode() not in data:
        # A link that came with a repository must not get our block into a file of its reader.
        raise desk.unreadable(Unreadable("not-a-file", why="elsewhere"), desk.place.path)
    if dry_run:
        return _report(desk, *_mended(desk, data), code="would-repair")
    try:
        with hold(desk.place) as ours:
            data = load_bytes_or_refuse(desk) or b""
            text, done = _mended(desk, data)
            if done:
                replace(desk.place.sibling("broken", f"{iso().replace(':', '')}.md"), data)
                point("pen.kept")
                save(desk.place.file, text, ours)
    except Busy as busy:
        raise desk.refusal("busy", who=str(busy)) from None
    return _report(desk, text, done, code="repair")


def _mended(desk: Desk, data: bytes) -> tuple[str, list[Fault]]:
    done: list[Fault] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        done.append(("not-utf8",))
    found = repaired(text, desk.place.form, int(now()), desk.archived().last)
    return found.text, done + found.done


def _report(desk: Desk, text: str, done: list[Fault], *, code: str) -> tuple[dict[str, Any], str]:
    pen = split(text, desk.place.form)
    assert pen is not None
    desk.speak(pen)
    words = [listed([one], desk.lang) for one in done]
    said = desk.said(code, what=", ".join(words)) if done else desk.said("sound")
    return facts(desk, pen, repaired=words), said
